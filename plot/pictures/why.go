package main

import (
	"context"
	"slices"

	"beziergp/example"
	"beziergp/explain"
	"beziergp/plot"
	"beziergp/plot/canvas"
)

// slowest draws what the prediction of the held-out order is made of that is predicted to take longest.
func (d *demo) slowest() (*canvas.Canvas, error) {
	a, err := explain.Explain(context.Background(), d.model, d.heldOut, explain.Options{})
	if err != nil {
		return nil, err
	}
	row, c := 0, len(a.Columns)
	for i, v := range d.outcomes.Mean {
		if v > d.outcomes.Mean[row] {
			row = i
		}
	}
	w := plot.Waterfall{
		Target: example.Target, Columns: a.Columns, Values: slices.Clone(a.Values[row*c : (row+1)*c]), Base: a.Base, Row: row + 1, Most: c,
	}
	inputs := d.model.Inputs()
	for _, name := range a.Columns {
		values, _ := d.heldOut.Column(name)
		for i := range inputs {
			if inputs[i].Source() == name {
				w.Cells = append(w.Cells, inputs[i].Text(values[row]))
				break
			}
		}
	}
	return w.Draw()
}

package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/model"
	"beziergp/plot"
	"beziergp/serve"
	"beziergp/table"
)

// total is what there is to tell of all rows; programs rely on the names.
type total struct {
	Rows      int     `json:"rows"`
	Target    string  `json:"target"`
	Transform string  `json:"transform,omitempty"` // of the target, whose units all are in
	Base      float64 `json:"base"`
	// Columns are those of the model, and Interactions all pairs, that of the largest mean
	// first.
	Columns      []effect `json:"columns"`
	Interactions []effect `json:"interactions,omitempty"`
	*quadrature
	Clamped int `json:"held"`
	*sampled

	options *Options
	inputs  []box.Input
	layers  []int // of columns, the first of each
	swarm   *plot.Attributions
	row     *plot.Waterfall
	coord   []float64
	// unpredicted tells that the row of the waterfall is there, but has no values.
	unpredicted bool
}

// quadrature is how exact values were found; nil of estimates.
type quadrature struct {
	Nodes      int     `json:"nodes"`
	Exact      int     `json:"exact_nodes"` // that leave no error but rounding
	Additivity float64 `json:"additivity"`
}

// sampled is what estimates are from; nil of exact values.
type sampled struct {
	Permutations   int `json:"estimated_permutations"` // pairs of every background row
	Background     int `json:"background_rows"`
	BackgroundRead int `json:"background_of_rows"` // that these were drawn from
}

// effect is what a column, or a pair, does to predictions.
type effect struct {
	Column  string  `json:"column"`
	Other   string  `json:"other,omitempty"`
	MeanAbs float64 `json:"mean_abs"`
	Lowest  float64 `json:"lowest"`
	Highest float64 `json:"highest"`
	// Error is the mean standard error of values that are estimates; nil of exact ones.
	Error *float64 `json:"std_error,omitempty"`

	sum, errors float64
}

func (e *effect) add(v float64) {
	e.sum += math.Abs(v)
	e.Lowest, e.Highest = min(e.Lowest, v), max(e.Highest, v)
}

func newEffect(column, other string) effect {
	return effect{Column: column, Other: other, Lowest: math.Inf(1), Highest: math.Inf(-1)}
}

func newTotal(o *Options, m serve.Model) *total {
	t := &total{Target: m.Target().Name, options: o, inputs: m.Inputs()}
	if _, exact := m.(*model.Model); exact { // of another method predictions are explained, in the target's units
		t.Transform, t.quadrature = string(m.Target().Transform), &quadrature{}
	}
	var columns []string
	for _, c := range m.Columns() {
		columns = append(columns, c.Name)
	}
	b := box.New(m.Inputs())
	for i := range m.Inputs() {
		if b.Column(i) == len(t.layers) {
			t.layers = append(t.layers, i)
		}
	}
	for _, name := range columns {
		t.Columns = append(t.Columns, newEffect(name, ""))
	}
	if o.Interactions {
		for _, pair := range explain.Pairs(len(columns)) {
			t.Interactions = append(t.Interactions, newEffect(columns[pair[0]], columns[pair[1]]))
		}
	}
	t.swarm = &plot.Attributions{Target: t.quantity(), Columns: columns}
	return t
}

// quantity is what the values are of.
func (t *total) quantity() string {
	if t.Transform != "" {
		return t.Transform + "(" + t.Target + ")"
	}
	return t.Target
}

// add takes in a block.
func (t *total) add(a *explain.Attributions, b *apply.Block) {
	t.Base = a.Base
	if q := t.quadrature; q != nil {
		q.Exact, q.Nodes, q.Additivity = a.Exact, max(q.Nodes, a.Nodes), max(q.Additivity, a.Additivity)
	}
	c, pairs := len(t.Columns), len(t.Interactions)
	for row, prediction := range a.Prediction {
		if prediction != prediction {
			t.unpredicted = t.unpredicted || int64(t.options.Row) == b.Rows[row]
			continue // it has no values
		}
		t.Rows++
		if a.Clamped[row] {
			t.Clamped++
		}
		values := a.Values[row*c : (row+1)*c]
		for k, v := range values {
			t.Columns[k].add(v)
			if a.Errors != nil {
				t.Columns[k].errors += a.Errors[row*c+k]
			}
		}
		if pairs > 0 {
			for k, v := range a.Interactions[row*pairs : (row+1)*pairs] {
				t.Interactions[k].add(v)
			}
		}
		if t.options.Plot != "" {
			t.swarm.Add(values, t.coordinates(b, row))
		}
		if t.options.Waterfall != "" && t.row == nil && (t.options.Row == 0 || int64(t.options.Row) == b.Rows[row]) {
			t.row = &plot.Waterfall{Target: t.quantity(), Columns: a.Columns, Values: slices.Clone(values), Base: a.Base, Row: int(b.Rows[row]), Most: t.options.Top}
			for k := range values {
				t.row.Cells = append(t.row.Cells, t.inputs[t.layers[k]].Text(b.Inputs[k][row]))
			}
		}
	}
}

// coordinates returns where the values of a row lie in the box, NaN of what has no order.
func (t *total) coordinates(b *apply.Block, row int) []float64 {
	t.coord = t.coord[:0]
	for k, layer := range t.layers {
		in, at := t.inputs[layer], math.NaN()
		if in.Kind != table.Category {
			at = float64(in.Clip(b.Inputs[k][row]))
		}
		t.coord = append(t.coord, at)
	}
	return t.coord
}

// finish sorts columns by how much they matter.
func (t *total) finish() {
	for _, all := range [][]effect{t.Columns, t.Interactions} {
		for k := range all {
			e := &all[k]
			if e.MeanAbs = e.sum / float64(max(1, t.Rows)); t.Rows == 0 {
				e.Lowest, e.Highest = 0, 0
			}
			if t.sampled != nil {
				mean := e.errors / float64(max(1, t.Rows))
				e.Error = &mean
			}
		}
		slices.SortStableFunc(all, func(a, b effect) int { return cmp.Compare(b.MeanAbs, a.MeanAbs) })
	}
}

// draw writes the pictures that are asked for.
func (t *total) draw(ctx context.Context, s streams.Streams) error {
	t.finish()
	if t.options.Plot != "" {
		drawn, err := t.swarm.Draw(t.options.Top)
		if err != nil {
			return err
		}
		if err := sink.Picture(ctx, t.options.Plot, drawn, s.Out); err != nil {
			return err
		}
	}
	if t.row == nil {
		return nil
	}
	drawn, err := t.row.Draw()
	if err != nil {
		return err
	}
	return sink.Picture(ctx, t.options.Waterfall, drawn, s.Out)
}

//go:build !lean && !wasm

package worker

import (
	"strings"

	"beziergp/box"
	"beziergp/explain"
)

// explainRows returns Shapley values of the rows of the body, against the rows of a second
// table where there is one.
func explainRows(r *request) (any, []byte, error) {
	var o struct {
		function
		Tolerance    float64 `json:"tolerance"`
		Interactions bool    `json:"interactions"`
		OutOfBox     string  `json:"out_of_box"`
		Workers      int     `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, rows, err := o.at(r)
	if err != nil {
		return nil, nil, err
	}
	options := explain.Options{Workers: o.Workers, Policy: box.Policy(o.OutOfBox), Tolerance: o.Tolerance, Interactions: o.Interactions}
	if len(r.Parts) > 1 {
		if options.Background, err = r.rows(1, m); err != nil {
			return nil, nil, err
		}
	}
	a, err := explain.Explain(r.ctx, m, rows, options)
	if err != nil {
		return nil, nil, err
	}
	var s stream
	s.numbers("prediction", a.Prediction)
	s.byRows("", a.Columns, a.Values)
	var pairs []string
	if o.Interactions {
		for _, p := range explain.Pairs(len(a.Columns)) {
			pairs = append(pairs, strings.Join([]string{a.Columns[p[0]], a.Columns[p[1]]}, " × "))
		}
		s.byRows("", pairs, a.Interactions)
	}
	body, err := s.bytes()
	return struct {
		Columns    []string `json:"columns"`
		Base       number   `json:"base"`
		Additivity number   `json:"additivity"`
	}{a.Columns, number(a.Base), number(a.Additivity)}, body, err
}

// byRows adds the columns of a matrix, [n, names] by rows.
func (s *stream) byRows(before string, names []string, values []float64) {
	for k, name := range names {
		column := make([]float64, len(values)/len(names))
		for i := range column {
			column[i] = values[i*len(names)+k]
		}
		s.numbers(before+name, column)
	}
}

// gradient returns the derivatives of the mean of f, and of its deviation, at the rows of
// the body.
func gradient(r *request) (any, []byte, error) {
	var o struct {
		function
		OutOfBox string `json:"out_of_box"`
		Workers  int    `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	m, rows, err := o.at(r)
	if err != nil {
		return nil, nil, err
	}
	g, err := explain.NewGradient(m, explain.Options{Workers: o.Workers, Policy: box.Policy(o.OutOfBox)})
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	columns := make([][]float64, len(m.Columns()))
	for k, c := range m.Columns() {
		columns[k], _ = rows.Column(c.Name)
	}
	var out explain.Gradients
	if err := g.Gradients(r.ctx, columns, &out); err != nil {
		return nil, nil, err
	}
	var s stream
	s.byRows("mean ", g.Columns(), out.Mean)
	s.byRows("std ", g.Columns(), out.Std)
	body, err := s.bytes()
	return struct {
		Columns []string `json:"columns"`
	}{g.Columns()}, body, err
}

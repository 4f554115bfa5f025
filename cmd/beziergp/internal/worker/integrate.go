//go:build !lean && !wasm

package worker

import (
	"cmp"
	"runtime"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/model"
)

// integrate averages over the inputs, or over the rows of the body, less those of a second
// table where there is one.
func integrate(r *request) (any, []byte, error) {
	var o struct {
		inputs
		Total    bool   `json:"total"`
		Seed     uint64 `json:"seed"`
		OutOfBox string `json:"out_of_box"`
		Workers  int    `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if len(r.body) == 0 {
		a, err := o.analysis(r)
		if err != nil {
			return nil, nil, err
		}
		return momentsOf(a.Integral()), nil, nil
	}
	if len(o.Laws)+len(o.At) > 0 || o.Truncate {
		return nil, nil, exit.Usagef("laws, at and truncate say how inputs are distributed, and there are rows: leave either out")
	}
	m, err := o.of(r)
	if err != nil {
		return nil, nil, err
	}
	rows, first, err := r.joined(m, analysis.RowsOptions{Policy: box.Policy(o.OutOfBox), Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))})
	if err != nil {
		return nil, nil, err
	}
	w := make([]float64, rows.Len())
	for i := range w {
		n, sign := first, 1.0
		if i >= n {
			n, sign = rows.Len()-n, -1
		}
		if w[i] = sign; !o.Total {
			w[i] /= float64(n)
		}
	}
	a, err := rows.Weighted(r.ctx, w, o.Seed)
	return momentsOf(a.Number), nil, err
}

// joined returns f at the rows of one table or two, and how many the first has.
func (r *request) joined(m *model.Model, o analysis.RowsOptions) (rows *analysis.Rows, first int, err error) {
	a, err := r.rows(0, m)
	if err != nil {
		return nil, 0, err
	}
	if len(r.Parts) < 2 {
		rows, err = analysis.NewRows(r.ctx, m, a, o)
		return rows, a.Rows(), err
	}
	b, err := r.rows(1, m)
	if err != nil {
		return nil, 0, err
	}
	rows, err = analysis.Joined(r.ctx, m, a, b, o)
	return rows, a.Rows(), err
}

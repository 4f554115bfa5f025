//go:build !lean && !wasm

package worker

import (
	"cmp"
	"context"
	"math"
	"runtime"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
)

// sample draws functions at the rows of the body, a column each.
func sample(r *request) (any, []byte, error) {
	var o struct {
		function
		Draws    int    `json:"draws"`
		Seed     uint64 `json:"seed"`
		OutOfBox string `json:"out_of_box"`
		Workers  int    `json:"workers"`
	}
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	if o.Draws < 1 {
		return nil, nil, exit.Usagef("draws: %d; it must be at least 1", o.Draws)
	}
	m, err := o.of(r)
	if err != nil {
		return nil, nil, err
	}
	rows, n, err := r.joined(m, analysis.RowsOptions{Policy: box.Policy(o.OutOfBox), Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))})
	if err != nil {
		return nil, nil, err
	}
	if n > analysis.MostJoint {
		return nil, nil, exit.Dataf("X: %d rows are too many to be drawn together; take %d at most", n, analysis.MostJoint)
	}
	return draw(r.ctx, rows, o.Draws, o.Seed, m.Target())
}

func draw(ctx context.Context, rows *analysis.Rows, draws int, seed uint64, target box.Target) (any, []byte, error) {
	d, err := rows.Draw(ctx, draws, seed)
	if err != nil {
		return nil, nil, err
	}
	var s stream
	for _, values := range d.Values {
		if target.Transform == box.Log1p {
			for i, v := range values {
				values[i] = math.Expm1(v)
			}
		}
		s.numbers("draw", values)
	}
	body, err := s.bytes()
	return nil, body, err
}

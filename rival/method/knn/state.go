package knn

import (
	"fmt"

	"beziergp/rival/method"
)

// Names of tensors: what is kept are the training rows, from which the trees grow
// again.
const (
	inputs  = "inputs"  // [n, d]
	targets = "targets" // [n]
	probed  = "probed"  // [p, d]
	squares = "squares" // of their errors [p]
)

// State implements [method.Storable]. It holds the training rows, standardised.
func (r *regressor) State() (method.State, error) {
	return method.NewState("knn", r.scaling, r.learned, map[string]method.Tensor{
		inputs: method.Rows(r.rows.x, r.rows.d), targets: method.Vector(r.y),
		probed: method.Rows(r.probe.x, r.probe.d), squares: method.Vector(r.errors),
	})
}

// Restore returns the regressor of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	if s.Law != nil {
		return restoreLaw(s)
	}
	r := &regressor{scaling: s.Scaling, workers: 1}
	d, err := s.Open("knn", &r.learned)
	if err != nil {
		return nil, err
	}
	if r.rows, r.y, err = pairs(s, d, inputs, targets); err != nil {
		return nil, err
	}
	if r.probe, r.errors, err = pairs(s, d, probed, squares); err != nil {
		return nil, err
	}
	if k := r.learned.Neighbours; k < 1 || k > len(r.y) || !(r.learned.Error >= 0) {
		return nil, fmt.Errorf("knn: %d neighbours of %d rows with an error of %g", k, len(r.y), r.learned.Error)
	}
	return r, nil
}

// pairs returns the tree over a tensor of rows, and a value for every row.
func pairs(s method.State, d int, rows, values string) (*tree, []float64, error) {
	x, err := s.Tensor(rows, -1, d)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.Tensor(values, x.Shape[0])
	if err != nil {
		return nil, nil, err
	}
	return grow(x.Data, d), v.Data, nil
}

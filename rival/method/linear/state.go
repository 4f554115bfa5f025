package linear

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"beziergp/rival/method"
)

// Names of tensors.
const (
	weights = "weights" // [d]
	roots   = "roots"   // [d, rank], where the rank is not 0
)

// State implements [method.Storable].
func (r *regressor) State() (method.State, error) {
	tensors := map[string]method.Tensor{weights: method.Vector(r.weights)}
	if r.roots != nil {
		tensors[roots] = method.Rows(r.roots.RawMatrix().Data, r.learned.Rank)
	}
	return method.NewState("linear", r.scaling, r.learned, tensors)
}

// Restore returns the regressor of a state.
func Restore(s method.State) (method.Storable, error) {
	if s.Law != nil {
		return restoreLaw(s)
	}
	r := &regressor{scaling: s.Scaling}
	d, err := s.Open("linear", &r.learned)
	if err != nil {
		return nil, err
	}
	if !(r.learned.Noise >= 0) || !(r.learned.Rows >= 1) || r.learned.Rank < 0 {
		return nil, fmt.Errorf("linear: noise %g, %g rows of rank %d", r.learned.Noise, r.learned.Rows, r.learned.Rank)
	}
	w, err := s.Tensor(weights, d)
	if err != nil {
		return nil, err
	}
	r.weights = w.Data
	if rank := r.learned.Rank; rank != 0 {
		t, err := s.Tensor(roots, d, rank)
		if err != nil {
			return nil, err
		}
		r.roots = mat.NewDense(d, rank, t.Data)
	}
	return r, nil
}

// Noise implements [method.Latent].
func (r *regressor) Noise() float64 { return r.scaling.Deviation(r.learned.Noise) }

package linear

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"beziergp/baseline"
)

// Names of tensors.
const (
	weights = "weights" // [d]
	roots   = "roots"   // [d, rank], where the rank is not 0
)

// State implements [baseline.Storable].
func (r *regressor) State() (baseline.State, error) {
	tensors := map[string]baseline.Tensor{weights: baseline.Vector(r.weights)}
	if r.roots != nil {
		tensors[roots] = baseline.Rows(r.roots.RawMatrix().Data, r.learned.Rank)
	}
	return baseline.NewState("linear", r.scaling, r.learned, tensors)
}

// Restore returns the regressor of a state.
func Restore(s baseline.State) (baseline.Storable, error) {
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
		return nil, fmt.Errorf("linear: %w", err)
	}
	r.weights = w.Data
	if rank := r.learned.Rank; rank != 0 {
		t, err := s.Tensor(roots, d, rank)
		if err != nil {
			return nil, fmt.Errorf("linear: %w", err)
		}
		r.roots = mat.NewDense(d, rank, t.Data)
	}
	return r, nil
}

// Noise implements [baseline.Latent].
func (r *regressor) Noise() float64 { return r.scaling.Target.Scale * math.Sqrt(r.learned.Noise) }

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
		_, rank := r.roots.Dims()
		tensors[roots] = baseline.Rows(r.roots.RawMatrix().Data, rank)
	}
	return baseline.NewState("linear", r.scaling, r.learned, tensors)
}

// Restore returns the regressor of a state.
func Restore(s baseline.State) (baseline.Regressor, error) {
	r := &regressor{scaling: s.Scaling}
	d, err := s.Open("linear", &r.learned)
	if err != nil {
		return nil, err
	}
	if !(r.learned.Noise >= 0) || !(r.learned.Rows >= 1) {
		return nil, fmt.Errorf("linear: noise %g of %g rows", r.learned.Noise, r.learned.Rows)
	}
	w, err := s.Tensor(weights, d)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	r.weights = w.Data
	if _, ok := s.Tensors[roots]; ok {
		t, err := s.Tensor(roots, d, -1)
		if err != nil {
			return nil, fmt.Errorf("linear: %w", err)
		}
		r.roots = mat.NewDense(d, t.Shape[1], t.Data)
	}
	return r, nil
}

// Noise implements [baseline.Latent].
func (r *regressor) Noise() float64 { return r.scaling.Target.Scale * math.Sqrt(r.learned.Noise) }

package inducing

import (
	"fmt"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Names of tensors; lower triangles are packed.
const (
	inputs  = "inputs"  // Z [M, d]
	inverse = "inverse" // L⁻¹ [M (M + 1)/2]
	mean    = "mean"    // μ [M]
	root    = "root"    // Rᵀ [M (M + 1)/2]
)

// Tensors are what the posterior keeps, but for its parameters.
func (p *Posterior) Tensors() map[string]method.Tensor {
	return map[string]method.Tensor{
		inputs: method.Rows(p.inputs, len(p.hyper.Lengths)), mean: method.Vector(p.mean),
		inverse: method.Vector(dense.Pack(p.inverse)), root: method.Vector(dense.Pack(p.root)),
	}
}

// State returns the state of a method's regressor, whose JSON is learned: the
// parameters must be in it.
func (p *Posterior) State(name string, learned any) (method.State, error) {
	return method.NewState(name, p.scaling, learned, p.Tensors())
}

// Restore returns the posterior of a method's state, what was learned in learned. The
// parameters hyper are a part of that. It predicts on one goroutine a call.
func Restore(s method.State, name string, learned any, hyper *covariance.Hyper) (*Posterior, error) {
	d, err := s.Open(name, learned)
	if err != nil {
		return nil, err
	}
	return Read(s, d, hyper)
}

// Read returns the posterior of d inputs of which a state has the Tensors.
func Read(s method.State, d int, hyper *covariance.Hyper) (*Posterior, error) {
	if err := hyper.Check(d); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Method, err)
	}
	z, err := s.Tensor(inputs, -1, d)
	if err != nil {
		return nil, err
	}
	m := z.Shape[0]
	mu, err := s.Tensor(mean, m)
	if err != nil {
		return nil, err
	}
	l, err := s.Tensor(inverse, m*(m+1)/2)
	if err != nil {
		return nil, err
	}
	r, err := s.Tensor(root, m*(m+1)/2)
	if err != nil {
		return nil, err
	}
	return NewPosterior(s.Scaling, 1, *hyper, z.Data, dense.Unpack(m, l.Data), mu.Data, dense.Unpack(m, r.Data)), nil
}

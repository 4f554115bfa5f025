package exact

import (
	"fmt"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// Names of tensors.
const (
	inputs = "inputs" // of the training rows, standardised [n, d]
	factor = "factor" // L [n (n + 1)/2]: made again it would take O(n³) and n² of memory that a file does not pay for
	alpha  = "alpha"  // [n]
)

// State implements [method.Storable]. It holds the training rows, standardised.
func (p *Process) State() (method.State, error) {
	return method.NewState("exact", p.scaling, p.learned, map[string]method.Tensor{
		inputs: method.Rows(p.inputs, len(p.learned.Hyper.Lengths)),
		factor: method.Vector(dense.Pack(p.factor)), alpha: method.Vector(p.alpha),
	})
}

// Restore returns the process of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	p := &Process{scaling: s.Scaling, workers: 1}
	d, err := s.Open("exact", &p.learned)
	if err != nil {
		return nil, err
	}
	if err := p.learned.Hyper.Check(d); err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	x, err := s.Tensor(inputs, -1, d)
	if err != nil {
		return nil, err
	}
	n := x.Shape[0]
	a, err := s.Tensor(alpha, n)
	if err != nil {
		return nil, err
	}
	l, err := s.Tensor(factor, n*(n+1)/2)
	if err != nil {
		return nil, err
	}
	p.inputs, p.points = x.Data, p.learned.Hyper.Points(x.Data, nil)
	p.factor, p.alpha = dense.Unpack(n, l.Data), a.Data
	return p, nil
}

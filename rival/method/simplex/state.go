package simplex

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/internal/limit"
	"beziergp/rival/method"
	"beziergp/rival/method/lattice"
)

// Names of tensors.
const (
	inputs = "inputs" // of the training rows, standardised [n, d]
	alpha  = "alpha"  // [n]
	solved = "solved" // [n, draws]: made again it would take as long as all else
)

// State implements [method.Storable]. It holds the training rows, standardised: the
// lattice is made of them.
func (p *Process) State() (method.State, error) {
	return method.NewState("simplex", p.scaling, p.learned, map[string]method.Tensor{
		inputs: method.Rows(p.inputs, len(p.learned.Hyper.Lengths)), alpha: method.Vector(p.alpha),
		solved: method.Rows(p.solved.Data, p.learned.Options.Draws),
	})
}

// Restore returns the process of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	p := &Process{scaling: s.Scaling, workers: 1}
	d, err := s.Open("simplex", &p.learned)
	if err != nil {
		return nil, err
	}
	h, draws := &p.learned.Hyper, p.learned.Options.Draws
	if err := errors.Join(h.Check(d), limit.Check("draws", draws, most)); err != nil {
		return nil, fmt.Errorf("simplex: %w", err)
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
	w, err := s.Tensor(solved, n, draws)
	if err != nil {
		return nil, err
	}
	p.inputs, p.alpha = x.Data, a.Data
	p.solved = blas64.General{Rows: n, Cols: draws, Stride: draws, Data: w.Data}
	if err := p.place(); err != nil {
		return nil, fmt.Errorf("simplex: %w", err)
	}
	return p, nil
}

// place makes the lattice again, on one goroutine.
func (p *Process) place() error {
	h := &p.learned.Hyper
	stencil := lattice.NewStencil(h.Family, len(h.Lengths))
	rows := make([]float64, len(p.inputs))
	for i, x := range p.inputs {
		rows[i] = x / h.Lengths[i%len(h.Lengths)]
	}
	// The limit is that of the fit, which is not in the file: as much as a file's rows need.
	l, err := lattice.New(context.Background(), 1, rows, len(h.Lengths), stencil, 1<<40)
	if err != nil {
		return err
	}
	if l.Vertices() != p.learned.Vertices {
		return fmt.Errorf("a lattice of %d vertices where there were %d", l.Vertices(), p.learned.Vertices)
	}
	return p.prepare(l.Filter(context.Background(), 1), h.Variance/stencil.Norm)
}

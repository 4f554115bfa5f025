// Package optim holds first-order optimisers over []float32.
package optim

import (
	"math"

	"beziergp/internal/kernel"
)

// Adam is the optimiser of Kingma & Ba (ICLR 2015), algorithm 1. Its exported
// fields are its whole state, so that a checkpoint can hold it.
type Adam struct {
	Beta1, Beta2, Epsilon float64
	Steps                 int       // t, the number of steps taken
	M, V                  []float32 // moving averages of the gradient and its square

	// What Step works on, and its part for a worker: made once, because a function
	// value made for each step would be allocated.
	params, gradient []float32
	step             kernel.AdamStep
	part             func(worker, part int)
}

// NewAdam returns the optimiser of n parameters with the usual constants,
// β₁ = 0.9, β₂ = 0.999, ε = 10⁻⁸.
func NewAdam(n int) *Adam {
	a := &Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, M: make([]float32, n), V: make([]float32, n)}
	a.part = a.move
	return a
}

// Step moves params against the gradient with learning rate α. Workers of pool
// share the parameters out.
func (a *Adam) Step(params, gradient []float32, rate float64, pool *kernel.Pool) {
	a.Steps++
	t := float64(a.Steps)
	a.params, a.gradient = params, gradient
	a.step = kernel.AdamStep{
		Rate:        float32(rate / (1 - math.Pow(a.Beta1, t))),
		Beta1:       float32(a.Beta1),
		Beta2:       float32(a.Beta2),
		Correction2: float32(1 / (1 - math.Pow(a.Beta2, t))),
		Epsilon:     float32(a.Epsilon),
	}
	pool.Do((len(params)+block-1)/block, a.part)
}

// block is the number of parameters that a worker moves at a time.
const block = 4096

func (a *Adam) move(_, part int) {
	from, to := part*block, min((part+1)*block, len(a.params))
	kernel.Adam(a.params[from:to], a.gradient[from:to], a.M[from:to], a.V[from:to], a.step)
}

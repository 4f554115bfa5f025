// Package optim holds first-order optimisers over []float32.
package optim

import (
	"math"

	"beziergp/internal/kernel"
)

// Adam is the optimiser of Kingma & Ba (ICLR 2015), algorithm 1. Its fields are
// its whole state, so that a checkpoint can hold it.
type Adam struct {
	Beta1, Beta2, Epsilon float64
	Steps                 int       // t, the number of steps taken
	M, V                  []float32 // moving averages of the gradient and its square
}

// NewAdam returns the optimiser of n parameters with the usual constants,
// β₁ = 0.9, β₂ = 0.999, ε = 10⁻⁸.
func NewAdam(n int) *Adam {
	return &Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, M: make([]float32, n), V: make([]float32, n)}
}

// Step moves params against the gradient with learning rate α. Workers of pool
// share the parameters out.
func (a *Adam) Step(params, gradient []float32, rate float64, pool *kernel.Pool) {
	a.Steps++
	t := float64(a.Steps)
	step := kernel.AdamStep{
		Rate:        float32(rate / (1 - math.Pow(a.Beta1, t))),
		Beta1:       float32(a.Beta1),
		Beta2:       float32(a.Beta2),
		Correction2: float32(1 / (1 - math.Pow(a.Beta2, t))),
		Epsilon:     float32(a.Epsilon),
	}
	const block = 16384
	pool.Do((len(params)+block-1)/block, func(_, part int) {
		from, to := part*block, min((part+1)*block, len(params))
		kernel.Adam(params[from:to], gradient[from:to], a.M[from:to], a.V[from:to], step)
	})
}

// Package optim holds first-order optimisers over []float32.
package optim

import (
	"math"

	"beziergp/internal/simd"
)

// Adam is the optimiser of Kingma & Ba (ICLR 2015), algorithm 1. Its exported
// fields are its whole state, so that a checkpoint can hold it.
type Adam struct {
	Beta1, Beta2, Epsilon float64
	Steps                 int       // t, the number of steps taken
	M, V                  []float32 // moving averages of the gradient and its square

	ends    []int // of the blocks
	blocks  []int // that are moved
	longest int   // of them all
	// What Step works on, and its part for a worker: made once, because a function
	// value made for each step would be allocated.
	params, gradient []float32
	step             simd.AdamStep
	part             func(worker, part int)
}

// NewAdam returns the optimiser of parameters in blocks that end where ends tell, the
// last of them where the parameters do, with the usual constants, β₁ = 0.9, β₂ = 0.999,
// ε = 10⁻⁸. Part k of a job and block k go to the same worker where the number of
// blocks allows, so it pays to have blocks of what such a part writes and reads.
func NewAdam(ends ...int) *Adam {
	n := ends[len(ends)-1]
	a := &Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, M: make([]float32, n), V: make([]float32, n), ends: ends, blocks: make([]int, len(ends))}
	for block := range ends {
		a.blocks[block] = block
		from, to := a.block(block)
		a.longest = max(a.longest, to-from)
	}
	a.part = a.move
	return a
}

// Only has steps move some blocks alone, and leave all else of parameters and state untouched.
func (a *Adam) Only(blocks []int) { a.blocks = blocks }

// block returns where a block begins and where it ends.
func (a *Adam) block(k int) (from, to int) {
	if k > 0 {
		from = a.ends[k-1]
	}
	return from, a.ends[k]
}

// Step moves params against the gradient with learning rate α. Workers of pool
// share the parameters out.
func (a *Adam) Step(params, gradient []float32, rate float64, pool *simd.Pool) {
	a.Steps++
	t := float64(a.Steps)
	a.params, a.gradient = params, gradient
	a.step = simd.AdamStep{
		Rate:        float32(rate / (1 - math.Pow(a.Beta1, t))),
		Beta1:       float32(a.Beta1),
		Beta2:       float32(a.Beta2),
		Correction2: float32(1 / (1 - math.Pow(a.Beta2, t))),
		Epsilon:     float32(a.Epsilon),
	}
	pool.Do(len(a.blocks)*((a.longest+piece-1)/piece), a.part)
}

// piece is the number of parameters of a block that a worker moves at a time.
const piece = 4096

// move moves a piece of a block: first all blocks' first ones.
func (a *Adam) move(_, part int) {
	from, end := a.block(a.blocks[part%len(a.blocks)])
	from += part / len(a.blocks) * piece
	if to := min(from+piece, end); from < to {
		simd.Adam(a.params[from:to], a.gradient[from:to], a.M[from:to], a.V[from:to], a.step)
	}
}

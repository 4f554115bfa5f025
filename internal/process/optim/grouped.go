package optim

import (
	"math"

	"beziergp/internal/simd"
)

// Matrix is a layer of weights, by rows, among the parameters.
type Matrix struct {
	At, Size int
	// Single tells that every weight has a second moment of its own, as where weights beside
	// each other differ in how often they have a gradient: nodes before or behind are levels
	// of a category, some of which are rare.
	Single bool
}

// Grouped is Adam with one second moment for [simd.AdamBlock] weights of a matrix that
// follow one another, the mean of theirs (Adam-mini has larger groups; Zhang et al. 2024),
// and one a weight where a matrix is Single. It moves blocks of matrices one by one, as
// soon as their gradient is known, while that is in a cache.
type Grouped struct {
	beta1, beta2, epsilon float64
	steps                 int
	blocks                [][]Matrix
	m, v                  []float32
	seconds               []int // by block, where its second moments begin
	step                  simd.AdamStep
	decays                *decays         // of [Sparse] ones beside it; nil without
	taken                 []simd.AdamStep // then all steps so far
}

// Beta2 is the usual share of a second moment that is left after a step.
const Beta2 = 0.999

// NewGrouped returns the optimiser of blocks of matrices, with the share β₂ of a second
// moment that is left after a step.
func NewGrouped(blocks [][]Matrix, beta2 float64) *Grouped {
	r := &Grouped{beta1: 0.9, beta2: beta2, epsilon: 1e-8, blocks: blocks}
	n, seconds := 0, 0
	for _, block := range blocks {
		r.seconds = append(r.seconds, seconds)
		for _, w := range block {
			n = max(n, w.At+w.Size)
			seconds += w.seconds()
		}
	}
	r.m, r.v = make([]float32, n), make([]float32, seconds)
	return r
}

func (w Matrix) seconds() int {
	if w.Single {
		return w.Size
	}
	return simd.Seconds(w.Size)
}

// Begin starts a step with learning rate α.
func (r *Grouped) Begin(rate float64) {
	r.steps++
	t := float64(r.steps)
	r.step = simd.AdamStep{
		Rate:        float32(rate / (1 - math.Pow(r.beta1, t))),
		Beta1:       float32(r.beta1),
		Beta2:       float32(r.beta2),
		Correction2: float32(1 / (1 - math.Pow(r.beta2, t))),
		Epsilon:     float32(r.epsilon),
	}
	if r.decays != nil {
		r.taken = append(r.taken, r.step)
	}
}

// Move moves a block's parameters against its gradient, which it clears. Each block is
// moved once a step, by any worker.
func (r *Grouped) Move(block int, params, gradient []float32) {
	second := r.seconds[block]
	for _, w := range r.blocks[block] {
		end, next := w.At+w.Size, second+w.seconds()
		p, g, m, v := params[w.At:end], gradient[w.At:end], r.m[w.At:end], r.v[second:next]
		if w.Single {
			simd.Adam(p, g, m, v, r.step)
			clear(g)
		} else {
			simd.AdamBlocks(p, g, m, v, r.step)
		}
		second = next
	}
}

package simd

import (
	"math"
	"unsafe"
)

// AdamBlock is the number of weights that share a second moment in [AdamBlocks].
const AdamBlock = 32

// Seconds returns the number of second moments of n weights in [AdamBlocks].
func Seconds(n int) int { return (n + AdamBlock - 1) / AdamBlock }

// AdamBlocks takes one step of Adam with one second moment for every [AdamBlock] weights
// that follow one another, the last of which may be fewer, and clears the gradient: for a
// block b of weights i,
//
//	v[b] = β₂ v[b] + (1 − β₂) · mean of g[i]²
//	m[i] = β₁ m[i] + (1 − β₁) g[i]
//	param[i] −= Rate · m[i] / (√(v[b] · Correction2) + ε)
//	g[i] = 0
//
// A block takes one square root and one quotient, and v is no memory to speak of.
func AdamBlocks(param, grad, m, v []float32, s AdamStep) { active.AdamBlocks(param, grad, m, v, s) }

// AdamBlocks is [AdamBlocks] on one tier.
func (t *tier) AdamBlocks(param, grad, m, v []float32, s AdamStep) {
	n := len(param)
	grad, m, v = grad[:n], m[:n], v[:Seconds(n)]
	if t.adamBlocks == nil || n == 0 {
		adamBlocksGeneric(param, grad, m, v, s)
		return
	}
	t.adamBlocks(unsafe.SliceData(param), unsafe.SliceData(grad), unsafe.SliceData(m), unsafe.SliceData(v), n,
		s.Rate, s.Beta1, s.Beta2, 1-s.Beta1, 1-s.Beta2, s.Correction2, s.Epsilon)
}

// adamBlocksGeneric is the reference body of [AdamBlocks].
func adamBlocksGeneric(param, grad, m, v []float32, s AdamStep) {
	for b := range v {
		from, to := b*AdamBlock, min((b+1)*AdamBlock, len(param))
		g, own, w := grad[from:to], m[from:to], param[from:to]
		var sum float32
		for _, x := range g {
			sum += x * x
		}
		v[b] = s.Beta2*v[b] + (1-s.Beta2)/float32(len(g))*sum
		factor := s.Rate / (float32(math.Sqrt(float64(v[b]*s.Correction2))) + s.Epsilon)
		for i, x := range g {
			own[i] = s.Beta1*own[i] + (1-s.Beta1)*x
			w[i] -= factor * own[i]
		}
		clear(g)
	}
}

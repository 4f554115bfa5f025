package simd

import (
	"math"
	"unsafe"
)

// AdamStep holds the constants of one step of Adam (Kingma & Ba 2015,
// algorithm 1) with the bias corrections folded in.
type AdamStep struct {
	Rate         float32 // α / (1 − β₁^t)
	Beta1, Beta2 float32
	Correction2  float32 // 1 / (1 − β₂^t)
	Epsilon      float32
}

// Adam takes one step: with g the gradient,
//
//	m = β₁ m + (1 − β₁) g
//	v = β₂ v + (1 − β₂) g²
//	param −= Rate · m / (√(v · Correction2) + ε)
//
// All slices have the length of param.
func Adam(param, grad, m, v []float32, s AdamStep) { active.Adam(param, grad, m, v, s) }

// Adam is [Adam] on one tier.
func (t *tier) Adam(param, grad, m, v []float32, s AdamStep) {
	n := len(param)
	grad, m, v = grad[:n], m[:n], v[:n]
	if t.adam == nil {
		adamGeneric(param, grad, m, v, s)
		return
	}
	t.adam(unsafe.SliceData(param), unsafe.SliceData(grad), unsafe.SliceData(m), unsafe.SliceData(v), n,
		s.Rate, s.Beta1, s.Beta2, 1-s.Beta1, 1-s.Beta2, s.Correction2, s.Epsilon)
}

// adamGeneric is the reference body of [Adam].
func adamGeneric(param, grad, m, v []float32, s AdamStep) {
	grad, m, v = grad[:len(param)], m[:len(param)], v[:len(param)]
	c1, c2 := 1-s.Beta1, 1-s.Beta2
	for i, g := range grad {
		m[i] = s.Beta1*m[i] + c1*g
		v[i] = s.Beta2*v[i] + c2*(g*g)
		param[i] -= s.Rate * m[i] / (float32(math.Sqrt(float64(v[i]*s.Correction2))) + s.Epsilon)
	}
}

package kernel

import "math"

// ScaledSquare fills the basis of the variance buttress: dst[i,p] = scale[i] · phi[i,p]².
func ScaledSquare(dst, phi, scale []float32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(dst, m, n, ld)
	checkMatrix(phi, m, n, ld)
	for i, c := range scale[:m] {
		out := dst[i*ld : i*ld+n]
		f := phi[i*ld:][:len(out)]
		for p := range out {
			out[p] = c * f[p] * f[p]
		}
	}
}

// Exp fills dst with the exponentials of v: dst[i] = exp(v[i]). dst and v may
// be the same slice.
func Exp(dst, v []float32) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] = float32(math.Exp(float64(v[i])))
	}
}

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
func Adam(param, grad, m, v []float32, s AdamStep) {
	grad, m, v = grad[:len(param)], m[:len(param)], v[:len(param)]
	c1, c2 := 1-s.Beta1, 1-s.Beta2
	for i, g := range grad {
		m[i] = s.Beta1*m[i] + c1*g
		v[i] = s.Beta2*v[i] + c2*(g*g)
		param[i] -= s.Rate * m[i] / (float32(math.Sqrt(float64(v[i]*s.Correction2))) + s.Epsilon)
	}
}

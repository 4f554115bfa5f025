package simd

import (
	"math"
	"unsafe"
)

// Exp fills dst with the exponentials of v: dst[i] = exp(v[i]), with a relative
// error below 5e-6. dst and v may be the same slice.
func Exp(dst, v []float32) { active.Exp(dst, v) }

// Exp is [Exp] on one tier.
func (t *tier) Exp(dst, v []float32) {
	v = v[:len(dst)]
	if t.exp == nil {
		expGeneric(dst, v)
		return
	}
	t.exp(unsafe.SliceData(dst), unsafe.SliceData(v), len(dst))
}

// expGeneric is the reference body of [Exp].
func expGeneric(dst, v []float32) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] = float32(math.Exp(float64(v[i])))
	}
}

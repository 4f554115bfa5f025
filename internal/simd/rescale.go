package simd

import (
	"math"
	"unsafe"
)

// Rescale brings each point's state near one by a power of two, so that a long
// chain neither overflows nor vanishes: with e the exponent of max_i |s[i,p]|
//
//	s[i,p] *= 2^-e,  factor[p] = 2^-e,  exponent[p] += e
//
// for i < m, p < n. A point whose state is zero or not finite is left as it is,
// with factor 1. |e| is at most 126, so that factor is finite and exact.
func Rescale(s, factor []float32, exponent []int32, m, n, ld int) {
	active.Rescale(s, factor, exponent, m, n, ld)
}

// Rescale is [Rescale] on one tier.
func (t *tier) Rescale(s, factor []float32, exponent []int32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(s, m, n, ld)
	factor, exponent = factor[:n], exponent[:n]
	if t.rescale == nil {
		rescaleGeneric(s, factor, exponent, m, n, ld)
		return
	}
	t.rescale(unsafe.SliceData(s), unsafe.SliceData(factor), unsafe.SliceData(exponent), m, n, ld)
}

// rescaleGeneric is the reference body of [Rescale].
func rescaleGeneric(s, factor []float32, exponent []int32, m, n, ld int) {
	factor, exponent = factor[:n], exponent[:n]
	for p := range factor {
		var top float32
		for i := range m {
			top = max(top, abs(s[i*ld+p]))
		}
		e := exponentOf(top)
		factor[p] = power(-e)
		exponent[p] += e
	}
	scaleGeneric(s, factor, m, n, ld)
}

// Scale multiplies each point's column by its factor: s[i,p] *= factor[p].
func Scale(s, factor []float32, m, n, ld int) { active.Scale(s, factor, m, n, ld) }

// Scale is [Scale] on one tier.
func (t *tier) Scale(s, factor []float32, m, n, ld int) {
	if n == 0 {
		return
	}
	checkMatrix(s, m, n, ld)
	factor = factor[:n]
	if t.scale == nil {
		scaleGeneric(s, factor, m, n, ld)
		return
	}
	t.scale(unsafe.SliceData(s), unsafe.SliceData(factor), m, n, ld)
}

// scaleGeneric is the reference body of [Scale].
func scaleGeneric(s, factor []float32, m, n, ld int) {
	factor = factor[:n]
	for i := range m {
		row := s[i*ld:][:len(factor)]
		for p := range row {
			row[p] *= factor[p]
		}
	}
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// exponentOf returns e with 2^e ≤ x < 2^(e+1), within ±126, and 0 where x is
// zero, subnormal or not finite.
func exponentOf(x float32) int32 {
	e := int32(math.Float32bits(x)>>23) & 0xff
	if e == 0 || e == 0xff {
		return 0
	}
	return min(e-127, 126)
}

// power returns 2^e for |e| ≤ 126.
func power(e int32) float32 {
	return math.Float32frombits(uint32(e+127) << 23)
}

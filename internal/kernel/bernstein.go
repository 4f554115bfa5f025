package kernel

import "math"

// MaxOrder is the largest order whose binomial coefficients, multiplied up from
// the left, are exact in float64 to the last bit or two.
const MaxOrder = 64

// Bernstein fills dst, [order+1, ld], with the Bernstein polynomials of the
// given order at n points t in [0, 1]:
//
//	dst[i,p] = C(order, i) · t[p]^i · (1 − t[p])^(order−i)
//
// The values are exact at 0 and 1. order is between 0 and [MaxOrder].
func Bernstein(dst, t []float32, order, n, ld int) {
	if order < 0 || order > MaxOrder {
		panic("kernel: Bernstein order out of range")
	}
	if n == 0 {
		return
	}
	checkMatrix(dst, order+1, n, ld)
	var up, down [MaxOrder + 1]float64
	for p, tp := range t[:n] {
		x, y := float64(tp), 1-float64(tp)
		up[0], down[0] = 1, 1
		for i := 1; i <= order; i++ {
			up[i], down[i] = up[i-1]*x, down[i-1]*y
		}
		c := 1.0
		for i := 0; i <= order; i++ {
			dst[i*ld+p] = float32(c * up[i] * down[order-i])
			c = c * float64(order-i) / float64(i+1)
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

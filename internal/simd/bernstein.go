package simd

import "unsafe"

// MaxOrder is the largest order whose binomial coefficients, added up in
// Pascal's triangle, are exact in float64 to the last bits.
const MaxOrder = 64

// binomials is Pascal's triangle, row by row: C(order, i) is at
// [order·(order+1)/2 + i].
var binomials = pascal()

func pascal() *[(MaxOrder + 1) * (MaxOrder + 2) / 2]float64 {
	var c [(MaxOrder + 1) * (MaxOrder + 2) / 2]float64
	at := 0
	for order := range MaxOrder + 1 {
		row := c[at : at+order+1]
		row[0], row[order] = 1, 1
		for i := 1; i < order; i++ {
			row[i] = c[at-order+i-1] + c[at-order+i]
		}
		at += order + 1
	}
	return &c
}

// Bernstein fills dst, [order+1, ld], with the Bernstein polynomials of the
// given order at n points t in [0, 1]:
//
//	dst[i,p] = C(order, i) · t[p]^i · (1 − t[p])^(order−i)
//
// The values are exact at 0 and 1. order is between 0 and [MaxOrder].
func Bernstein(dst, t []float32, order, n, ld int) { active.Bernstein(dst, t, order, n, ld) }

// Bernstein is [Bernstein] on one tier.
func (x *tier) Bernstein(dst, t []float32, order, n, ld int) {
	if order < 0 || order > MaxOrder {
		panic(errOrder)
	}
	if n == 0 {
		return
	}
	checkMatrix(dst, order+1, n, ld)
	t = t[:n]
	row := binomials[order*(order+1)/2:][:order+1]
	if x.bernstein == nil {
		bernsteinGeneric(dst, t, row, order, n, ld)
		return
	}
	x.bernstein(unsafe.SliceData(dst), unsafe.SliceData(t), unsafe.SliceData(row), order, n, ld)
}

// bernsteinGeneric is the reference body of [Bernstein].
func bernsteinGeneric(dst, t []float32, binomials []float64, order, n, ld int) {
	var up, down [MaxOrder + 1]float64
	for p, tp := range t[:n] {
		x, y := float64(tp), 1-float64(tp)
		up[0], down[0] = 1, 1
		for i := 1; i <= order; i++ {
			up[i], down[i] = up[i-1]*x, down[i-1]*y
		}
		for i, c := range binomials[:order+1] {
			dst[i*ld+p] = float32(c * up[i] * down[order-i])
		}
	}
}

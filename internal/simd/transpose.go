package simd

import "unsafe"

// transposeBlock is how many rows and columns [Transpose] takes together.
const transposeBlock = 4

// Transpose writes a matrix with its rows as columns, of m rows of n numbers that are from
// apart, where columns are to apart:
//
//	dst[j·to + i] = src[i·from + j]
func Transpose(dst, src []float32, m, n, to, from int) { active.Transpose(dst, src, m, n, to, from) }

// Transpose is [Transpose] on one tier.
func (t *tier) Transpose(dst, src []float32, m, n, to, from int) {
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(dst, n, m, to)
	checkMatrix(src, m, n, from)
	if t.transpose != nil && min(m, n) >= transposeBlock {
		t.transpose(unsafe.SliceData(dst), unsafe.SliceData(src), m, n, to, from)
		return
	}
	for j := range n {
		for i := range m {
			dst[j*to+i] = src[i*from+j]
		}
	}
}

package dense

import "gonum.org/v1/gonum/blas/blas64"

// Pack returns the lower triangle of a, row after row, n (n + 1)/2 numbers.
func Pack(a blas64.General) []float64 {
	packed := make([]float64, 0, a.Rows*(a.Rows+1)/2)
	for i := range a.Rows {
		packed = append(packed, Row(a, i)[:i+1]...)
	}
	return packed
}

// Unpack returns the lower triangular matrix [n, n] of a packed triangle.
func Unpack(n int, packed []float64) blas64.General {
	if len(packed) != n*(n+1)/2 {
		panic(errShape)
	}
	a := New(n, n)
	for i := range n {
		copy(Row(a, i), packed[i*(i+1)/2:(i+1)*(i+2)/2])
	}
	return a
}

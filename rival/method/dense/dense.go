// Package dense holds products and Cholesky factors of dense matrices, cut into stripes
// that workers share.
//
// gonum's own products take every processor there is, whatever a caller's number of
// workers, and two numbers an instruction. Here both operands of a product are packed into
// panels, which [simd.MulPanels] multiplies in registers. Every sum is made in one order, so
// results do not depend on the number of workers.
//
// Matrices are by rows; of symmetric ones and of lower factors the strict upper
// triangle is neither read nor written unless a function says so.
package dense

import "gonum.org/v1/gonum/blas/blas64"

const errShape = "dense: matrices differ in shape"

// New returns a matrix of zeros.
func New(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: make([]float64, rows*cols)}
}

// View returns the rows [i, i+rows) and columns [j, j+cols) of a, which share its
// memory.
func View(a blas64.General, i, j, rows, cols int) blas64.General {
	view := blas64.General{Rows: rows, Cols: cols, Stride: a.Stride}
	if rows > 0 && cols > 0 {
		view.Data = a.Data[i*a.Stride+j : (i+rows-1)*a.Stride+j+cols]
	}
	return view
}

// Row returns row i of a.
func Row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

// Clear sets a to zeros.
func Clear(a blas64.General) {
	for i := range a.Rows {
		clear(Row(a, i))
	}
}

// Mirror copies the strict lower triangle of a to the upper.
func Mirror(a blas64.General) {
	for i := range a.Rows {
		for j := range i {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
}

// Transpose sets dst to the transposed a.
func Transpose(dst, a blas64.General) {
	if dst.Rows != a.Cols || dst.Cols != a.Rows {
		panic(errShape)
	}
	for i := range a.Rows {
		for j, v := range Row(a, i) {
			dst.Data[j*dst.Stride+i] = v
		}
	}
}

// Dot is Σ a_i b_i.
func Dot(a, b []float64) float64 { return blas64.Dot(vector(a), vector(b)) }

// AddScaled adds alpha x to dst.
func AddScaled(dst []float64, alpha float64, x []float64) {
	blas64.Axpy(alpha, vector(x), vector(dst))
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

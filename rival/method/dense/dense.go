// Package dense holds products and Cholesky factors of dense matrices, cut into tiles
// that workers share.
//
// gonum's own products take every processor there is, whatever a caller's number of
// workers, and its triangular inverse reads by columns. Here every tile is one call of
// gonum on one goroutine, small enough to be serial there, and all inner loops run
// along rows, which is its fastest form. Each tile is computed in one order, so results
// do not depend on the number of workers.
//
// Matrices are by rows; of symmetric ones and of lower factors the strict upper
// triangle is neither read nor written unless a function says so.
package dense

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
)

const errShape = "dense: matrices differ in shape"

const (
	tileRows = 64 // with tileCols below what gonum shares out itself
	tileCols = 128
	depth    = 512 // of a product at a time: a tile's operands stay in the cache
)

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

// part says which tiles of a product there are to compute.
type part int

const (
	whole      part = iota
	lower           // the lower triangle of the result
	leftLower       // the left factor is lower triangular: up to its diagonal
	rightLower      // the right one is
)

// AddMulT adds alpha a bᵀ to c, a [m, k], b [n, k], c [m, n].
func AddMulT(ctx context.Context, workers int, alpha float64, a, b, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, whole)
}

// AddMulTLower is [AddMulT] for the lower triangle of the result (and parts of the
// upper one, beside the diagonal).
func AddMulTLower(ctx context.Context, workers int, alpha float64, a, b, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, lower)
}

// AddLowerMulT is [AddMulT] for a lower triangular, whose upper triangle must be 0.
func AddLowerMulT(ctx context.Context, workers int, alpha float64, a, b, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, leftLower)
}

// AddMulLowerT is [AddMulT] for b lower triangular, whose upper triangle must be 0.
func AddMulLowerT(ctx context.Context, workers int, alpha float64, a, b, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, rightLower)
}

func product(ctx context.Context, workers int, alpha float64, a, b, c blas64.General, p part) error {
	if a.Cols != b.Cols || a.Rows != c.Rows || b.Rows != c.Cols {
		panic(errShape)
	}
	down, across := (c.Rows+tileRows-1)/tileRows, (c.Cols+tileCols-1)/tileCols
	return method.Share(ctx, workers, down*across, func(_, tile int) error {
		i, j := tile/across*tileRows, tile%across*tileCols
		rows, cols, inner := min(tileRows, c.Rows-i), min(tileCols, c.Cols-j), a.Cols
		switch {
		case p == lower && j >= i+rows:
			return nil
		case p == leftLower:
			inner = min(inner, i+rows)
		case p == rightLower:
			inner = min(inner, j+cols)
		}
		for k := 0; k < inner; k += depth {
			size := min(depth, inner-k)
			blas64.Gemm(blas.NoTrans, blas.Trans, alpha, View(a, i, k, rows, size), View(b, j, k, cols, size), 1, View(c, i, j, rows, cols))
		}
		return nil
	})
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

// MulVec sets dst to a x.
func MulVec(dst []float64, a blas64.General, x []float64) {
	for i := range dst {
		dst[i] = Dot(Row(a, i), x)
	}
}

// Dot is Σ a_i b_i.
func Dot(a, b []float64) float64 { return blas64.Dot(vector(a), vector(b)) }

// AddScaled adds alpha x to dst.
func AddScaled(dst []float64, alpha float64, x []float64) {
	blas64.Axpy(alpha, vector(x), vector(dst))
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

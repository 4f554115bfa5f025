package dense

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// ErrIndefinite says that a matrix has no Cholesky factor.
var ErrIndefinite = errors.New("not positive definite")

// corner is the size of triangles that one goroutine factorises and inverts row by row.
const corner = 64

// Cholesky replaces the lower triangle of a by L, a = L Lᵀ, block column by block
// column, each less the product of those before it; above the diagonal of its corners it
// writes zeros. It fails with [ErrIndefinite], or with ctx's error, and leaves a half
// done then.
func Cholesky(ctx context.Context, workers int, a blas64.General) error {
	n := a.Rows
	inverse, copied := New(corner, corner), New(max(0, n-corner), corner)
	for k := 0; k < n; k += corner {
		w := min(corner, n-k)
		if err := AddMul(ctx, workers, -1, Whole(View(a, k, 0, n-k, k)), Whole(View(a, k, 0, w, k)).T(), View(a, k, k, n-k, w)); err != nil {
			return err
		}
		own, left := View(a, k, k, w, w), n-k-w
		if _, ok := lapack64.Potrf(blas64.Symmetric{N: w, Stride: own.Stride, Data: own.Data, Uplo: blas.Lower}); !ok {
			return fmt.Errorf("%w at rows %d to %d", ErrIndefinite, k+1, k+w)
		}
		for i := range w {
			clear(Row(own, i)[i+1:]) // where the product has been
		}
		if left == 0 {
			return nil
		}
		// What is below is divided by Lᵀ of the corner.
		below, from := View(a, k+w, k, left, w), View(copied, 0, 0, left, w)
		for i := range left {
			row := Row(below, i)
			copy(Row(from, i), row)
			clear(row)
		}
		invert(View(inverse, 0, 0, w, w), own)
		if err := AddMul(ctx, workers, 1, Whole(from), Lower(inverse).T(), below); err != nil {
			return err
		}
	}
	return nil
}

// invert sets w to L⁻¹ for L the lower triangle of l, row by row:
// row i is (e_i − Σ_{j<i} L_ij row j)/L_ii.
func invert(w, l blas64.General) {
	for i := range l.Rows {
		row, factors := Row(w, i), Row(l, i)
		clear(row)
		for j, v := range factors[:i] {
			AddScaled(row[:j+1], -v, Row(w, j)[:j+1])
		}
		for j := range i {
			row[j] /= factors[i]
		}
		row[i] = 1 / factors[i]
	}
}

// Inverse sets w to L⁻¹, lower triangular, zeros above, for L the lower triangle of l:
//
//	[A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹ B A⁻¹ C⁻¹]
func Inverse(ctx context.Context, workers int, w, l blas64.General) error {
	n := l.Rows
	if w.Rows != n || w.Cols != n {
		panic(errShape)
	}
	if n <= corner {
		invert(w, l)
		return nil
	}
	half := (n/2 + corner - 1) / corner * corner
	rest := n - half
	first, last := View(w, 0, 0, half, half), View(w, half, half, rest, rest)
	if err := Inverse(ctx, workers, first, View(l, 0, 0, half, half)); err != nil {
		return err
	}
	if err := Inverse(ctx, workers, last, View(l, half, half, rest, rest)); err != nil {
		return err
	}
	Clear(View(w, 0, half, half, rest))
	for j := 0; j < half; j += depth { // by pieces: B A⁻¹ whole would take memory
		cols := min(depth, half-j)
		cross, below := New(rest, cols), View(w, half, j, rest, cols)
		err := AddMul(ctx, workers, 1, Whole(View(l, half, j, rest, half-j)), Whole(View(w, j, j, half-j, cols)), cross)
		if err != nil {
			return err
		}
		Clear(below)
		if err := AddMul(ctx, workers, -1, Lower(last), Whole(cross), below); err != nil {
			return err
		}
	}
	return nil
}

// most is the largest jitter tried.
const most = 1e-3

// Factorise sets l to the factor of a + jitter·scale on the diagonal. jitter is first,
// then 1e-8 or ten times the last until there is a factor, 1e-3 at most; it is
// returned. a and l must not overlap.
func Factorise(ctx context.Context, workers int, l, a blas64.General, scale, first float64) (jitter float64, err error) {
	for jitter = first; ; jitter = max(1e-8, 10*jitter) {
		for i := range a.Rows {
			copy(Row(l, i)[:i+1], Row(a, i)[:i+1])
			clear(Row(l, i)[i+1:])
			l.Data[i*l.Stride+i] += jitter * scale
		}
		err = Cholesky(ctx, workers, l)
		if !errors.Is(err, ErrIndefinite) {
			return jitter, err
		}
		if jitter >= most {
			return jitter, fmt.Errorf("%w, even with %g of its diagonal added", err, jitter)
		}
	}
}

// Solve replaces b [rows, n] by b L⁻ᵀ: every row by the solution of L s = row.
func Solve(ctx context.Context, l, b blas64.General) error {
	for k := 0; k < l.Rows; k += corner {
		size := min(corner, l.Rows-k)
		own := View(b, 0, k, b.Rows, size)
		if err := AddMul(ctx, 1, -1, Whole(View(b, 0, 0, b.Rows, k)), Whole(View(l, k, 0, size, k)).T(), own); err != nil {
			return err
		}
		blas64.Trsm(blas.Right, blas.Trans, 1, triangular(View(l, k, k, size, size)), own)
	}
	return nil
}

// SolveVec replaces x by L⁻¹ x.
func SolveVec(l blas64.General, x []float64) { blas64.Trsv(blas.NoTrans, triangular(l), vector(x)) }

// SolveVecT replaces x by L⁻ᵀ x.
func SolveVecT(l blas64.General, x []float64) { blas64.Trsv(blas.Trans, triangular(l), vector(x)) }

// LogDeterminant returns log |L Lᵀ|.
func LogDeterminant(l blas64.General) float64 {
	var sum float64
	for i := range l.Rows {
		sum += 2 * math.Log(l.Data[i*l.Stride+i])
	}
	return sum
}

func triangular(l blas64.General) blas64.Triangular {
	return blas64.Triangular{N: l.Rows, Stride: l.Stride, Data: l.Data, Uplo: blas.Lower, Diag: blas.NonUnit}
}

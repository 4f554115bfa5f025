package dense

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"beziergp/rival/method"
)

// ErrIndefinite says that a matrix has no Cholesky factor.
var ErrIndefinite = errors.New("not positive definite")

// Cholesky replaces the lower triangle of a by L, a = L Lᵀ, block column by block
// column, each less the product of those before it; above the diagonal of its tiles it
// writes zeros. It fails with [ErrIndefinite], or with ctx's error, and leaves a half
// done then.
func Cholesky(ctx context.Context, workers int, a blas64.General) error {
	n := a.Rows
	for k := 0; k < n; k += tileRows {
		w := min(tileRows, n-k)
		err := method.Blocks(ctx, workers, n-k, tileRows, func(_, from, to int) error {
			rows := to - from
			return AddMulT(ctx, 1, -1, View(a, k+from, 0, rows, k), View(a, k, 0, w, k), View(a, k+from, k, rows, w))
		})
		if err != nil {
			return err
		}
		corner := View(a, k, k, w, w)
		if _, ok := lapack64.Potrf(blas64.Symmetric{N: w, Stride: corner.Stride, Data: corner.Data, Uplo: blas.Lower}); !ok {
			return fmt.Errorf("%w at rows %d to %d", ErrIndefinite, k+1, k+w)
		}
		for i := range w {
			clear(Row(corner, i)[i+1:]) // where the product of whole tiles has been
		}
		err = method.Blocks(ctx, workers, n-k-w, tileRows, func(_, from, to int) error {
			solveRight(corner, View(a, k+w+from, k, to-from, w))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// solveRight replaces b by b L⁻ᵀ, L the lower triangle of corner.
func solveRight(corner, b blas64.General) {
	blas64.Trsm(blas.Right, blas.Trans, 1, triangle(corner), b)
}

// InverseT sets w to L⁻ᵀ, upper triangular, zeros below, for L the lower triangle of
// l. Its block rows solve W Lᵀ = 1 each for itself.
func InverseT(ctx context.Context, workers int, w, l blas64.General) error {
	n := l.Rows
	if w.Rows != n || w.Cols != n {
		panic(errShape)
	}
	return method.Blocks(ctx, workers, n, tileRows, func(_, from, to int) error {
		rows := to - from
		Clear(View(w, from, 0, rows, n))
		for i := from; i < to; i++ {
			w.Data[i*w.Stride+i] = 1
		}
		for k := from; k < n; k += tileRows {
			size := min(tileRows, n-k)
			own := View(w, from, k, rows, size)
			err := AddMulT(ctx, 1, -1, View(w, from, from, rows, k-from), View(l, k, from, size, k-from), own)
			if err != nil {
				return err
			}
			solveRight(View(l, k, k, size, size), own)
		}
		return nil
	})
}

// most is the largest jitter tried.
const most = 1e-3

// Factor sets l to the factor of a + jitter·scale on the diagonal. jitter is first,
// then 1e-8 or ten times the last until there is a factor, 1e-3 at most; it is
// returned. a and l must not overlap.
func Factor(ctx context.Context, workers int, l, a blas64.General, scale, first float64) (jitter float64, err error) {
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
	for k := 0; k < l.Rows; k += tileRows {
		size := min(tileRows, l.Rows-k)
		own := View(b, 0, k, b.Rows, size)
		if err := AddMulT(ctx, 1, -1, View(b, 0, 0, b.Rows, k), View(l, k, 0, size, k), own); err != nil {
			return err
		}
		solveRight(View(l, k, k, size, size), own)
	}
	return nil
}

// SolveVec replaces x by L⁻¹ x.
func SolveVec(l blas64.General, x []float64) { blas64.Trsv(blas.NoTrans, triangle(l), vector(x)) }

// SolveVecT replaces x by L⁻ᵀ x.
func SolveVecT(l blas64.General, x []float64) { blas64.Trsv(blas.Trans, triangle(l), vector(x)) }

// LogDeterminant returns log |L Lᵀ|.
func LogDeterminant(l blas64.General) float64 {
	var sum float64
	for i := range l.Rows {
		sum += 2 * math.Log(l.Data[i*l.Stride+i])
	}
	return sum
}

func triangle(l blas64.General) blas64.Triangular {
	return blas64.Triangular{N: l.Rows, Stride: l.Stride, Data: l.Data, Uplo: blas.Lower, Diag: blas.NonUnit}
}

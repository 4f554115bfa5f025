package dense

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func random(r *rand.Rand, rows, cols int) blas64.General {
	a := New(rows, cols)
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	return a
}

func dense(a blas64.General) *mat.Dense { return mat.NewDense(a.Rows, a.Cols, slices.Clone(a.Data)) }

func close(t *testing.T, what string, got blas64.General, want mat.Matrix, within func(i, j int) bool) {
	t.Helper()
	for i := range got.Rows {
		for j, v := range Row(got, i) {
			if w := want.At(i, j); within(i, j) && !(math.Abs(v-w) <= 1e-9*(1+math.Abs(w))) {
				t.Fatalf("%s[%d, %d] = %g, want %g", what, i, j, v, w)
			}
		}
	}
}

func all(int, int) bool     { return true }
func lowerOf(i, j int) bool { return j <= i }

// Sizes on either side of the tiles' and of the depth.
func TestProductsAgreeWithGonum(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 0))
	for _, size := range [][3]int{{1, 1, 1}, {3, 5, 0}, {64, 128, 512}, {65, 129, 513}, {130, 40, 600}} {
		m, n, k := size[0], size[1], size[2]
		a, b, c := random(r, m, k), random(r, n, k), random(r, m, n)
		var want mat.Dense
		if k > 0 {
			want.Mul(dense(a), dense(b).T())
			want.Scale(-2, &want)
			want.Add(&want, dense(c))
		} else {
			want.CloneFrom(dense(c))
		}
		if err := AddMulT(ctx, 2, -2, a, b, c); err != nil {
			t.Fatal(err)
		}
		close(t, fmt.Sprint(size), c, &want, all)
	}
	n := 150
	a, b := random(r, n, n), random(r, 70, n)
	var square mat.Dense
	square.Mul(dense(a), dense(a).T())
	c := New(n, n)
	if err := AddMulTLower(ctx, 2, 1, a, a, c); err != nil {
		t.Fatal(err)
	}
	close(t, "lower", c, &square, lowerOf)
	Mirror(c)
	close(t, "mirrored", c, &square, all)
	for i := range n {
		clear(Row(a, i)[i+1:])
	}
	var want mat.Dense
	want.Mul(dense(a), dense(b).T())
	c = New(n, 70)
	if err := AddLowerMulT(ctx, 2, 1, a, b, c); err != nil {
		t.Fatal(err)
	}
	close(t, "left lower", c, &want, all)
	c = New(70, n)
	if err := AddMulLowerT(ctx, 2, 1, b, a, c); err != nil {
		t.Fatal(err)
	}
	close(t, "right lower", c, want.T(), all)
}

func TestCholeskyAndInverse(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(2, 0))
	for _, n := range []int{1, 2, 63, 64, 65, 200} {
		root := random(r, n, n)
		var a mat.Dense
		a.Mul(dense(root), dense(root).T())
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range n {
				sym.SetSym(i, j, a.At(i, j)+map[bool]float64{true: float64(n)}[i == j])
			}
		}
		var want mat.Cholesky
		want.Factorize(sym)
		var factor, inverse mat.TriDense
		want.LTo(&factor)
		inverse.InverseTri(&factor)
		from := New(n, n)
		copy(from.Data, mat.DenseCopyOf(sym).RawMatrix().Data)
		results := map[int][]float64{}
		for _, workers := range []int{1, 3} {
			l, w := New(n, n), New(n, n)
			if jitter, err := Factor(ctx, workers, l, from, 1, 0); err != nil || jitter != 0 {
				t.Fatal(jitter, err)
			}
			close(t, "L", l, &factor, all)
			if err := InverseT(ctx, workers, w, l); err != nil {
				t.Fatal(err)
			}
			close(t, "L⁻ᵀ", w, inverse.T(), all)
			results[workers] = append(l.Data, w.Data...)
		}
		if !slices.Equal(results[1], results[3]) {
			t.Error("the factor depends on the number of workers")
		}
	}
}

func TestFactorRaisesJitterOrFails(t *testing.T) {
	ctx := context.Background()
	a, l := New(80, 80), New(80, 80)
	for i := range a.Data {
		a.Data[i] = 4 // rank 1
	}
	jitter, err := Factor(ctx, 1, l, a, 4, 0)
	if err != nil || !(jitter >= 1e-8 && jitter < 1e-3) {
		t.Errorf("jitter %g, %v", jitter, err)
	}
	a.Data[79*80+79] = -1
	if _, err := Factor(ctx, 1, l, a, 4, 0); !errors.Is(err, ErrIndefinite) {
		t.Errorf("a negative diagonal: %v", err)
	}
	a.Data[0] = math.NaN()
	if _, err := Factor(ctx, 1, l, a, 4, 0); !errors.Is(err, ErrIndefinite) {
		t.Errorf("NaN: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Factor(ctx, 1, l, a, 4, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

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

// triangleOf returns a copy of a, a square, without what is above its diagonal.
func triangleOf(a blas64.General) blas64.General {
	l := New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(Row(l, i)[:i+1], Row(a, i))
	}
	return l
}

// Sizes on either side of stripes, panels and the depth; views, so that strides are not widths.
func TestProductsAgreeWithGonum(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 0))
	for _, size := range [][3]int{{1, 1, 1}, {3, 5, 0}, {0, 2, 2}, {64, 128, 512}, {65, 129, 513}, {130, 40, 600}, {7, 23, 31}, {9, 25, 33}} {
		m, n, k := size[0], size[1], size[2]
		for _, turned := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			part := func(rows, cols int, turn bool) (Factor, mat.Matrix) {
				if turn {
					rows, cols = cols, rows
				}
				a := View(random(r, rows+2, cols+3), 1, 2, rows, cols)
				f, d := Whole(a), mat.NewDense(max(1, rows), max(1, cols), nil)
				for i := range rows * min(cols, 1) {
					d.SetRow(i, Row(a, i))
				}
				if turn {
					return f.T(), d.T()
				}
				return f, d
			}
			a, left := part(m, k, turned[0])
			b, right := part(k, n, turned[1])
			results := map[int][]float64{}
			start := random(r, m+1, n+1)
			for _, workers := range []int{1, 3} {
				whole := blas64.General{Rows: m + 1, Cols: n + 1, Stride: n + 1, Data: slices.Clone(start.Data)}
				c := View(whole, 0, 0, m, n)
				if err := AddMul(ctx, workers, -2, a, b, c); err != nil {
					t.Fatal(err)
				}
				results[workers] = whole.Data
				if m == 0 {
					continue
				}
				var want mat.Dense
				if k > 0 {
					want.Mul(left, right)
				} else {
					want = *mat.NewDense(m, n, nil)
				}
				want.Scale(-2, &want)
				want.Add(&want, dense(start).Slice(0, m, 0, n))
				close(t, fmt.Sprint(size, turned), c, &want, all)
				for i := range m + 1 {
					if whole.Data[i*(n+1)+n] != start.Data[i*(n+1)+n] {
						t.Fatalf("%v: wrote beside the matrix", size)
					}
				}
			}
			if !slices.Equal(results[1], results[3]) {
				t.Errorf("%v: the product depends on the number of workers", size)
			}
		}
	}
}

func TestProductsOfTriangles(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(3, 0))
	for _, n := range []int{1, 30, 150, 600} {
		l, other, full := triangleOf(random(r, n, n)), triangleOf(random(r, n, n)), random(r, n, n)
		for what, c := range map[string]struct {
			a, b        Factor
			left, right mat.Matrix
		}{
			"L B":   {Lower(l), Whole(full), dense(l), dense(full)},
			"Lᵀ B":  {Lower(l).T(), Whole(full), dense(l).T(), dense(full)},
			"B L":   {Whole(full), Lower(l), dense(full), dense(l)},
			"B Lᵀ":  {Whole(full), Lower(l).T(), dense(full), dense(l).T()},
			"Bᵀ Lᵀ": {Whole(full).T(), Lower(l).T(), dense(full).T(), dense(l).T()},
			"L L":   {Lower(l), Lower(other), dense(l), dense(other)},
			"Lᵀ L":  {Lower(l).T(), Lower(other), dense(l).T(), dense(other)},
			"L Lᵀ":  {Lower(l), Lower(other).T(), dense(l), dense(other).T()},
		} {
			var want mat.Dense
			want.Mul(c.left, c.right)
			got, below := New(n, n), New(n, n)
			if err := errors.Join(AddMul(ctx, 2, 1, c.a, c.b, got), AddMulLower(ctx, 2, 1, c.a, c.b, below)); err != nil {
				t.Fatal(err)
			}
			close(t, fmt.Sprint(what, n), got, &want, all)
			close(t, fmt.Sprint(what, n, " lower"), below, &want, lowerOf)
			if n == 600 && below.Data[n-1] != 0 {
				t.Errorf("%s: the corner above is computed", what)
			}
			Mirror(below)
			if below.Data[n-1] != below.Data[(n-1)*n] {
				t.Errorf("%s: not mirrored", what)
			}
		}
	}
}

func TestProductsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := New(3, 3)
	if err := AddMul(ctx, 1, 1, Whole(a), Whole(a), New(3, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
			if jitter, err := Factorise(ctx, workers, l, from, 1, 0); err != nil || jitter != 0 {
				t.Fatal(jitter, err)
			}
			close(t, "L", l, &factor, all)
			if err := Inverse(ctx, workers, w, l); err != nil {
				t.Fatal(err)
			}
			close(t, "L⁻¹", w, &inverse, all)
			results[workers] = append(l.Data, w.Data...)
		}
		if !slices.Equal(results[1], results[3]) {
			t.Error("the factor depends on the number of workers")
		}
	}
}

func TestFactoriseRaisesJitterOrFails(t *testing.T) {
	ctx := context.Background()
	a, l := New(80, 80), New(80, 80)
	for i := range a.Data {
		a.Data[i] = 4 // rank 1
	}
	jitter, err := Factorise(ctx, 1, l, a, 4, 0)
	if err != nil || !(jitter >= 1e-8 && jitter < 1e-3) {
		t.Errorf("jitter %g, %v", jitter, err)
	}
	a.Data[79*80+79] = -1
	if _, err := Factorise(ctx, 1, l, a, 4, 0); !errors.Is(err, ErrIndefinite) {
		t.Errorf("a negative diagonal: %v", err)
	}
	a.Data[0] = math.NaN()
	if _, err := Factorise(ctx, 1, l, a, 4, 0); !errors.Is(err, ErrIndefinite) {
		t.Errorf("NaN: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Factorise(ctx, 1, l, a, 4, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

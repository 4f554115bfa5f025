package krylov

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"beziergp/internal/testkit"
	"beziergp/rival/method/dense"
)

// sample is a covariance of points on a line with noise, and U Uᵀ near its part
// without.
func sample(n, rank int, noise float64) (k *mat.SymDense, u blas64.General) {
	k, u = mat.NewSymDense(n, nil), dense.New(n, rank)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, math.Exp(-math.Pow(float64(i-j)/20, 2)))
		}
	}
	// Nyström's, of rows that are evenly spread.
	pivot := func(c int) int { return c * n / rank }
	own := mat.NewSymDense(max(1, rank), nil)
	for c := range rank {
		for e := range c + 1 {
			own.SetSym(c, e, k.At(pivot(c), pivot(e)))
		}
		own.SetSym(c, c, own.At(c, c)+1e-3)
	}
	var chol mat.Cholesky
	var l mat.TriDense
	if rank > 0 && chol.Factorize(own) {
		chol.LTo(&l)
		for i := range n {
			row := mat.NewVecDense(rank, nil)
			for c := range rank {
				row.SetVec(c, k.At(i, pivot(c)))
			}
			if err := row.SolveVec(&l, row); err != nil {
				panic(err)
			}
			copy(dense.Row(u, i), row.RawVector().Data)
		}
	}
	for i := range n {
		k.SetSym(i, i, k.At(i, i)+noise)
	}
	return k, u
}

func newSystem(t *testing.T, k *mat.SymDense, u blas64.General, noise float64, workers int) *System {
	t.Helper()
	pre, err := NewLowRank(context.Background(), workers, u, noise)
	if err != nil {
		t.Fatal(err)
	}
	return &System{context.Background(), workers, func(dst, x blas64.General) error {
		var out mat.Dense
		out.Mul(k, mat.NewDense(x.Rows, x.Cols, x.Data))
		copy(dst.Data, out.RawMatrix().Data)
		return nil
	}, pre}
}

func normals(seed uint64, rows, cols int) blas64.General {
	a, r := dense.New(rows, cols), rand.New(rand.NewPCG(seed, 0))
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	return a
}

func TestSolutionIsCholeskys(t *testing.T) {
	for _, n := range []int{1, 30, 900} {
		for _, rank := range []int{0, min(n, 15)} {
			const noise = 0.05
			k, u := sample(n, rank, noise)
			b := normals(1, n, 3)
			clear3(b)
			got, err := newSystem(t, k, u, noise, 2).Solve(b, 1e-10, 500)
			if err != nil {
				t.Fatal(err)
			}
			if got.Residual > 1e-10 {
				t.Errorf("%d rows, rank %d: residual %g after %d steps", n, rank, got.Residual, got.Steps)
			}
			var chol mat.Cholesky
			chol.Factorize(k)
			var want mat.Dense
			if err := chol.SolveTo(&want, mat.NewDense(n, 3, b.Data)); err != nil {
				t.Fatal(err)
			}
			for i, v := range got.X.Data {
				testkit.Close(t, fmt.Sprint(n, " rows, value ", i), v, want.At(i/3, i%3), 1e-7, 1e-7)
			}
		}
	}
}

// clear3 makes the last column one of nothing.
func clear3(b blas64.General) {
	for i := range b.Rows {
		b.Data[i*b.Stride+2] = 0
	}
}

func TestPreconditionerIsItsMatrix(t *testing.T) {
	const n, k, noise = 40, 5, 0.3
	u := normals(2, n, k)
	p, err := NewLowRank(context.Background(), 2, u, noise)
	if err != nil {
		t.Fatal(err)
	}
	whole := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			whole.SetSym(i, j, dense.Dot(dense.Row(u, i), dense.Row(u, j)))
		}
		whole.SetSym(i, i, whole.At(i, i)+noise)
	}
	var chol mat.Cholesky
	chol.Factorize(whole)
	testkit.Close(t, "log |P|", p.LogDeterminant(), chol.LogDet(), 1e-11, 0)
	b, z := normals(3, n, 2), dense.New(n, 2)
	if err := p.Solve(context.Background(), 2, z, b); err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	if err := chol.SolveTo(&want, mat.NewDense(n, 2, b.Data)); err != nil {
		t.Fatal(err)
	}
	for i, v := range z.Data {
		testkit.Close(t, "P⁻¹ b", v, want.At(i/2, i%2), 1e-10, 1e-10)
	}
	// U a + σ b has the covariance P: unit vectors in the place of normal ones.
	all := dense.New(n, k+n)
	a, e := dense.New(k, k+n), dense.New(n, k+n)
	for i := range k {
		dense.Row(a, i)[i] = 1
	}
	for i := range n {
		dense.Row(e, i)[k+i] = 1
	}
	p.Draw(all, a, e)
	for i := range n {
		testkit.Close(t, "covariance of draws", dense.Dot(dense.Row(all, i), dense.Row(all, 3)), whole.At(i, 3), 1e-12, 0)
	}
}

// bᵀ P^−½ log(P^−½ K P^−½) P^−½ b by eigenvectors, one column after the other, and the
// determinant by all columns of P's root.
func TestQuadratureIsTheLogarithm(t *testing.T) {
	const n, noise = 60, 0.1
	k, u := sample(n, 6, noise)
	s := newSystem(t, k, u, noise, 2)
	root := dense.New(n, 6+n)
	a, e := dense.New(6, 6+n), dense.New(n, 6+n)
	for i := range 6 {
		dense.Row(a, i)[i] = 1
	}
	for i := range n {
		dense.Row(e, i)[6+i] = 1
	}
	s.Pre.Draw(root, a, e)
	got, err := s.Solve(root, 1e-11, 200)
	if err != nil {
		t.Fatal(err)
	}
	sum := s.Pre.LogDeterminant()
	for c := range got.Lanczos {
		sum += got.Lanczos[c].Log()
	}
	var chol mat.Cholesky
	chol.Factorize(k)
	testkit.Close(t, "log |K|", sum, chol.LogDet(), 1e-6, 1e-6)
}

func TestWorkersChangeNothing(t *testing.T) {
	const n, noise = 2500, 0.2 // several blocks
	u, b := normals(4, n, 3), normals(5, n, 2)
	var first []float64
	for _, workers := range []int{1, 3} {
		pre, err := NewLowRank(context.Background(), workers, u, noise)
		if err != nil {
			t.Fatal(err)
		}
		s := &System{context.Background(), workers, func(dst, x blas64.General) error {
			for i, v := range x.Data {
				dst.Data[i] = (1 + float64(i%7)) * v
			}
			return nil
		}, pre}
		got, err := s.Solve(b, 1e-6, 100)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got.X.Data
		} else if !slices.Equal(first, got.X.Data) {
			t.Error("the solution depends on the number of workers")
		}
	}
}

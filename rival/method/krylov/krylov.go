// Package krylov solves systems with a symmetric positive definite matrix that is only
// known by its products, and measures its determinant: conjugate gradients with a
// preconditioner, for several right sides at once, and the quadrature that they pay for.
package krylov

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

const errShape = "krylov: rows or columns differ in number"

// System is a matrix K̂ [n, n] and its preconditioner P.
type System struct {
	Context context.Context
	Workers int
	Mul     func(dst, x blas64.General) error // dst = K̂ x, both [n, c]
	Pre     *LowRank
}

// Solution is x [n, c] with K̂ x = b but for the residual.
type Solution struct {
	X        blas64.General
	Residual float64   // the largest ‖b − K̂ x‖/‖b‖ of a column
	Steps    int       // that were made
	Lanczos  []Lanczos // of the columns
}

// Lanczos is the tridiagonal matrix that conjugate gradients make of P^−½ K̂ P^−½, begun
// at P^−½ b.
type Lanczos struct {
	Diag, Off []float64
	Norm      float64 // bᵀ P⁻¹ b
}

// least is how many steps a column makes at least if there are so many, for the
// quadrature.
const least = 10

// Solve solves for all columns of b [n, c], each to a residual of tolerance relative
// to b, by at most so many steps. Columns do not touch each other.
func (s *System) Solve(b blas64.General, tolerance float64, most int) (*Solution, error) {
	n, cols := b.Rows, b.Cols
	out := &Solution{X: dense.New(n, cols), Lanczos: make([]Lanczos, cols)}
	r, z, p, q := dense.New(n, cols), dense.New(n, cols), dense.New(n, cols), dense.New(n, cols)
	copy(r.Data, b.Data)
	size, err := s.dots(b, b)
	if err != nil {
		return nil, err
	}
	if err := s.Pre.Solve(s.Context, s.Workers, z, r); err != nil {
		return nil, err
	}
	copy(p.Data, z.Data)
	rz, err := s.dots(r, z)
	if err != nil {
		return nil, err
	}
	for c := range cols {
		out.Lanczos[c].Norm = rz[c]
	}
	alpha, beta := make([]float64, cols), make([]float64, cols)
	live := make([]bool, cols)
	for c := range live {
		live[c] = size[c] > 0
	}
	for ; out.Steps < most && some(live); out.Steps++ {
		if err := s.Mul(q, p); err != nil {
			return nil, err
		}
		pq, err := s.dots(p, q)
		if err != nil {
			return nil, err
		}
		for c := range alpha {
			if live[c] = live[c] && pq[c] > 0 && rz[c] > 0; !live[c] {
				alpha[c] = 0
				continue
			}
			next := rz[c] / pq[c]
			out.Lanczos[c].add(alpha[c], beta[c], next)
			alpha[c] = next
		}
		if err := s.rows(n, func(i int) {
			x, res, dir, im := dense.Row(out.X, i), dense.Row(r, i), dense.Row(p, i), dense.Row(q, i)
			for c, a := range alpha {
				x[c] += a * dir[c]
				res[c] -= a * im[c]
			}
		}); err != nil {
			return nil, err
		}
		rr, err := s.dots(r, r)
		if err != nil {
			return nil, err
		}
		out.Residual = 0
		for c := range rr {
			if size[c] == 0 {
				continue
			}
			relative := math.Sqrt(rr[c] / size[c])
			out.Residual = max(out.Residual, relative)
			// Below the digits of float64 nothing more is to be had.
			live[c] = live[c] && (relative > tolerance || out.Steps+1 < least) && relative > 1e-12
		}
		if err := s.Pre.Solve(s.Context, s.Workers, z, r); err != nil {
			return nil, err
		}
		next, err := s.dots(r, z)
		if err != nil {
			return nil, err
		}
		for c := range beta {
			if beta[c] = 0; live[c] {
				beta[c] = next[c] / rz[c]
			}
			rz[c] = next[c]
		}
		if err := s.rows(n, func(i int) {
			dir, pre := dense.Row(p, i), dense.Row(z, i)
			for c, b := range beta {
				dir[c] = pre[c] + b*dir[c]
			}
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// add appends a step of length alpha after one of length before and with the share beta
// of its direction (Saad, Iterative Methods for Sparse Linear Systems, 2003, section 6.7.3).
func (l *Lanczos) add(before, beta, alpha float64) {
	if len(l.Diag) == 0 {
		l.Diag = append(l.Diag, 1/alpha)
		return
	}
	l.Diag = append(l.Diag, 1/alpha+beta/before)
	l.Off = append(l.Off, math.Sqrt(beta)/before)
}

// Log returns bᵀ P^−½ log(P^−½ K̂ P^−½) P^−½ b by the quadrature of Gauss (Golub and
// Meurant, Matrices, Moments and Quadrature, 2010, section 3.1). With b ~ N(0, P) its
// mean is log |K̂| − log |P| (Ubaru, Chen and Saad 2017).
func (l *Lanczos) Log() float64 {
	k := len(l.Diag)
	if k == 0 {
		return 0
	}
	values, off, vectors := append([]float64{}, l.Diag...), append([]float64{}, l.Off...), make([]float64, k*k)
	if off == nil {
		off = []float64{}
	}
	ok := gonum.Implementation{}.Dsteqr(lapack.EVTridiag, k, values, off, vectors, k, make([]float64, max(1, 2*k-2)))
	if !ok {
		return math.NaN()
	}
	var sum float64
	for i, v := range values {
		sum += vectors[i] * vectors[i] * math.Log(v)
	}
	return l.Norm * sum
}

// dots returns Σ_i a_ic b_ic of every column.
func (s *System) dots(a, b blas64.General) ([]float64, error) {
	return dots(s.Context, s.Workers, a, b)
}

func dots(ctx context.Context, workers int, a, b blas64.General) ([]float64, error) {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		panic(errShape)
	}
	parts := dense.New((a.Rows+block-1)/block, a.Cols)
	err := method.Blocks(ctx, workers, a.Rows, block, func(_, from, to int) error {
		sum := dense.Row(parts, from/block)
		for i := from; i < to; i++ {
			x, y := dense.Row(a, i), dense.Row(b, i)
			for c, v := range x {
				sum[c] += v * y[c]
			}
		}
		return nil
	})
	out := make([]float64, a.Cols)
	for i := range parts.Rows {
		dense.AddScaled(out, 1, dense.Row(parts, i))
	}
	return out, err
}

// block is how many rows a worker takes at once.
const block = 1024

func (s *System) rows(n int, task func(i int)) error {
	return method.Blocks(s.Context, s.Workers, n, block, func(_, from, to int) error {
		for i := from; i < to; i++ {
			task(i)
		}
		return nil
	})
}

func some(live []bool) bool {
	for _, v := range live {
		if v {
			return true
		}
	}
	return false
}

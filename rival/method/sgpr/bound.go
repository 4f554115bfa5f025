package sgpr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

const (
	block  = 256 // rows whose covariances with the inducing points are held at a time
	chunks = 8   // sums over rows that are made in parallel: their number is part of the result
)

// bound is Titsias' collapsed bound as a function of parameters and inducing points,
// and what its last call left behind. With K_uu + jitter = L Lᵀ, A = L⁻¹ K_uf, r = y − m,
// Φ = A Aᵀ, b = A r, B = 1 + Φ/σ² and β = B⁻¹ b/σ² it is
//
//	F = −n/2 log 2πσ² − ½ log|B| − rᵀr/2σ² + bᵀβ/2σ² − (n v − tr Φ)/2σ²
//
// (Titsias, Variational learning of inducing variables in sparse Gaussian processes,
// AISTATS 2009, equation 9, with the determinant and the inverse of Q + σ² by B).
type bound struct {
	ctx     context.Context
	workers int
	data    method.Data
	first   float64 // jitter relative to v, to begin with

	inverse blas64.General // L⁻¹
	mean    []float64      // β
	root    blas64.General // L_B⁻¹, B = L_B L_Bᵀ
}

// value returns the bound at h and z [M, d]. Unless g is nil it adds the gradient to g
// and, unless dz is nil too, that with respect to z to dz [M, d].
func (b *bound) value(h *covariance.Hyper, z []float64, g *covariance.HyperGradient, dz []float64) (float64, error) {
	p, err := inducing.NewPrior(b.ctx, b.workers, &h.Kernel, z, b.first)
	if err != nil {
		return 0, err
	}
	m, n, s := p.Points.N, float64(b.data.Rows()), h.Noise
	b.inverse = p.Inverse
	phi, projected, squares, err := b.sums(h, p)
	if err != nil {
		return 0, err
	}

	full, l := dense.New(m, m), dense.New(m, m) // B and L_B
	var trace float64                           // of Φ
	for i := range m {
		row := dense.Row(full, i)[:i+1]
		dense.AddScaled(row, 1/s, dense.Row(phi, i)[:i+1])
		row[i]++
		trace += phi.Data[i*m+i]
		copy(dense.Row(l, i), row)
	}
	dense.Mirror(full)
	if err := dense.Cholesky(b.ctx, b.workers, l); err != nil {
		return 0, fmt.Errorf("precision of %d inducing points: %w; take fewer of them", m, err)
	}
	b.mean = append([]float64(nil), projected...)
	dense.SolveVec(l, b.mean)
	fitted := dense.Dot(b.mean, b.mean) // bᵀ B⁻¹ b
	dense.SolveVecT(l, b.mean)
	for i := range b.mean {
		b.mean[i] /= s
	}
	b.root = dense.New(m, m)
	if err := dense.Inverse(b.ctx, b.workers, b.root, l); err != nil {
		return 0, err
	}

	value := -n/2*math.Log(2*math.Pi*s) - dense.LogDeterminant(l)/2 - squares/(2*s) + fitted/(2*s*s) - (n*h.Variance-trace)/(2*s)
	if g == nil {
		return value, nil
	}
	g.Noise += (n*h.Variance - trace) / (2 * s * s)
	g.LogVariance -= n * h.Variance / (2 * s)
	return value, b.gradient(h, p, full, g, dz)
}

// scratch is a worker's.
type scratch struct{ values, slopes, other blas64.General }

func newScratch(m int) *scratch {
	return &scratch{dense.New(block, m), dense.New(block, m), dense.New(block, m)}
}

// each calls visit for blocks of rows: those of a chunk in order on one worker, chunks
// in parallel.
func (b *bound) each(m int, visit func(s *scratch, chunk, from, to int) error) error {
	rows := b.data.Rows()
	size := ((rows+block-1)/block + chunks - 1) / chunks * block
	all := make([]*scratch, b.workers)
	return method.Blocks(b.ctx, b.workers, rows, size, func(worker, from, to int) error {
		if all[worker] == nil {
			all[worker] = newScratch(m)
		}
		for at := from; at < to; at += block {
			if err := b.ctx.Err(); err != nil {
				return err
			}
			if err := visit(all[worker], from/size, at, min(at+block, to)); err != nil {
				return err
			}
		}
		return nil
	})
}

// sums returns Φ (its lower triangle), b and rᵀr.
func (b *bound) sums(h *covariance.Hyper, p *inducing.Prior) (phi blas64.General, projected []float64, squares float64, err error) {
	m, d := p.Points.N, b.data.Inputs
	type part struct {
		phi       blas64.General
		projected []float64
		squares   float64
	}
	parts := make([]part, chunks)
	err = b.each(m, func(s *scratch, chunk, from, to int) error {
		sum := &parts[chunk]
		if sum.projected == nil {
			sum.phi, sum.projected = dense.New(m, m), make([]float64, m)
		}
		n := to - from
		k := dense.View(s.values, 0, 0, n, m)
		h.Values(k, blas64.General{}, h.Points(b.data.X[from*d:to*d], nil), p.Points)
		a := dense.View(s.other, 0, 0, n, m) // Aᵀ
		dense.Clear(a)
		if err := dense.AddMul(b.ctx, 1, 1, dense.Whole(k), dense.Lower(b.inverse).T(), a); err != nil {
			return err
		}
		if err := dense.AddMulLower(b.ctx, 1, 1, dense.Whole(a).T(), dense.Whole(a), sum.phi); err != nil {
			return err
		}
		residual := make([]float64, n)
		for i, y := range b.data.Y[from:to] {
			residual[i] = y - h.Mean
		}
		sum.squares += dense.Dot(residual, residual)
		for i, v := range residual {
			dense.AddScaled(sum.projected, v, dense.Row(a, i))
		}
		return nil
	})
	if err != nil {
		return phi, nil, 0, err
	}
	phi, projected = dense.New(m, m), make([]float64, m)
	for _, part := range parts {
		if part.projected != nil {
			dense.AddScaled(phi.Data, 1, part.phi.Data)
			dense.AddScaled(projected, 1, part.projected)
			squares += part.squares
		}
	}
	return phi, projected, squares, nil
}

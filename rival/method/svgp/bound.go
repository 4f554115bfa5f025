package svgp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

// block is the rows whose covariances one worker computes at a time.
const block = 64

// batch is a mini-batch under parameters and inducing points: what a natural step and
// the bound both need of it.
type batch struct {
	ctx       context.Context
	workers   int
	h         *covariance.Hyper
	prior     *inducing.Prior
	points    *covariance.Points
	scale     float64        // n/B
	values    blas64.General // K_fu [B, M]
	slopes    blas64.General
	projected blas64.General // A = L⁻¹ K_uf [M, B]
	residuals []float64      // y − m [B]
}

// newBatch takes standardised rows, of n in all.
func newBatch(ctx context.Context, workers int, h *covariance.Hyper, z []float64, jitter float64, rows method.Data, n int) (*batch, error) {
	prior, err := inducing.NewPrior(ctx, workers, h, z, jitter)
	if err != nil {
		return nil, err
	}
	size, m := rows.Rows(), prior.Points.N
	b := &batch{
		ctx: ctx, workers: workers, h: h, prior: prior, points: h.Points(rows.X, nil), scale: float64(n) / float64(size),
		values: dense.New(size, m), slopes: dense.New(size, m), projected: dense.New(m, size), residuals: make([]float64, size),
	}
	for i, y := range rows.Y {
		b.residuals[i] = y - h.Mean
	}
	err = method.Blocks(ctx, workers, size, block, func(_, from, to int) error {
		h.Values(dense.View(b.values, from, 0, to-from, m), dense.View(b.slopes, from, 0, to-from, m), b.points.Slice(from, to), prior.Points)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b, dense.AddLowerMulT(ctx, workers, 1, prior.Inverse, b.values, b.projected)
}

// step takes a natural step of q of size rho.
func (b *batch) step(q *gaussian, rho float64) error {
	return q.step(b.ctx, b.workers, rho, b.scale/b.h.Noise, b.projected, b.residuals)
}

// value returns the estimate of the bound by the batch (Hensman, Fusi and Lawrence
// 2013, equation 4), with a_j the columns of A and e_j = y_j − m − a_jᵀ μ,
//
//	F = n/B Σ_j [−½ log 2πσ² − (e_j² + v − ‖a_j‖² + a_jᵀ S a_j)/2σ²] − KL(q ‖ N(0, 1))
//
// and, unless g is nil, adds its gradient with q held to g and to dz [M, d]. With
// ∂F/∂a_j = n/(B σ²) (e_j μ + a_j − S a_j), the columns of Ā,
//
//	∂F/∂K_uf = L⁻ᵀ Ā,  ∂F/∂K_uu = −½ L⁻ᵀ sym(Ā Aᵀ) L⁻¹
//
// where sym mirrors the lower triangle (Murray, Differentiation of the Cholesky
// decomposition, arXiv:1602.07527).
func (b *batch) value(q *gaussian, g *covariance.HyperGradient, dz []float64) (float64, error) {
	size, m, s := b.values.Rows, b.values.Cols, b.h.Noise
	a, spread := dense.New(size, m), dense.New(size, m) // rows a_j and S a_j
	dense.Transpose(a, b.projected)
	if err := dense.AddMulT(b.ctx, b.workers, 1, a, q.covariance, spread); err != nil {
		return 0, err
	}
	value := -q.divergence()
	var noise, mean float64
	cotangent := spread // becomes Āᵀ row by row
	for j, residual := range b.residuals {
		own, moved := dense.Row(a, j), dense.Row(spread, j)
		e := residual - dense.Dot(own, q.mean)
		squared := e*e + b.h.Variance - dense.Dot(own, own) + dense.Dot(own, moved)
		value -= b.scale / 2 * (math.Log(2*math.Pi*s) + squared/s)
		noise += b.scale / 2 * (squared/s - 1) / s
		mean += b.scale * e / s
		for i, v := range moved {
			moved[i] = b.scale / s * (e*q.mean[i] + own[i] - v)
		}
	}
	if g == nil {
		return value, nil
	}
	g.Noise += noise
	g.Mean += mean
	g.LogVariance -= b.scale * float64(size) * b.h.Variance / (2 * s)

	transposed, own := dense.New(m, size), dense.New(m, m)
	dense.Transpose(transposed, cotangent)
	if err := dense.AddMulTLower(b.ctx, b.workers, -0.5, transposed, b.projected, own); err != nil {
		return 0, err
	}
	dense.Mirror(own)
	own, err := b.prior.Whiten(b.ctx, b.workers, own)
	if err != nil {
		return 0, err
	}
	b.prior.Pull(b.h, &g.Gradient, dz, own)

	cross := dense.New(size, m)
	if err := dense.AddMulT(b.ctx, b.workers, 1, cotangent, b.prior.InverseT, cross); err != nil {
		return 0, err
	}
	b.h.Pull(&g.Gradient, dz, cross, b.values, b.slopes, b.points, b.prior.Points)
	return value, nil
}

package inducing

import (
	"context"
	"math"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Batch is a mini-batch under parameters and inducing points: what a natural step and
// the bound both need of it.
type Batch struct {
	Prior     *Prior
	ctx       context.Context
	workers   int
	h         *covariance.Hyper
	rows      *Projection
	scale     float64   // n/B
	residuals []float64 // y − m [B]
}

// NewBatch takes standardised rows, of n in all.
func NewBatch(ctx context.Context, workers int, h *covariance.Hyper, z []float64, jitter float64, rows method.Data, n int) (*Batch, error) {
	b := &Batch{ctx: ctx, workers: workers, h: h, scale: float64(n) / float64(rows.Rows()), residuals: make([]float64, rows.Rows())}
	for i, y := range rows.Y {
		b.residuals[i] = y - h.Mean
	}
	var err error
	if b.Prior, err = NewPrior(ctx, workers, &h.Kernel, z, jitter); err != nil {
		return nil, err
	}
	b.rows, err = b.Prior.Project(ctx, workers, &h.Kernel, rows.X)
	return b, err
}

// Step takes a natural step of q of size rho.
func (b *Batch) Step(q *Gaussian, rho float64) error {
	return q.step(b.ctx, b.workers, rho, b.scale/b.h.Noise, b.rows.Rows, b.residuals)
}

// Value returns the estimate of the bound by the batch (Hensman, Fusi and Lawrence
// 2013, equation 4), with a_j the rows of the projection and e_j = y_j − m − a_jᵀ μ,
//
//	F = n/B Σ_j [−½ log 2πσ² − (e_j² + v − ‖a_j‖² + a_jᵀ S a_j)/2σ²] − KL(q ‖ N(0, 1))
//
// and, unless g is nil, adds its gradient with q held to g, and to dz [M, d] and, unless
// nil, dx [B, d]. Through a_j it is ∂F/∂a_j = n/(B σ²) (e_j μ + a_j − S a_j).
func (b *Batch) Value(q *Gaussian, g *covariance.HyperGradient, dz, dx []float64) (float64, error) {
	a, s := b.rows.Rows, b.h.Noise
	spread := dense.New(a.Rows, a.Cols) // rows S a_j
	if err := dense.AddMul(b.ctx, b.workers, 1, dense.Whole(a), dense.Whole(q.covariance), spread); err != nil {
		return 0, err
	}
	value := -q.divergence()
	var noise, mean float64
	for j, residual := range b.residuals {
		own, moved := dense.Row(a, j), dense.Row(spread, j)
		e := residual - dense.Dot(own, q.Mean)
		squared := e*e + b.h.Variance - dense.Dot(own, own) + dense.Dot(own, moved)
		value -= b.scale / 2 * (math.Log(2*math.Pi*s) + squared/s)
		noise += b.scale / 2 * (squared/s - 1) / s
		mean += b.scale * e / s
		for i, v := range moved { // becomes the cotangent
			moved[i] = b.scale / s * (e*q.Mean[i] + own[i] - v)
		}
	}
	if g == nil {
		return value, nil
	}
	g.Noise += noise
	g.Mean += mean
	g.LogVariance -= b.scale * float64(a.Rows) * b.h.Variance / (2 * s)
	return value, b.rows.Pull(b.ctx, b.workers, &g.Gradient, dz, dx, spread)
}

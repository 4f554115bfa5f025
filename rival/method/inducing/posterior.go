// Package inducing holds what sparse Gaussian processes share: where inducing points
// start, and predictions from a Gaussian over the process's values there.
package inducing

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Posterior is a process given q(v) = N(μ, R Rᵀ) with L v = f(Z) − m and L Lᵀ the
// prior covariance of f(Z). It may be used by several goroutines.
type Posterior struct {
	scaling *method.Scaling
	workers int
	hyper   covariance.Hyper
	inputs  []float64 // Z [M, d]
	points  *covariance.Points
	inverse blas64.General // L⁻¹ [M, M], lower triangular
	mean    []float64      // μ [M]
	root    blas64.General // Rᵀ [M, M], lower triangular
}

// NewPosterior keeps what it is given: parameters, Z [M, d], L⁻¹, μ and Rᵀ, both
// matrices lower triangular with zeros above.
func NewPosterior(scaling *method.Scaling, workers int, hyper covariance.Hyper, inputs []float64, inverse blas64.General, mean []float64, root blas64.General) *Posterior {
	return &Posterior{scaling, workers, hyper, inputs, hyper.Points(inputs, nil), inverse, mean, root}
}

// Noise implements [method.Latent].
func (p *Posterior) Noise() float64 { return p.scaling.Deviation(p.hyper.Noise) }

// Hyper returns the parameters, in standardised units.
func (p *Posterior) Hyper() covariance.Hyper { return p.hyper }

// Inputs returns the inducing points Z [M, d] in standardised units; they must not be
// changed.
func (p *Posterior) Inputs() []float64 { return p.inputs }

// Predict implements [method.Regressor]: O(M²) a row.
func (p *Posterior) Predict(ctx context.Context, x, mean, std []float64) error {
	return p.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		return p.Moments(ctx, rows, mean, variance)
	})
}

// Moments sets mean and variance of the standardised target at standardised rows x:
//
//	m + aᵀ μ,  σ² + v − ‖a‖² + ‖Rᵀ a‖²,  a = L⁻¹ k(Z, x)
func (p *Posterior) Moments(ctx context.Context, x, mean, variance []float64) error {
	const block = 256
	m, d := len(p.mean), len(p.hyper.Lengths)
	type buffer struct{ k, a, b blas64.General }
	buffers := make([]*buffer, p.workers)
	return method.Blocks(ctx, p.workers, len(mean), block, func(worker, from, to int) error {
		if buffers[worker] == nil {
			buffers[worker] = &buffer{dense.New(block, m), dense.New(block, m), dense.New(block, m)}
		}
		all, n := buffers[worker], to-from
		k, a, b := dense.View(all.k, 0, 0, n, m), dense.View(all.a, 0, 0, n, m), dense.View(all.b, 0, 0, n, m)
		p.hyper.Values(k, blas64.General{}, p.hyper.Points(x[from*d:to*d], nil), p.points)
		dense.Clear(a)
		if err := dense.AddMul(ctx, 1, 1, dense.Whole(k), dense.Lower(p.inverse).T(), a); err != nil {
			return err
		}
		dense.Clear(b)
		if err := dense.AddMul(ctx, 1, 1, dense.Whole(a), dense.Lower(p.root).T(), b); err != nil {
			return err
		}
		for i := range n {
			prior, posterior := dense.Row(a, i), dense.Row(b, i)
			mean[from+i] = p.hyper.Mean + dense.Dot(prior, p.mean)
			variance[from+i] = p.hyper.Noise + p.hyper.Variance - dense.Dot(prior, prior) + dense.Dot(posterior, posterior)
		}
		return nil
	})
}

package inducing

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/dense"
)

// Gaussian is q(v) = N(μ, S) by its natural parameters S⁻¹ and S⁻¹μ, where L v =
// f(Z) − m, so that the prior is N(0, 1).
type Gaussian struct {
	Mean []float64      // μ
	Root blas64.General // Rᵀ, S = R Rᵀ: lower triangular

	precision      blas64.General // S⁻¹ [M, M], lower triangle
	shift          []float64      // S⁻¹ μ
	covariance     blas64.General // S
	logDeterminant float64        // of S⁻¹
}

// NewGaussian is the prior.
func NewGaussian(m int) *Gaussian {
	q := &Gaussian{precision: dense.New(m, m), shift: make([]float64, m), Mean: make([]float64, m), covariance: dense.New(m, m), Root: dense.New(m, m)}
	for i := range m {
		q.precision.Data[i*m+i], q.covariance.Data[i*m+i], q.Root.Data[i*m+i] = 1, 1, 1
	}
	return q
}

// step moves the natural parameters by the share rho of the way to their best for the
// mini-batch: a step of that size along the natural gradient (Hensman, Fusi and
// Lawrence, Gaussian processes for big data, UAI 2013, section 3.2). With rows a [B, M],
// residuals y − m, and weight n/(B σ²) the best are 1 + weight Σ_j a_j a_jᵀ and weight
// Σ_j a_j residual_j.
func (q *Gaussian) step(ctx context.Context, workers int, rho, weight float64, a blas64.General, residuals []float64) error {
	for i := range q.shift {
		row := dense.Row(q.precision, i)[:i+1]
		for j := range row {
			row[j] *= 1 - rho
		}
		row[i] += rho
		q.shift[i] *= 1 - rho
	}
	for i, residual := range residuals {
		dense.AddScaled(q.shift, rho*weight*residual, dense.Row(a, i))
	}
	if err := dense.AddMulLower(ctx, workers, rho*weight, dense.Whole(a).T(), dense.Whole(a), q.precision); err != nil {
		return err
	}
	return q.solve(ctx, workers)
}

// solve computes the moments.
func (q *Gaussian) solve(ctx context.Context, workers int) error {
	m := len(q.shift)
	l := dense.New(m, m)
	for i := range m {
		copy(dense.Row(l, i)[:i+1], dense.Row(q.precision, i))
	}
	if err := dense.Cholesky(ctx, workers, l); err != nil {
		return fmt.Errorf("precision of %d inducing values: %w; take fewer of them or smaller steps", m, err)
	}
	q.logDeterminant = dense.LogDeterminant(l)
	copy(q.Mean, q.shift)
	dense.SolveVec(l, q.Mean)
	dense.SolveVecT(l, q.Mean)
	if err := dense.Inverse(ctx, workers, q.Root, l); err != nil {
		return err
	}
	dense.Clear(q.covariance)
	root := dense.Lower(q.Root)
	if err := dense.AddMulLower(ctx, workers, 1, root.T(), root, q.covariance); err != nil {
		return err
	}
	dense.Mirror(q.covariance)
	return nil
}

// divergence is KL(q ‖ N(0, 1)) = ½ (tr S + μᵀμ − M + log|S⁻¹|).
func (q *Gaussian) divergence() float64 {
	sum := dense.Dot(q.Mean, q.Mean) - float64(len(q.Mean)) + q.logDeterminant
	for i := range q.Mean {
		sum += q.covariance.Data[i*q.covariance.Stride+i]
	}
	return sum / 2
}

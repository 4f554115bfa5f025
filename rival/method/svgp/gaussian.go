package svgp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/dense"
)

// gaussian is q(v) = N(μ, S) by its natural parameters S⁻¹ and S⁻¹μ, where L v =
// f(Z) − m, so that the prior is N(0, 1).
type gaussian struct {
	precision blas64.General // S⁻¹ [M, M], lower triangle
	shift     []float64      // S⁻¹ μ

	mean           []float64      // μ
	covariance     blas64.General // S
	root           blas64.General // Rᵀ, S = R Rᵀ: lower triangular
	logDeterminant float64        // of S⁻¹
}

// newGaussian is the prior.
func newGaussian(m int) *gaussian {
	q := &gaussian{precision: dense.New(m, m), shift: make([]float64, m), mean: make([]float64, m), covariance: dense.New(m, m), root: dense.New(m, m)}
	for i := range m {
		q.precision.Data[i*m+i], q.covariance.Data[i*m+i], q.root.Data[i*m+i] = 1, 1, 1
	}
	return q
}

// step moves the natural parameters by the share rho of the way to their best for the
// mini-batch: a step of that size along the natural gradient (Hensman, Fusi and
// Lawrence, Gaussian processes for big data, UAI 2013, section 3.2). With rows a_j =
// L⁻¹ k(Z, x_j) as columns of a [M, B], residuals y − m, and weight n/(B σ²) the best
// are 1 + weight Σ_j a_j a_jᵀ and weight Σ_j a_j residual_j.
func (q *gaussian) step(ctx context.Context, workers int, rho, weight float64, a blas64.General, residuals []float64) error {
	m := len(q.shift)
	for i := range m {
		row := dense.Row(q.precision, i)[:i+1]
		for j := range row {
			row[j] *= 1 - rho
		}
		row[i] += rho
		q.shift[i] = (1-rho)*q.shift[i] + rho*weight*dense.Dot(dense.Row(a, i), residuals)
	}
	if err := dense.AddMulTLower(ctx, workers, rho*weight, a, a, q.precision); err != nil {
		return err
	}
	return q.solve(ctx, workers)
}

// solve computes the moments.
func (q *gaussian) solve(ctx context.Context, workers int) error {
	m := len(q.shift)
	l := dense.New(m, m)
	for i := range m {
		copy(dense.Row(l, i)[:i+1], dense.Row(q.precision, i))
	}
	if err := dense.Cholesky(ctx, workers, l); err != nil {
		return fmt.Errorf("precision of %d inducing values: %w; take fewer of them or smaller steps", m, err)
	}
	q.logDeterminant = dense.LogDeterminant(l)
	copy(q.mean, q.shift)
	dense.SolveVec(l, q.mean)
	dense.SolveVecT(l, q.mean)
	rootT := dense.New(m, m)
	if err := dense.InverseT(ctx, workers, rootT, l); err != nil {
		return err
	}
	dense.Transpose(q.root, rootT)
	dense.Clear(q.covariance)
	if err := dense.AddMulTLower(ctx, workers, 1, rootT, rootT, q.covariance); err != nil {
		return err
	}
	dense.Mirror(q.covariance)
	return nil
}

// divergence is KL(q ‖ N(0, 1)) = ½ (tr S + μᵀμ − M + log|S⁻¹|).
func (q *gaussian) divergence() float64 {
	sum := dense.Dot(q.mean, q.mean) - float64(len(q.mean)) + q.logDeterminant
	for i := range q.mean {
		sum += q.covariance.Data[i*q.covariance.Stride+i]
	}
	return sum / 2
}

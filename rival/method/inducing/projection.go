package inducing

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Projection is rows as a bound sees them, by their covariances with the inducing values.
type Projection struct {
	Rows   blas64.General // Aᵀ [B, M], rows a = L⁻¹ k(Z, x)
	prior  *Prior
	kernel *covariance.Kernel
	points *covariance.Points
	values blas64.General // K_fu [B, M]
	slopes blas64.General
}

// Project returns the projection of rows x [B, d] in standardised units.
func (p *Prior) Project(ctx context.Context, workers int, k *covariance.Kernel, x []float64) (*Projection, error) {
	r := &Projection{prior: p, kernel: k, points: k.Points(x, nil)}
	n, m := r.points.N, p.Points.N
	r.values, r.slopes, r.Rows = dense.New(n, m), dense.New(n, m), dense.New(n, m)
	if err := k.Cross(ctx, workers, r.values, r.slopes, r.points, p.Points); err != nil {
		return nil, err
	}
	return r, dense.AddMul(ctx, workers, 1, dense.Whole(r.values), dense.Lower(p.Inverse).T(), r.Rows)
}

// Pull adds to g, and to dz [M, d] and dx [B, d], unless nil, the gradient of a scalar F
// whose gradient with respect to the rows a is cotangent Āᵀ [B, M]:
//
//	∂F/∂K_uf = L⁻ᵀ Ā,  ∂F/∂K_uu = −½ L⁻ᵀ sym(Ā Aᵀ) L⁻¹
//
// where sym mirrors the lower triangle (Murray, Differentiation of the Cholesky
// decomposition, arXiv:1602.07527).
func (r *Projection) Pull(ctx context.Context, workers int, g *covariance.Gradient, dz, dx []float64, cotangent blas64.General) error {
	n, m := r.Rows.Rows, r.Rows.Cols
	own := dense.New(m, m)
	if err := dense.AddMulLower(ctx, workers, -0.5, dense.Whole(cotangent).T(), dense.Whole(r.Rows), own); err != nil {
		return err
	}
	dense.Mirror(own)
	own, err := r.prior.Whiten(ctx, workers, own)
	if err != nil {
		return err
	}
	if err := r.prior.Pull(ctx, workers, r.kernel, g, dz, own); err != nil {
		return err
	}
	cross := dense.New(n, m)
	if err := dense.AddMul(ctx, workers, 1, dense.Whole(cotangent), dense.Lower(r.prior.Inverse), cross); err != nil {
		return err
	}
	return r.kernel.Pull(ctx, workers, g, dx, dz, cross, r.values, r.slopes, r.points, r.prior.Points)
}

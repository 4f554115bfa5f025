package inducing

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Prior is what a bound has of its inducing points alone: K_uu + jitter·v = L Lᵀ.
type Prior struct {
	Points         *covariance.Points
	Values, Slopes blas64.General // K_uu, without jitter
	Jitter         float64        // relative to v
	Inverse        blas64.General // L⁻¹
}

// NewPrior factorises K_uu at the inducing points z [M, d]. It fails, with an error
// that wraps [dense.ErrIndefinite], if no jitter from first on helps.
func NewPrior(ctx context.Context, workers int, k *covariance.Kernel, z []float64, first float64) (*Prior, error) {
	p := &Prior{Points: k.Points(z, nil)}
	m := p.Points.N
	p.Values, p.Slopes, p.Inverse = dense.New(m, m), dense.New(m, m), dense.New(m, m)
	if err := k.Own(ctx, workers, p.Values, p.Slopes, p.Points); err != nil {
		return nil, err
	}
	l := dense.New(m, m)
	var err error
	if p.Jitter, err = dense.Factorise(ctx, workers, l, p.Values, k.Variance, first); err != nil {
		return nil, fmt.Errorf("covariance of %d inducing points: %w; take fewer of them", m, err)
	}
	return p, dense.Inverse(ctx, workers, p.Inverse, l)
}

// Whiten returns L⁻ᵀ c L⁻¹ of a symmetric c, of which all is read.
func (p *Prior) Whiten(ctx context.Context, workers int, c blas64.General) (blas64.General, error) {
	half, out, inverse := dense.New(c.Rows, c.Rows), dense.New(c.Rows, c.Rows), dense.Lower(p.Inverse)
	if err := dense.AddMul(ctx, workers, 1, inverse.T(), dense.Whole(c), half); err != nil {
		return out, err
	}
	if err := dense.AddMulLower(ctx, workers, 1, dense.Whole(half), inverse, out); err != nil {
		return out, err
	}
	dense.Mirror(out)
	return out, nil
}

// Pull adds to g and, unless nil, to dz [M, d] what a symmetric cotangent of
// K_uu + jitter·v comes to. cotangent is overwritten.
func (p *Prior) Pull(ctx context.Context, workers int, k *covariance.Kernel, g *covariance.Gradient, dz []float64, cotangent blas64.General) error {
	for i := range cotangent.Rows {
		g.LogVariance += p.Jitter * k.Variance * dense.Row(cotangent, i)[i]
	}
	var inputs []float64
	if dz != nil {
		inputs = make([]float64, len(dz))
	}
	err := k.Pull(ctx, workers, g, nil, inputs, cotangent, p.Values, p.Slopes, p.Points, p.Points)
	for i, v := range inputs {
		dz[i] += 2 * v // every point has a row and a column
	}
	return err
}

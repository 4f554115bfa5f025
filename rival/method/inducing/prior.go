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
	InverseT       blas64.General // L⁻ᵀ
}

// NewPrior factorises K_uu at the inducing points z [M, d]. It fails, with an error
// that wraps [dense.ErrIndefinite], if no jitter from first on helps.
func NewPrior(ctx context.Context, workers int, h *covariance.Hyper, z []float64, first float64) (*Prior, error) {
	p := &Prior{Points: h.Points(z, nil)}
	m := p.Points.N
	p.Values, p.Slopes = dense.New(m, m), dense.New(m, m)
	h.Values(p.Values, p.Slopes, p.Points, p.Points)
	l := dense.New(m, m)
	var err error
	if p.Jitter, err = dense.Factor(ctx, workers, l, p.Values, h.Variance, first); err != nil {
		return nil, fmt.Errorf("covariance of %d inducing points: %w; take fewer of them", m, err)
	}
	p.Inverse, p.InverseT = dense.New(m, m), dense.New(m, m)
	if err := dense.InverseT(ctx, workers, p.InverseT, l); err != nil {
		return nil, err
	}
	dense.Transpose(p.Inverse, p.InverseT)
	return p, nil
}

// Whiten returns L⁻ᵀ c L⁻¹ of a symmetric c, of which all is read.
func (p *Prior) Whiten(ctx context.Context, workers int, c blas64.General) (blas64.General, error) {
	half, out := dense.New(c.Rows, c.Rows), dense.New(c.Rows, c.Rows)
	if err := dense.AddMulT(ctx, workers, 1, p.InverseT, c, half); err != nil {
		return out, err
	}
	if err := dense.AddMulTLower(ctx, workers, 1, half, p.InverseT, out); err != nil {
		return out, err
	}
	dense.Mirror(out)
	return out, nil
}

// Pull adds to g and, unless nil, to dz [M, d] what a symmetric cotangent of
// K_uu + jitter·v comes to. cotangent is overwritten.
func (p *Prior) Pull(h *covariance.Hyper, g *covariance.Gradient, dz []float64, cotangent blas64.General) {
	for i := range cotangent.Rows {
		g.LogVariance += p.Jitter * h.Variance * dense.Row(cotangent, i)[i]
	}
	var inputs []float64
	if dz != nil {
		inputs = make([]float64, len(dz))
	}
	h.Pull(g, inputs, cotangent, p.Values, p.Slopes, p.Points, p.Points)
	for i, v := range inputs {
		dz[i] += 2 * v // every point has a row and a column
	}
}

package exact

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// evidence is the log marginal likelihood as a function of the parameters, and what
// its last call left behind.
type evidence struct {
	ctx     context.Context
	workers int
	data    method.Data
	points  *covariance.Points
	factor  blas64.General // L in the lower triangle [n, n]
	inverse blas64.General // L⁻¹, if a gradient was asked for
	alpha   []float64
}

func newEvidence(ctx context.Context, workers int, standard method.Data) *evidence {
	n := standard.Rows()
	return &evidence{ctx: ctx, workers: workers, data: standard, factor: dense.New(n, n), alpha: make([]float64, n)}
}

// value returns
//
//	log N(y | m, K + σ²) = −½ rᵀα − ½ log|K + σ²| − n/2 log 2π, r = y − m, α = (K + σ²)⁻¹ r
//
// and adds its gradient to g unless that is nil (Rasmussen and Williams 2006, equations
// 2.30 and 5.9).
func (e *evidence) value(h *covariance.Hyper, g *covariance.HyperGradient) (float64, error) {
	n := e.data.Rows()
	if err := e.factorise(h); err != nil {
		return 0, advise(err)
	}
	residual := make([]float64, n)
	for i, y := range e.data.Y {
		residual[i] = y - h.Mean
	}
	copy(e.alpha, residual)
	dense.SolveVec(e.factor, e.alpha)
	value := -dense.Dot(e.alpha, e.alpha)/2 - dense.LogDeterminant(e.factor)/2 - float64(n)/2*math.Log(2*math.Pi)
	dense.SolveVecT(e.factor, e.alpha)
	if g == nil {
		return value, nil
	}
	return value, e.gradient(h, g)
}

// factorise computes L. The noise stands in for jitter: it is never below covariance.Floor.
func (e *evidence) factorise(h *covariance.Hyper) error {
	e.points = h.Points(e.data.X, e.points)
	n := e.data.Rows()
	err := method.Blocks(e.ctx, e.workers, n, block, func(_, from, to int) error {
		h.Values(dense.View(e.factor, from, 0, to-from, to), blas64.General{}, e.points.Slice(from, to), e.points.Slice(0, to))
		for i := from; i < to; i++ {
			e.factor.Data[i*n+i] += h.Noise
		}
		return nil
	})
	if err != nil {
		return err
	}
	return dense.Cholesky(e.ctx, e.workers, e.factor)
}

// block is the rows, and columns, that a worker takes at a time.
const block = 64

// gradient adds the evidence's with respect to every covariance, ½ (α αᵀ − (K + σ²)⁻¹),
// pulled back to the parameters. It goes by tiles of the lower triangle, so that
// (K + σ²)⁻¹ is never stored; those off the diagonal count twice.
func (e *evidence) gradient(h *covariance.Hyper, g *covariance.HyperGradient) error {
	n := e.data.Rows()
	if e.inverse.Data == nil {
		e.inverse = dense.New(n, n)
	}
	if err := dense.Inverse(e.ctx, e.workers, e.inverse, e.factor); err != nil {
		return err
	}
	parts := make([]covariance.HyperGradient, (n+block-1)/block)
	err := method.Blocks(e.ctx, e.workers, n, block, func(_, from, to int) error {
		part := &parts[from/block]
		part.LogLengths = make([]float64, len(h.Lengths))
		cotangent, values, slopes := dense.New(block, block), dense.New(block, block), dense.New(block, block)
		for left := 0; left <= from; left += block {
			right := min(left+block, n)
			c := dense.View(cotangent, 0, 0, to-from, right-left)
			if err := e.cotangent(c, from, left); err != nil {
				return err
			}
			if left == from {
				for i := range c.Rows {
					part.Noise += c.Data[i*c.Stride+i]
				}
			} else {
				for i := range c.Rows {
					for j := range dense.Row(c, i) {
						c.Data[i*c.Stride+j] *= 2
					}
				}
			}
			v, s := dense.View(values, 0, 0, c.Rows, c.Cols), dense.View(slopes, 0, 0, c.Rows, c.Cols)
			a, b := e.points.Slice(from, to), e.points.Slice(left, right)
			h.Values(v, s, a, b)
			if err := h.Pull(e.ctx, 1, &part.Gradient, nil, nil, c, v, s, a, b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range parts {
		g.Add(&parts[i].Gradient)
		g.Noise += parts[i].Noise
	}
	for _, a := range e.alpha {
		g.Mean += a
	}
	return nil
}

// cotangent sets c to the rows from and columns left of ½ (α αᵀ − L⁻ᵀ L⁻¹), where
// column i of L⁻¹ begins at row i.
func (e *evidence) cotangent(c blas64.General, from, left int) error {
	n := e.data.Rows()
	dense.Clear(c)
	if err := dense.AddMul(e.ctx, 1, -0.5, dense.Whole(dense.View(e.inverse, from, from, n-from, c.Rows)).T(), dense.Whole(dense.View(e.inverse, from, left, n-from, c.Cols)), c); err != nil {
		return err
	}
	for i := range c.Rows {
		dense.AddScaled(dense.Row(c, i), e.alpha[from+i]/2, e.alpha[left:left+c.Cols])
	}
	return nil
}

package krylov

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// LowRank is P = U Uᵀ + σ², U [n, k].
type LowRank struct {
	u     blas64.General
	ut    blas64.General // Uᵀ
	noise float64
	inner blas64.General // L [k, k], L Lᵀ = σ² + Uᵀ U
}

// NewLowRank keeps u. A U without columns is none.
func NewLowRank(ctx context.Context, workers int, u blas64.General, noise float64) (*LowRank, error) {
	p := &LowRank{u: u, noise: noise, inner: dense.New(u.Cols, u.Cols)}
	if u.Cols == 0 {
		return p, nil
	}
	p.ut = dense.New(u.Cols, u.Rows)
	dense.Transpose(p.ut, u)
	if err := p.product(ctx, workers, p.inner, p.ut); err != nil {
		return nil, err
	}
	for i := range u.Cols {
		p.inner.Data[i*p.inner.Stride+i] += noise
	}
	return p, dense.Cholesky(ctx, workers, p.inner)
}

// Solve sets z to P⁻¹ r = (r − U (σ² + UᵀU)⁻¹ Uᵀ r)/σ², both [n, c].
func (p *LowRank) Solve(ctx context.Context, workers int, z, r blas64.General) error {
	w, err := p.within(ctx, workers, r)
	if err != nil {
		return err
	}
	return method.Blocks(ctx, workers, r.Rows, block, func(_, from, to int) error {
		out, in := dense.View(z, from, 0, to-from, z.Cols), dense.View(r, from, 0, to-from, r.Cols)
		for i := range out.Rows {
			copy(dense.Row(out, i), dense.Row(in, i))
		}
		if p.u.Cols > 0 {
			if err := dense.AddMul(ctx, 1, -1, dense.Whole(dense.View(p.u, from, 0, to-from, p.u.Cols)), dense.Whole(w).T(), out); err != nil {
				return err
			}
		}
		for i := range out.Rows {
			for c := range out.Cols {
				out.Data[i*out.Stride+c] /= p.noise
			}
		}
		return nil
	})
}

// within returns ((σ² + UᵀU)⁻¹ Uᵀ r)ᵀ [c, k].
func (p *LowRank) within(ctx context.Context, workers int, r blas64.General) (blas64.General, error) {
	k, rt := p.u.Cols, dense.New(r.Cols, r.Rows)
	w := dense.New(r.Cols, k)
	if k == 0 {
		return w, nil
	}
	dense.Transpose(rt, r)
	if err := p.product(ctx, workers, w, rt); err != nil {
		return w, err
	}
	for c := range r.Cols {
		dense.SolveVec(p.inner, dense.Row(w, c))
		dense.SolveVecT(p.inner, dense.Row(w, c))
	}
	return w, nil
}

// row returns row i of U, nil where U has no columns.
func (p *LowRank) row(i int) []float64 {
	if p.u.Cols == 0 {
		return nil
	}
	return dense.Row(p.u, i)
}

// LogDeterminant returns log |P|.
func (p *LowRank) LogDeterminant() float64 {
	return dense.LogDeterminant(p.inner) + float64(p.u.Rows-p.u.Cols)*math.Log(p.noise)
}

// Draw sets z [n, c] to U a + σ b, which with standard normal a [k, c] and b [n, c] is
// ~ N(0, P).
func (p *LowRank) Draw(z, a, b blas64.General) {
	for i := range z.Rows {
		out := dense.Row(z, i)
		clear(out)
		dense.AddScaled(out, math.Sqrt(p.noise), dense.Row(b, i))
		for j, v := range p.row(i) {
			dense.AddScaled(out, v, dense.Row(a, j))
		}
	}
}

// product sets w [c, k] to xᵀ U, given xᵀ [c, n].
func (p *LowRank) product(ctx context.Context, workers int, w, xt blas64.General) error {
	const block = 1 << 12 // long sums, each with an order of its own
	parts := make([]blas64.General, (xt.Cols+block-1)/block)
	err := method.Blocks(ctx, workers, xt.Cols, block, func(_, from, to int) error {
		part := dense.New(w.Rows, w.Cols)
		parts[from/block] = part
		return dense.AddMul(ctx, 1, 1, dense.Whole(dense.View(xt, 0, from, xt.Rows, to-from)), dense.Whole(dense.View(p.ut, 0, from, p.ut.Rows, to-from)).T(), part)
	})
	if err != nil {
		return err
	}
	dense.Clear(w)
	for _, part := range parts {
		for i := range part.Rows {
			dense.AddScaled(dense.Row(w, i), 1, dense.Row(part, i))
		}
	}
	return nil
}

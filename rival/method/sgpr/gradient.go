package sgpr

import (
	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

// gradient adds what of the bound's gradient is left. With w = L⁻ᵀ β and
// α = (Q + σ²)⁻¹ r = (r − K_fu w)/σ²,
//
//	∂F/∂K_fu = K_fu P + α wᵀ,  P = L⁻ᵀ (1 − B⁻¹) L⁻¹/σ²
//	∂F/∂K_uu = −½ (w wᵀ + L⁻ᵀ (B − 2 + B⁻¹) L⁻¹)
//	∂F/∂σ² = ½ (αᵀα − (n − M + tr B⁻¹)/σ²) + (n v − tr Φ)/2σ⁴
//	∂F/∂m = Σ α
//
// which follow from F = log N(r | 0, Q + σ²) − tr(K − Q)/2σ² with Q = Aᵀ A, and from
// ∂F/∂Q = ½ (α αᵀ + Aᵀ B⁻¹ A/σ⁴). full is B.
func (b *bound) gradient(h *covariance.Hyper, p *inducing.Prior, full blas64.General, g *covariance.HyperGradient, dz []float64) error {
	m, s := p.Points.N, h.Noise
	inverse := dense.New(m, m) // B⁻¹
	if err := dense.AddMulLower(b.ctx, b.workers, 1, dense.Lower(b.root).T(), dense.Lower(b.root), inverse); err != nil {
		return err
	}
	dense.Mirror(inverse)
	var trace float64
	cross, own := dense.New(m, m), dense.New(m, m) // 1 − B⁻¹ and B − 2 + B⁻¹
	for i, v := range inverse.Data {
		cross.Data[i], own.Data[i] = -v/s, full.Data[i]+v
	}
	for i := range m {
		trace += inverse.Data[i*m+i]
		cross.Data[i*m+i] += 1 / s
		own.Data[i*m+i] -= 2
	}
	cross, err := p.Whiten(b.ctx, b.workers, cross)
	if err != nil {
		return err
	}
	if own, err = p.Whiten(b.ctx, b.workers, own); err != nil {
		return err
	}
	w := make([]float64, m)
	for i, v := range b.mean {
		dense.AddScaled(w, v, dense.Row(p.Inverse, i))
	}
	if err := b.crossGradient(h, p, cross, w, g, dz); err != nil {
		return err
	}
	g.Noise -= (float64(b.data.Rows()-m) + trace) / (2 * s)

	for i := range m {
		row := dense.Row(own, i)
		dense.AddScaled(row, w[i], w)
		for j := range row {
			row[j] /= -2
		}
	}
	return p.Pull(b.ctx, b.workers, &h.Kernel, &g.Gradient, dz, own)
}

// crossGradient adds what comes through K_fu, block by block.
func (b *bound) crossGradient(h *covariance.Hyper, p *inducing.Prior, cross blas64.General, w []float64, g *covariance.HyperGradient, dz []float64) error {
	m, d := p.Points.N, b.data.Inputs
	type part struct {
		covariance.HyperGradient
		inputs []float64
	}
	parts := make([]part, chunks)
	err := b.each(m, func(s *scratch, chunk, from, to int) error {
		sum := &parts[chunk]
		if sum.LogLengths == nil {
			sum.LogLengths = make([]float64, d)
			if dz != nil {
				sum.inputs = make([]float64, m*d)
			}
		}
		n := to - from
		k, slopes, cotangent := dense.View(s.values, 0, 0, n, m), dense.View(s.slopes, 0, 0, n, m), dense.View(s.other, 0, 0, n, m)
		rows := h.Points(b.data.X[from*d:to*d], nil)
		h.Values(k, slopes, rows, p.Points)
		dense.Clear(cotangent)
		if err := dense.AddMul(b.ctx, 1, 1, dense.Whole(k), dense.Whole(cross), cotangent); err != nil {
			return err
		}
		for i := range n {
			alpha := (b.data.Y[from+i] - h.Mean - dense.Dot(dense.Row(k, i), w)) / h.Noise
			dense.AddScaled(dense.Row(cotangent, i), alpha, w)
			sum.Mean += alpha
			sum.Noise += alpha * alpha / 2
		}
		return h.Pull(b.ctx, 1, &sum.Gradient, nil, sum.inputs, cotangent, k, slopes, rows, p.Points)
	})
	if err != nil {
		return err
	}
	for i := range parts {
		if part := &parts[i]; part.LogLengths != nil {
			g.Add(&part.Gradient)
			g.Mean += part.Mean
			g.Noise += part.Noise
			for j, v := range part.inputs {
				dz[j] += v
			}
		}
	}
	return nil
}

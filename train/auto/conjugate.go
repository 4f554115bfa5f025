package auto

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"beziergp/train"
)

// What conjugate gradients take: so many steps at most, and down to such a share of the first residual, or where another regression follows.
const (
	regressionSteps     = 100
	regressionTolerance = 1e-4
	looseTolerance      = 0.05
)

// solve returns the line that minimises Σ_p w_p (y_p − μ − Σ_a b_a z_pa)² + λ (b₀ + b)ᵀ P (b₀ + b) by conjugate gradients, down to a share
// of the first residual as [blocks] weigh it; nil stands for b₀ = 0.
func (r *regression) solve(ctx context.Context, y []float64, lambda float64, before []float64, tolerance float64) (line, error) {
	f, mu := len(r.averages), 0.0
	for p, v := range y {
		mu += r.weight[p] * v / r.sum
	}
	at := make([]float64, f+1) // b, and μ behind it
	by, ok := r.blocks(lambda)
	if !ok {
		return line{}, &train.DivergedError{}
	}
	residual := r.transposed(func(p int) float64 { return y[p] - mu })
	if before != nil {
		r.penalised(residual, before, -lambda)
	}
	z := by.solved(residual)
	direction, rho := z, floats.Dot(residual, z)
	start := rho
	for range regressionSteps {
		if err := ctx.Err(); err != nil {
			return line{}, err
		}
		if !(rho > tolerance*tolerance*start) {
			break
		}
		product := r.product(direction)
		r.penalised(product, direction, lambda)
		step := rho / floats.Dot(direction, product)
		floats.AddScaled(at, step, direction)
		floats.AddScaled(residual, -step, product)
		z = by.solved(residual)
		next := floats.Dot(residual, z)
		floats.AddScaled(z, next/rho, direction)
		direction, rho = z, next
	}
	return line{mu + at[f], at[:f]}, nil
}

// product returns, of b with μ behind it, Zᵀ W (Z b + μ) with the sum of W (Z b + μ) behind it, [f+1] both, by one pass through the rows.
func (r *regression) product(at []float64) []float64 {
	f := len(r.averages)
	all, shift := r.shifted(at[:f])
	return r.transposed(func(p int) float64 { return at[f] - shift + r.rows.along(p, all) })
}

// transposed returns Zᵀ W u and the sum of W u behind it, [f+1].
func (r *regression) transposed(u func(p int) float64) []float64 {
	f := len(r.averages)
	last := f + len(r.first) // where the sum of W u is
	all := r.added(r.rows.places(f), func(all []float64, from, to int) {
		for p := from; p < to; p++ {
			v := r.weight[p] * u(p)
			all[last] += v
			r.rows.add(p, v, all)
		}
	})
	sum := all[last]
	for a, v := range r.averages {
		all[a] -= v * (sum - all[f+r.input[a]])
	}
	return append(all[:f:f], sum)
}

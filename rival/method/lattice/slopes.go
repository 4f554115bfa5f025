package lattice

import (
	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// Slopes adds to slopes [d] the derivatives of Σ_c weight_c a_cᵀ K b_c by the logarithms
// of the lengthscales, where a and b [n, c] are constant, ga and gb [M, c] are S Aᵀ a and
// S Aᵀ b, and x [n, d] are the rows of the lattice.
//
// The weights are linear in a row's place within its simplex, and S changes only
// where a row passes into another one, so this is the derivative of K itself almost
// everywhere:
//
//	∂/∂w_i = Σ_c weight_c (a_ci gb_c + b_ci ga_c) at the simplex's vertices,
//	∂/∂log ℓ_j = −Σ_i x_ij ∂/∂x_ij.
func (f *Filter) Slopes(slopes []float64, weight []float64, x []float64, a, ga, b, gb blas64.General) error {
	d := f.side - 1
	parts := make([]float64, (f.rows+block-1)/block*d)
	err := method.Blocks(f.ctx, f.workers, f.rows, block, func(_, from, to int) error {
		part := parts[from/block*d:][:d]
		weights, y, own := make([]float64, f.side), make([]float64, f.side), make([]float64, d)
		for i := from; i < to; i++ {
			left, right := dense.Row(a, i), dense.Row(b, i)
			for k := range weights {
				v := int(f.corner[i*f.side+k])
				weights[k] = 0
				va, vb := dense.Row(ga, v), dense.Row(gb, v)
				for c, w := range weight {
					weights[k] += w * (left[c]*vb[c] + right[c]*va[c])
				}
			}
			clear(y)
			pull(y, f.rank[i*f.side:(i+1)*f.side], weights)
			project(own, y, f.stencil.Scale)
			for j, g := range own {
				part[j] -= x[i*d+j] * g
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, v := range parts {
		slopes[i%d] += v
	}
	return nil
}

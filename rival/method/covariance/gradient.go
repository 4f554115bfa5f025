package covariance

import (
	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method/dense"
)

// Gradient is that of a scalar with respect to a kernel's parameters.
type Gradient struct {
	LogVariance float64
	LogLengths  []float64 // [d]
}

// Add adds other to g.
func (g *Gradient) Add(other *Gradient) {
	g.LogVariance += other.LogVariance
	for j, v := range other.LogLengths {
		g.LogLengths[j] += v
	}
}

// Pull adds to g the gradient of a scalar whose gradient with respect to the kernel's
// values [a.N, b.N] is cotangent, and to inputs [b.N, d], unless nil, that with respect
// to the inputs of b before the division by the lengthscales. values and slopes are
// those of [Kernel.Values]; cotangent is overwritten.
//
// With e = cotangent ∘ slopes and scaled inputs x of a and z of b,
//
//	∂/∂log v = Σ cotangent ∘ values
//	∂/∂log ℓ_j = −2 Σ_ac e_ac (x_aj − z_cj)²
//	∂/∂(ℓ_j z_cj) = 2/ℓ_j (z_cj Σ_a e_ac − Σ_a e_ac x_aj)
//
// The squares are multiplied out, so that all is sums of rows of e.
func (k *Kernel) Pull(g *Gradient, inputs []float64, cotangent, values, slopes blas64.General, a, b *Points) {
	if cotangent.Rows != a.N || cotangent.Cols != b.N || len(g.LogLengths) != a.d || inputs != nil && len(inputs) != b.N*b.d {
		panic(errShape)
	}
	sums := make([]float64, b.N)    // Σ_a e_ac
	moments := dense.New(a.d, b.N)  // Σ_a e_ac x_aj
	squares := make([]float64, a.d) // Σ_ac e_ac (x_aj − z_cj)²
	for i := range a.N {
		e := dense.Row(cotangent, i)
		g.LogVariance += dense.Dot(e, dense.Row(values, i))
		var sum float64
		for c, s := range dense.Row(slopes, i) {
			e[c] *= s
			sum += e[c]
			sums[c] += e[c]
		}
		for j, x := range a.rows[i*a.d : (i+1)*a.d] {
			dense.AddScaled(dense.Row(moments, j), x, e)
			squares[j] += sum * x * x
		}
	}
	for j, l := range k.Lengths {
		moment := dense.Row(moments, j)
		for c, z := range b.column(j) {
			squares[j] += (sums[c]*z - 2*moment[c]) * z
			if inputs != nil {
				inputs[c*b.d+j] += 2 / l * (sums[c]*z - moment[c])
			}
		}
		g.LogLengths[j] -= 2 * squares[j]
	}
}

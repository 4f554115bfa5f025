package covariance

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// Gradient is that of a scalar with respect to a kernel's parameters.
type Gradient struct {
	LogVariance float64
	LogLengths  []float64 // [d]
}

// NewGradient is that of a constant.
func NewGradient(d int) Gradient { return Gradient{LogLengths: make([]float64, d)} }

// Add adds other to g.
func (g *Gradient) Add(other *Gradient) {
	g.LogVariance += other.LogVariance
	for j, v := range other.LogLengths {
		g.LogLengths[j] += v
	}
}

// Pull adds to g the gradient of a scalar whose gradient with respect to the kernel's
// values [a.N, b.N] is cotangent, and to da [a.N, d] and db [b.N, d], unless nil, those with
// respect to the inputs of a and b before the division by the lengthscales. values and
// slopes are those of [Kernel.Values]; cotangent is overwritten.
//
// With e = cotangent ∘ slopes and scaled inputs x of a and z of b,
//
//	∂/∂log v = Σ cotangent ∘ values
//	∂/∂log ℓ_j = −2 Σ_ac e_ac (x_aj − z_cj)²
//	∂/∂(ℓ_j z_cj) = 2/ℓ_j (z_cj Σ_a e_ac − Σ_a e_ac x_aj)
//
// and that of x likewise. The squares are multiplied out, so that all is products of e with
// the inputs and a column of ones.
func (k *Kernel) Pull(ctx context.Context, workers int, g *Gradient, da, db []float64, cotangent, values, slopes blas64.General, a, b *Points) error {
	d := a.d
	if cotangent.Rows != a.N || cotangent.Cols != b.N || len(g.LogLengths) != d || da != nil && len(da) != a.N*d || db != nil && len(db) != b.N*d {
		panic(errShape)
	}
	levels, sums := make([]float64, a.N), make([]float64, a.N) // of the rows of cotangent ∘ values and of e
	err := method.Blocks(ctx, workers, a.N, block, func(_, from, to int) error {
		for i := from; i < to; i++ {
			e := dense.Row(cotangent, i)
			levels[i] = dense.Dot(e, dense.Row(values, i))
			var sum float64
			for c, s := range dense.Row(slopes, i) {
				e[c] *= s
				sum += e[c]
			}
			sums[i] = sum
		}
		return nil
	})
	if err != nil {
		return err
	}
	e, moments := dense.Whole(cotangent), dense.New(b.N, d+1)
	if err := dense.AddMul(ctx, workers, 1, e.T(), dense.Whole(a.withOnes()), moments); err != nil {
		return err
	}
	squares := make([]float64, d) // Σ_ac e_ac (x_aj − z_cj)²
	for i, sum := range sums {
		g.LogVariance += levels[i]
		for j, x := range a.rows[i*d : (i+1)*d] {
			squares[j] += sum * x * x
		}
	}
	for c := range b.N {
		moment := dense.Row(moments, c)
		for j, z := range b.rows[c*d : (c+1)*d] {
			squares[j] += (moment[d]*z - 2*moment[j]) * z
		}
	}
	for j, square := range squares {
		g.LogLengths[j] -= 2 * square
	}
	k.move(db, b, moments)
	if da == nil {
		return nil
	}
	moments = dense.New(a.N, d+1)
	if err := dense.AddMul(ctx, workers, 1, e, dense.Whole(b.withOnes()), moments); err != nil {
		return err
	}
	k.move(da, a, moments)
	return nil
}

// withOnes returns the points [n, d+1], the last column ones.
func (p *Points) withOnes() blas64.General {
	out := dense.New(p.N, p.d+1)
	for i := range p.N {
		row := dense.Row(out, i)
		copy(row, p.rows[i*p.d:(i+1)*p.d])
		row[p.d] = 1
	}
	return out
}

// move adds to inputs, unless nil, the gradient with respect to those of p, where moments
// are sums of e times the other points and one.
func (k *Kernel) move(inputs []float64, p *Points, moments blas64.General) {
	if inputs == nil {
		return
	}
	for i := range p.N {
		moment := dense.Row(moments, i)
		for j, x := range p.rows[i*p.d : (i+1)*p.d] {
			inputs[i*p.d+j] += 2 / k.Lengths[j] * (moment[p.d]*x - moment[j])
		}
	}
}

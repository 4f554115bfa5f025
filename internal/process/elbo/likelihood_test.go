package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// general hides that a likelihood is linear in Var f.
type general struct{ Likelihood }

func (general) VarianceSlope() (float64, bool) { return 0, false }

// counts are Poisson with a log link: a count and an exposure a row, the logarithm of
// the second being the offset. E[e^f − y f] = e^(μ + v/2) − y μ.
type counts struct{}

func (counts) Offset(y []float32, f []float64) {
	for j := range f {
		f[j] = math.Log(float64(y[2*j+1]))
	}
}

func (counts) Expectation(y []float32, weights, mean, variance []float64) float64 {
	var sum float64
	for j, m := range mean {
		rate, count := math.Exp(m+variance[j]/2), float64(y[2*j])
		sum += weights[j] * (rate - count*m)
		mean[j], variance[j] = rate-count, rate/2
	}
	return sum
}

func (counts) VarianceSlope() (float64, bool)                      { return 0, false }
func (counts) LogNormaliser([]float32, []float64, float64) float64 { return 0 }
func (counts) row(rng *rand.Rand) []float32 {
	return []float32{float32(rng.IntN(4)), 0.5 + rng.Float32()}
}
func (counts) loss(y []float32, f float64) float64 {
	f += math.Log(float64(y[1]))
	return math.Exp(f) - float64(y[0])*f
}

// labels are Bernoulli with a logit link, by Gauss–Hermite quadrature; the derivative by
// the variance is half of the mean of the second one by f.
type labels struct{}

func (labels) Offset(_ []float32, f []float64) { clear(f) }

func (labels) Expectation(y []float32, weights, mean, variance []float64) float64 {
	var sum float64
	for j, m := range mean {
		value, slope, curvature := 0.0, 0.0, 0.0
		expect(m, variance[j], func(weight, f float64) {
			loss, by := likelihood.Logistic(f, y[j:j+1])
			p := 1 / (1 + math.Exp(-f))
			value, slope, curvature = value+weight*loss, slope+weight*by, curvature+weight*p*(1-p)
		})
		sum += weights[j] * value
		mean[j], variance[j] = slope, curvature/2
	}
	return sum
}

func (labels) VarianceSlope() (float64, bool)                      { return 0, false }
func (labels) LogNormaliser([]float32, []float64, float64) float64 { return 0 }
func (labels) row(rng *rand.Rand) []float32                        { return []float32{float32(rng.IntN(2))} }
func (labels) loss(y []float32, f float64) float64                 { return math.Log1p(math.Exp(f)) - float64(y[0])*f }

// expect visits the nodes of a quadrature over N(mean, variance) with their weights.
func expect(mean, variance float64, visit func(weight, f float64)) {
	const nodes = 40
	var x, w [nodes]float64
	quad.Hermite{}.FixedLocations(x[:], w[:], math.Inf(-1), math.Inf(1))
	for i := range x {
		visit(w[i]/math.Sqrt(math.Pi), mean+math.Sqrt(2*variance)*x[i])
	}
}

// The bound of likelihoods whose cotangent of Var f differs from row to row, with
// several columns of targets and with weights, against enumeration of all control points
// and quadrature of log p(y | f).
func TestBoundOfAnyLikelihoodAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	orders := []int{1, 3}
	const n, batch, d = 20, 6, 2
	for _, law := range []interface {
		Likelihood
		row(*rand.Rand) []float32
		loss(y []float32, f float64) float64
	}{counts{}, labels{}} {
		s := newSurface(t, orders, 2, rng)
		params := normals(s.Size(), 0.5, rng)
		rows := Batch{X: uniforms(batch*d, rng), Outputs: len(law.row(rng))}
		for range batch {
			rows.Y, rows.Weights = append(rows.Y, law.row(rng)...), append(rows.Weights, 0.5+rng.Float32())
		}
		o := oracle(t, s, orders, params)
		const logDispersion = -1.3
		objective := func() (sum float64) {
			for p := range batch {
				at := coordinates(rows.X, p, d)
				expect(o.Mean(at), o.Covariance(at, at), func(weight, f float64) {
					sum += weight * rows.Weight(p) * law.loss(rows.Targets(p, p+1), f) * n / batch
				})
			}
			kl, _ := o.KL()
			return sum + math.Exp(logDispersion)*kl
		}
		pool := simd.NewPool(2)
		gradient := make([]float32, len(params))
		terms := NewBound(s, law, n, pool).Evaluate(params, logDispersion, rows, gradient)
		pool.Close()
		what := fmt.Sprintf("%T: ", law)
		testkit.Close(t, what+"objective", terms.Objective(), objective(), 1e-5, 0)
		for i := range params {
			want := testkit.CentralDifference(objective, &params[i], 1e-3)
			testkit.Close(t, fmt.Sprint(what, "gradient by parameter ", i), float64(gradient[i]), want, 1e-4, 1e-4)
		}
	}
}

// The four passes give what the quick way of a Gaussian does: the same gradient to the
// bit, and the same bound.
func TestFourPassesAgreeWithTheQuickWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	const d, n = 3, 700
	for _, buttresses := range []int{2, 9} {
		s := newSurface(t, []int{5, 2, 7}, buttresses, rng)
		params := normals(s.Size(), 0.4, rng)
		x, y := uniforms(n*d, rng), normals(n, 1, rng)
		quick, gradient := evaluate(s, likelihood.Gaussian{}, n, 2, params, -2, x, y)
		full, other := evaluate(s, general{likelihood.Gaussian{}}, n, 2, params, -2, x, y)
		testkit.Close(t, "ELBO", full.ELBO(), quick.ELBO(), 1e-12, 0)
		if full.Variance != 0 || quick.Variance == 0 || !slices.Equal(gradient, other) {
			t.Errorf("%d buttresses: another gradient, or linear terms %g and %g", buttresses, full.Variance, quick.Variance)
		}
	}
}

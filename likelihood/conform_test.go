package likelihood

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/internal/testkit"
)

// inhabitants are all laws of the table by their names, with what an oracle needs of them.
var inhabitants = map[string]struct {
	law        Likelihood
	logDensity func(y, f, dispersion float64) float64
	targets    []float32
	means      []float64 // of f
	dispersion float64
}{
	"gaussian": {
		Gaussian{}, logGaussian,
		[]float32{0, 1.5, -0.7}, []float64{0, -2, 0.25, 50}, 0.6,
	},
}

var variances = []float64{1e-6, 0.3, 7, 100}

// expectation returns E[g(f)], f ~ N(mean, variance), by Gauss–Hermite quadrature.
func expectation(mean, variance float64, g func(f float64) float64) float64 {
	return quad.Fixed(func(x float64) float64 {
		return g(mean+math.Sqrt(2*variance)*x) / math.Sqrt(math.Pi)
	}, math.Inf(-1), math.Inf(1), 40, quad.Hermite{}, 0)
}

// slope is the derivative of g at x by central differences.
func slope(g func(x float64) float64, x, h float64) float64 { return (g(x+h) - g(x-h)) / (2 * h) }

func TestLossIsTheLogDensity(t *testing.T) {
	for name, c := range inhabitants {
		for _, y := range c.targets {
			for _, f := range c.means {
				what := fmt.Sprintf("%s: y = %g, f = %g", name, y, f)
				own := []float32{y}
				value, by := c.law.Loss(f, own)
				log := -value/c.dispersion - c.law.LogNormaliser(own, []float64{1}, math.Log(c.dispersion))
				testkit.Close(t, what+": log density", log, c.logDensity(float64(y), f, c.dispersion), 1e-12, 1e-12)
				want := -c.dispersion * slope(func(f float64) float64 { return c.logDensity(float64(y), f, c.dispersion) }, f, 1e-4)
				testkit.Close(t, what+": slope", by, want, 1e-6, 1e-6)
			}
		}
	}
}

func TestExpectationAgreesWithQuadrature(t *testing.T) {
	for name, c := range inhabitants {
		for _, y := range c.targets {
			own, weight := []float32{y}, []float64{0.3}
			loss := func(f float64) float64 { value, _ := c.law.Loss(f, own); return value }
			for _, mean := range c.means {
				offset := []float64{math.NaN()}
				c.law.Offset(own, offset)
				for _, v := range variances {
					what := fmt.Sprintf("%s: y = %g, f ~ N(%g, %g)", name, y, mean, v)
					m, variance := []float64{offset[0] + mean}, []float64{v}
					value := c.law.Expectation(own, weight, m, variance)
					testkit.Close(t, what, value, weight[0]*expectation(mean, v, loss), 1e-9, 1e-9)
					byMean := slope(func(m float64) float64 { return expectation(m, v, loss) }, mean, 1e-3)
					testkit.Close(t, what+": by the mean", m[0], byMean, 1e-6, 1e-6)
					byVariance := slope(func(v float64) float64 { return expectation(mean, v, loss) }, v, v/2)
					testkit.Close(t, what+": by the variance", variance[0], byVariance, 1e-4, 1e-4)
					if linear, constant := c.law.VarianceSlope(); constant && linear != variance[0] {
						t.Errorf("%s: slope %g by the variance, %g everywhere", what, variance[0], linear)
					}
				}
				m := []float64{offset[0] + mean}
				value, by := c.law.Loss(mean, own)
				testkit.Close(t, name+": without variance", c.law.Expectation(own, weight, m, nil), weight[0]*value, 1e-12, 1e-12)
				testkit.Close(t, name+": slope without variance", m[0], by, 1e-12, 1e-12)
			}
		}
	}
}

// What the bound adds up over rows.
func TestExpectationAddsUpRows(t *testing.T) {
	for name, c := range inhabitants {
		y, weights := c.targets, []float64{0.5, 2, 0.25}
		f, variance := make([]float64, len(y)), make([]float64, len(y))
		var want, normaliser float64
		for j := range y {
			own, one, v := y[j:j+1], []float64{0.1 * float64(j)}, []float64{float64(j)}
			c.law.Offset(own, f[j:j+1])
			f[j] += 0.1 * float64(j)
			one[0], variance[j] = f[j], v[0]
			want += weights[j] * c.law.Expectation(own, []float64{1}, one, v)
			normaliser += weights[j] * c.law.LogNormaliser(own, []float64{1}, 0.2)
		}
		testkit.Close(t, name, c.law.Expectation(y, weights, f, variance), want, 1e-12, 1e-12)
		testkit.Close(t, name+": normaliser", c.law.LogNormaliser(y, weights, 0.2), normaliser, 1e-12, 1e-12)
	}
}

func TestDispersionMaximisesTheLikelihood(t *testing.T) {
	for name, c := range inhabitants {
		s, n, loss := c.law.NewStatistics(), 0.0, 0.0
		var terms []func(dispersion float64) float64
		for j, y := range c.targets {
			mean, variance, weight := 0.3*float64(j), 0.2+float64(j), 0.5*float64(1+j)
			s.Add([]float32{y}, weight, mean, variance)
			n += weight
			own, _ := c.law.Loss(mean, []float32{y})
			loss += weight * own
			terms = append(terms, func(dispersion float64) float64 {
				return weight * expectation(mean, variance, func(f float64) float64 { return c.logDensity(float64(y), f, dispersion) })
			})
		}
		likelihood := func(logDispersion float64) (sum float64) {
			for _, term := range terms {
				sum += term(math.Exp(logDispersion))
			}
			return sum
		}
		testkit.Close(t, name+": loss", s.Loss(), loss, 1e-12, 0)
		testkit.Close(t, name+": slope by log σ²", s.Slope(n, 0.4), -slope(likelihood, 0.4, 1e-4), 1e-6, 1e-8)
		best := math.Log(s.Dispersion(n))
		testkit.Close(t, name+": slope at the best σ²", slope(likelihood, best, 1e-4), 0, 0, 1e-6)
	}
}

// p(y) = ∫ p(y | f) N(f; mean, variance) df, whose mean without variance is E[y | f].
func TestPredictiveIntegratesOverF(t *testing.T) {
	for name, c := range inhabitants {
		for _, mean := range c.means[:3] {
			for _, v := range variances[:2] {
				d := c.law.Predictive(mean, v, c.dispersion)
				for _, y := range c.targets {
					want := expectation(mean, v, func(f float64) float64 { return math.Exp(c.logDensity(float64(y), f, c.dispersion)) })
					testkit.Close(t, fmt.Sprintf("%s: p(%g), f ~ N(%g, %g)", name, y, mean, v), math.Exp(d.LogDensity(float64(y))), want, 1e-5, 1e-9)
				}
			}
			response, _ := c.law.Predictive(mean, 0, c.dispersion).Moments()
			testkit.Close(t, name+": E[y | f]", c.law.Response(mean), response, 1e-12, 1e-12)
		}
	}
}

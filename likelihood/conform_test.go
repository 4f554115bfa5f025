package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// inhabitants are all laws of the table by their names, with what an oracle needs of them.
var inhabitants = map[string]struct {
	law        Likelihood
	logDensity func(y, f, dispersion float64) float64
	targets    []float32
	means      []float64 // of f
	dispersion float64   // of the log density −ℓ/σ² − c: any for a Gaussian, 1 where that is so at 1 alone
	predictive float64   // error of the predictive densities, relative; 0 where they are exact
}{
	"gaussian": {
		Gaussian{}, logGaussian,
		[]float32{0, 1.5, -0.7}, []float64{0, -2, 0.25, 50}, 0.6, 0,
	},
}

var variances = []float64{1e-6, 0.3, 7, 100}

// expectation returns E[g(f)], f ~ N(mean, variance), by the trapezoidal rule, whose error
// falls exponentially with the step where g is analytic about the real line.
func expectation(mean, variance float64, g func(f float64) float64) (sum float64) {
	const reach, step = 9, 1. / 64
	for k := -reach / step; k <= reach/step; k++ {
		z := k * step
		sum += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * g(mean+math.Sqrt(variance)*z)
	}
	return sum
}

// slope is the derivative of g at x by central differences.
func slope(g func(x float64) float64, x, h float64) float64 { return (g(x+h) - g(x-h)) / (2 * h) }

func TestLossIsTheLogDensity(t *testing.T) {
	for name, c := range inhabitants {
		for _, y := range c.targets {
			for _, f := range c.means {
				for _, dispersion := range []float64{1, c.dispersion} {
					what := fmt.Sprintf("%s: y = %g, f = %g, σ² = %g", name, y, f, dispersion)
					own := []float32{y}
					value, by := c.law.Loss(f, own)
					log := -value/dispersion - c.law.LogNormaliser(own, []float64{1}, math.Log(dispersion))
					testkit.Close(t, what+": log density", log, c.logDensity(float64(y), f, dispersion), 1e-12, 1e-12)
					want := -dispersion * slope(func(f float64) float64 { return c.logDensity(float64(y), f, dispersion) }, f, 1e-4)
					testkit.Close(t, what+": slope", by, want, 1e-6, 1e-6)
				}
			}
		}
	}
}

func TestExpectationAgreesWithQuadrature(t *testing.T) {
	for name, c := range inhabitants {
		for _, y := range c.targets {
			own, weight := []float32{y}, []float64{0.3}
			loss := func(f float64) float64 { value, _ := c.law.Loss(f, own); return value }
			by := func(f float64) float64 { _, slope := c.law.Loss(f, own); return slope }
			for _, mean := range c.means {
				offset := []float64{math.NaN()}
				c.law.Offset(own, offset)
				for _, v := range variances {
					what := fmt.Sprintf("%s: y = %g, f ~ N(%g, %g)", name, y, mean, v)
					m, variance := []float64{offset[0] + mean}, []float64{v}
					value := c.law.Expectation(own, weight, m, variance)
					testkit.Close(t, what, value, weight[0]*expectation(mean, v, loss), 1e-9, 1e-9)
					// By E[g′] and Stein's lemma, ½ E[g″] = E[(f − μ) g′]/(2 Var f).
					testkit.Close(t, what+": by the mean", m[0], expectation(mean, v, by), 1e-9, 1e-9)
					byVariance := expectation(mean, v, func(f float64) float64 { return (f - mean) * by(f) }) / (2 * v)
					testkit.Close(t, what+": by the variance", variance[0], byVariance, 1e-8, 1e-8)
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
					testkit.Close(t, fmt.Sprintf("%s: p(%g), f ~ N(%g, %g)", name, y, mean, v), math.Exp(d.LogDensity(float64(y))), want, max(c.predictive, 1e-5), 1e-9)
				}
			}
			response, _ := c.law.Predictive(mean, 0, c.dispersion).Moments()
			testkit.Close(t, name+": E[y | f]", c.law.Response(mean), response, 1e-12, 1e-12)
		}
	}
}

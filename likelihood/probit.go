package likelihood

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/predictive"
)

// Probit is a truth value, 1 with probability Φ(f) and 0 otherwise.
type Probit struct {
	none
	truths
}

var _ Scalar = Probit{}

// Name returns "bernoulli-probit".
func (Probit) Name() string { return "bernoulli-probit" }

// With returns the law.
func (l Probit) With(values []float64) (Scalar, error) { return l, checkValues(l, values) }

// Link is the quantile of the mean, from −8 to 8.
func (Probit) Link(mean float64) float64 {
	return min(max(distuv.UnitNormal.Quantile(min(max(mean, 0), 1)), -8), 8)
}

// Log is log Φ(±f).
func (Probit) Log(y, f float64) (value, first, second float64) {
	sign := 2*y - 1
	value, slope, second := logNormal(sign * f)
	return value, sign * slope, second
}

// logNormal is log Φ(x) with its two derivatives, r = φ/Φ and −r (r + x).
func logNormal(x float64) (value, first, second float64) {
	const far = 30 // where the asymptotic series of Φ has all digits
	if x > -far {
		p := normal(x)
		r := math.Exp(-x*x/2-logSqrt2Pi) / p
		if value = math.Log(p); x > 0 {
			value = math.Log1p(-normal(-x))
		}
		return value, r, -r * (r + x)
	}
	// Φ(−t) = φ(t) (1 − u)/t, u = 1/t² − 3/t⁴ + 15/t⁶ − …
	t := min(-x, 1e150)
	w := 1 / (t * t)
	u := w * (1 - w*(3-w*(15-w*(105-w*945))))
	r := t / (1 - u)
	return -t*t/2 - logSqrt2Pi + math.Log1p(-u) - math.Log(t), r, -r * (t * u / (1 - u))
}

// Expected is by quadrature: Φ has zeros at ±1.9 ± 2.8i.
func (l Probit) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return quadrature(mean, variance, 2.5, sliced(l, y))
}

// LogDensity is the logarithm of the probability.
func (l Probit) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l Probit) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return sliced(l, y), true
}

// CDF is the probability of 0 from there to 1.
func (l Probit) CDF(y, f float64) float64 { return l.cdf(y, normal(-f)) }

// Mean is the probability of 1.
func (Probit) Mean(f float64) float64 { return normal(f) }

// Variance is p (1 − p).
func (Probit) Variance(f float64) float64 { return normal(f) * normal(-f) }

// Place is 0, where both are as probable.
func (Probit) Place(float64) (lo, hi, width float64) { return 0, 0, 1 }

// Absorb returns the law at mean/√(1 + variance).
func (l Probit) Absorb(mean, variance float64) (law predictive.Law, f float64) {
	return l, mean / math.Sqrt(1+variance)
}

package likelihood

import "math"

// Exponential is an amount of mean e^f without memory, a [Gamma] of shape 1:
//
//	log p(y | f) = −f − y e^−f,  E log p = −μ − y e^(v/2 − μ)
type Exponential struct {
	none
	amounts
}

var _ Scalar = Exponential{}

// asGamma is the law as one with a shape.
var asGamma = Gamma{Shape: 1}

// Name returns "exponential".
func (Exponential) Name() string { return "exponential" }

// With returns the law.
func (l Exponential) With(values []float64) (Scalar, error) { return l, checkValues(l, values) }

// Link is the logarithm.
func (Exponential) Link(mean float64) float64 { return logLink(mean) }

// Log is the logarithm of the density.
func (Exponential) Log(y, f float64) (value, first, second float64) { return asGamma.Log(y, f) }

// Expected has a closed form.
func (Exponential) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return asGamma.Expected(y, mean, variance)
}

// LogDensity is the logarithm of the density.
func (l Exponential) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (Exponential) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return asGamma.Given(y)
}

// CDF is 1 − exp(−y e^−f).
func (Exponential) CDF(y, f float64) float64 {
	if !(y > 0) {
		return 0
	}
	return -math.Expm1(-exp(math.Log(y) - f))
}

// Mean is e^f.
func (Exponential) Mean(f float64) float64 { return exp(f) }

// Variance is e^2f.
func (Exponential) Variance(f float64) float64 { return exp(2 * f) }

// Place is log y.
func (Exponential) Place(y float64) (lo, hi, width float64) { return amountPlace(y, 1) }

// Moments are those of a mean that is log-normal.
func (Exponential) Moments(mean, variance float64) (expected, std float64) {
	return asGamma.Moments(mean, variance)
}

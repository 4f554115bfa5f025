package likelihood

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Gamma is an amount of mean e^f and variance e^2f/k, k being the shape:
//
//	log p(y | f) = k log k − log Γ(k) + (k − 1) log y − k (f + y e^−f)
//	E log p      = k log k − log Γ(k) + (k − 1) log y − k (μ + y e^(v/2 − μ))
type Gamma struct {
	amounts
	Shape float64
}

var _ Scalar = Gamma{}

// Name returns "gamma".
func (Gamma) Name() string { return "gamma" }

// Parameters returns the shape.
func (l Gamma) Parameters() []Parameter {
	return []Parameter{{"shape", l.Shape, 1e-2, 1e6, true}}
}

// With returns the law with another shape.
func (l Gamma) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return Gamma{Shape: values[0]}, nil
}

// Link is the logarithm.
func (Gamma) Link(mean float64) float64 { return logLink(mean) }

// Log is the logarithm of the density.
func (l Gamma) Log(y, f float64) (value, first, second float64) {
	value, first, byVariance := l.Expected(y, f, 0)
	return value, first, 2 * byVariance
}

// Expected has a closed form.
func (l Gamma) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	k, log := l.Shape, math.Log(y)
	ratio := exp(math.Log(k) + log - mean + variance/2) // k y e^(v/2 − μ)
	constant := k*(math.Log(k)+log-mean) - lgamma(k) - log
	return constant - ratio, ratio - k, -ratio / 2
}

// LogDensity is the logarithm of the density.
func (l Gamma) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l Gamma) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	k, logY := l.Shape, math.Log(y)
	at, beside := math.Log(k)+logY, lgamma(k)
	return func(f float64) (value, first, second float64) {
		ratio := exp(at - f) // k y e^−f
		return k*(at-f) - beside - logY - ratio, ratio - k, -ratio
	}, true
}

// CDF is the regularised incomplete gamma function of k at k y e^−f.
func (l Gamma) CDF(y, f float64) float64 {
	if !(y > 0) {
		return 0
	}
	return mathext.GammaIncReg(l.Shape, exp(math.Log(l.Shape)+math.Log(min(y, Largest))-f))
}

// Mean is e^f.
func (Gamma) Mean(f float64) float64 { return exp(f) }

// Variance is e^2f/k.
func (l Gamma) Variance(f float64) float64 { return exp(2*f - math.Log(l.Shape)) }

// Place is log y, over the deviation of y as a share of it.
func (l Gamma) Place(y float64) (lo, hi, width float64) {
	return amountPlace(y, 1/l.Shape)
}

// amountPlace is log y, over the coefficient of variation.
func amountPlace(y, square float64) (lo, hi, width float64) {
	at := within(math.Log(max(y, 0)))
	return at, at, min(1, math.Sqrt(square))
}

// Moments are those of a mean that is log-normal.
func (l Gamma) Moments(mean, variance float64) (expected, std float64) {
	return logMoments(mean, variance, 0, 1/l.Shape)
}

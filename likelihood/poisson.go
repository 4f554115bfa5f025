package likelihood

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Poisson is a count of mean e^f:
//
//	log p(y | f) = y f − e^f − log y!,  E log p = y μ − e^(μ + v/2) − log y!
type Poisson struct {
	none
	counts
}

var _ Scalar = Poisson{}

// Name returns "poisson".
func (Poisson) Name() string { return "poisson" }

// With returns the law.
func (l Poisson) With(values []float64) (Scalar, error) { return l, checkValues(l, values) }

// Link is the logarithm.
func (Poisson) Link(mean float64) float64 { return logLink(mean) }

// Log is the logarithm of the probability.
func (Poisson) Log(y, f float64) (value, first, second float64) {
	mu := exp(f)
	return y*f - mu - lgamma(y+1), y - mu, -mu
}

// Expected has a closed form.
func (Poisson) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	mu := exp(mean + variance/2)
	return y*mean - mu - lgamma(y+1), y - mu, -mu / 2
}

// LogDensity is the logarithm of the probability.
func (l Poisson) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l Poisson) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	constant := lgamma(y + 1)
	return func(f float64) (value, first, second float64) {
		mu := exp(f)
		return y*f - mu - constant, y - mu, -mu
	}, true
}

// CDF is Γ(y + 1, e^f)/Γ(y + 1).
func (Poisson) CDF(y, f float64) float64 {
	if y < 0 {
		return 0
	}
	return mathext.GammaIncRegComp(math.Floor(y)+1, exp(f))
}

// Mean is e^f.
func (Poisson) Mean(f float64) float64 { return exp(f) }

// Variance is e^f.
func (Poisson) Variance(f float64) float64 { return exp(f) }

// Place is log(y + ½), over the deviation of y as a share of it.
func (Poisson) Place(y float64) (lo, hi, width float64) { return countPlace(y, 0) }

// countPlace is that of a count with a mean of e^f and a variance of e^f + square e^2f.
func countPlace(y, square float64) (lo, hi, width float64) {
	y = min(max(y, 0)+0.5, Largest)
	return math.Log(y), math.Log(y), min(1, math.Sqrt(1/y+square))
}

// Moments are those of a mean that is log-normal.
func (Poisson) Moments(mean, variance float64) (expected, std float64) {
	return logMoments(mean, variance, 1, 0)
}

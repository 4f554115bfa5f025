package likelihood

import "math"

// Bernoulli is a truth value, 1 with probability 1/(1 + e^−f) and 0 otherwise:
//
//	log p(y | f) = y f − log(1 + e^f)
type Bernoulli struct {
	none
	truths
}

var _ Scalar = Bernoulli{}

// Name returns "bernoulli".
func (Bernoulli) Name() string { return "bernoulli" }

// With returns the law.
func (l Bernoulli) With(values []float64) (Scalar, error) { return l, checkValues(l, values) }

// Link is the logit.
func (Bernoulli) Link(mean float64) float64 { return logit(mean) }

// Log is the logarithm of the probability.
func (Bernoulli) Log(y, f float64) (value, first, second float64) {
	sign := 2*y - 1
	against := sigmoid(-sign * f)
	return -softplus(-sign * f), sign * against, -against * sigmoid(sign*f)
}

// Expected is by quadrature: log(1 + e^f) is singular at ±iπ.
func (l Bernoulli) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return quadrature(mean, variance, math.Pi, sliced(l, y))
}

// LogDensity is the logarithm of the probability.
func (l Bernoulli) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l Bernoulli) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return sliced(l, y), true
}

// CDF is the probability of 0 from there to 1.
func (l Bernoulli) CDF(y, f float64) float64 { return l.cdf(y, sigmoid(-f)) }

// Mean is the probability of 1.
func (Bernoulli) Mean(f float64) float64 { return sigmoid(f) }

// Variance is p (1 − p).
func (Bernoulli) Variance(f float64) float64 { return sigmoid(f) * sigmoid(-f) }

// Place is 0, where both are as probable.
func (Bernoulli) Place(float64) (lo, hi, width float64) { return 0, 0, 1 }

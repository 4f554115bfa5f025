package likelihood

import "math"

// ZeroInflatedPoisson is a count that is 0 with probability z, the share of zeros, and a
// Poisson count of mean e^f otherwise. Its mean is (1 − z) e^f.
//
//	log p(0 | f) = log(z + (1 − z) exp(−e^f)),  log p(y | f) = log(1 − z) + y f − e^f − log y!
type ZeroInflatedPoisson struct {
	counts
	Zeros float64 // z
}

var _ Scalar = ZeroInflatedPoisson{}

// Name returns "zero-inflated-poisson".
func (ZeroInflatedPoisson) Name() string { return "zero-inflated-poisson" }

// Parameters returns the share of zeros.
func (l ZeroInflatedPoisson) Parameters() []Parameter {
	return []Parameter{{"zeros", l.Zeros, 1e-4, 0.9999, false}}
}

// With returns the law with another share.
func (l ZeroInflatedPoisson) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return ZeroInflatedPoisson{Zeros: values[0]}, nil
}

// Link is log(mean/(1 − z)).
func (l ZeroInflatedPoisson) Link(mean float64) float64 { return logLink(mean / (1 - l.Zeros)) }

// Log is the logarithm of the probability.
func (l ZeroInflatedPoisson) Log(y, f float64) (value, first, second float64) {
	if y > 0 {
		value, first, second = Poisson{}.Log(y, f)
		return value + math.Log1p(-l.Zeros), first, second
	}
	mu := exp(f)
	poisson := (1 - l.Zeros) * math.Exp(-mu)
	p := l.Zeros + poisson
	q := poisson / p // the probability that a 0 is of the Poisson counts
	first = -mu * q
	if value = math.Log(p); mu < 0.5 {
		value = math.Log1p((1 - l.Zeros) * math.Expm1(-mu))
	}
	return value, first, first * (1 - mu*(l.Zeros/p))
}

// Expected has a closed form above 0. At 0 it is by quadrature: the logarithm is singular
// where exp(−e^f) = −z/(1 − z).
func (l ZeroInflatedPoisson) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	if y > 0 {
		value, byMean, byVariance = Poisson{}.Expected(y, mean, variance)
		return value + math.Log1p(-l.Zeros), byMean, byVariance
	}
	strip := math.Atan2(math.Pi, math.Log((1-l.Zeros)/l.Zeros))
	return quadrature(mean, variance, min(strip, math.Pi/2), sliced(l, 0))
}

// LogDensity is the logarithm of the probability.
func (l ZeroInflatedPoisson) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y, which is not concave at 0.
func (l ZeroInflatedPoisson) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return sliced(l, y), y > 0
}

// CDF is z and the share of the Poisson counts.
func (l ZeroInflatedPoisson) CDF(y, f float64) float64 {
	if y < 0 {
		return 0
	}
	return l.Zeros + (1-l.Zeros)*Poisson{}.CDF(y, f)
}

// Mean is (1 − z) e^f.
func (l ZeroInflatedPoisson) Mean(f float64) float64 { return (1 - l.Zeros) * exp(f) }

// Variance is (1 − z) e^f (1 + z e^f).
func (l ZeroInflatedPoisson) Variance(f float64) float64 {
	return min((1-l.Zeros)*(exp(f)+l.Zeros*exp(2*f)), Largest)
}

// Place is that of the Poisson count.
func (ZeroInflatedPoisson) Place(y float64) (lo, hi, width float64) { return countPlace(y, 0) }

// Moments are those of a mean that is log-normal.
func (l ZeroInflatedPoisson) Moments(mean, variance float64) (expected, std float64) {
	return logMoments(mean+math.Log1p(-l.Zeros), variance, 1, l.Zeros/(1-l.Zeros))
}

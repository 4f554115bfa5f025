package likelihood

import (
	"math"

	"beziergp/predictive"
)

// LogNormal is an amount with log y ~ N(f, σ²), σ being the deviation. Its mean is e^(f + σ²/2).
//
//	E log p = −log y − log √2π σ − ((log y − μ)² + v)/2σ²
type LogNormal struct {
	amounts
	Deviation float64
}

var _ Scalar = LogNormal{}

// Name returns "log-normal".
func (LogNormal) Name() string { return "log-normal" }

// Parameters returns the deviation.
func (l LogNormal) Parameters() []Parameter {
	return []Parameter{{"deviation", l.Deviation, 1e-4, 20, true}}
}

// With returns the law with another deviation.
func (l LogNormal) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return LogNormal{Deviation: values[0]}, nil
}

func (l LogNormal) variance() float64 { return l.Deviation * l.Deviation }

// Link is log(mean) − σ²/2.
func (l LogNormal) Link(mean float64) float64 { return logLink(mean) - l.variance()/2 }

// Log is the logarithm of the density.
func (l LogNormal) Log(y, f float64) (value, first, second float64) {
	value, first, byVariance := l.Expected(y, f, 0)
	return value, first, 2 * byVariance
}

// Expected has a closed form.
func (l LogNormal) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	log, noise := math.Log(y), l.variance()
	r := log - mean
	return -log - logSqrt2Pi - math.Log(l.Deviation) - (r*r+variance)/(2*noise), r / noise, -0.5 / noise
}

// LogDensity is the logarithm of the density.
func (l LogNormal) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l LogNormal) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	logY, noise := math.Log(y), l.variance()
	constant := -logY - logSqrt2Pi - math.Log(l.Deviation)
	return func(f float64) (value, first, second float64) {
		r := logY - f
		return constant - r*r/(2*noise), r / noise, -1 / noise
	}, true
}

// CDF is Φ((log y − f)/σ).
func (l LogNormal) CDF(y, f float64) float64 {
	if !(y > 0) {
		return 0
	}
	return normal((math.Log(y) - f) / l.Deviation)
}

// Mean is e^(f + σ²/2).
func (l LogNormal) Mean(f float64) float64 { return exp(f + l.variance()/2) }

// Variance is e^(2f + σ²) (e^σ² − 1).
func (l LogNormal) Variance(f float64) float64 {
	v := l.variance()
	return exp(2*f + v + math.Log(math.Expm1(v)))
}

// Place is log y, over σ.
func (l LogNormal) Place(y float64) (lo, hi, width float64) {
	lo, hi, _ = amountPlace(y, 0)
	return lo, hi, l.Deviation
}

// Absorb returns the log-normal law that the mixture is.
func (l LogNormal) Absorb(mean, variance float64) (law predictive.Law, f float64) {
	return LogNormal{Deviation: math.Sqrt(l.variance() + variance)}, mean
}

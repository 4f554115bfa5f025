package likelihood

import (
	"fmt"
	"math"
)

// Tweedie is an amount of mean μ = e^f and variance φ μ^p, 1 < p < 2, with a probability of 0: a sum
// of a Poisson number of gamma amounts. φ is the dispersion, p the power.
//
//	log p(y | f) = (y μ^(1−p)/(1 − p) − μ^(2−p)/(2 − p))/φ + log a(y, φ, p)
//	log P(0 | f) = −μ^(2−p)/(φ (2 − p))
//
// In E log p, μ^k becomes exp(k E f + ½ k² Var f).
type Tweedie struct {
	Dispersion, Power float64
	// Held says that the power is given, and not learned.
	Held bool
}

var (
	_ Scalar = Tweedie{}
	_ Holder = Tweedie{}
)

// Name returns "tweedie".
func (Tweedie) Name() string { return "tweedie" }

// Parameters returns dispersion and power.
func (l Tweedie) Parameters() []Parameter {
	power := Parameter{"power", l.Power, 1.01, 1.99, false}
	if l.Held {
		power.Lo, power.Hi = l.Power, l.Power
	}
	return []Parameter{{"dispersion", l.Dispersion, 1e-6, 1e6, true}, power}
}

// Hold returns the law with a power that is not learned.
func (l Tweedie) Hold(name string, value float64) (Scalar, error) {
	if name != "power" {
		return nil, fmt.Errorf("%q cannot be given; power can", name)
	}
	held := Tweedie{Dispersion: l.Dispersion, Power: value}
	if err := checkValues(l, []float64{held.Dispersion, held.Power}); err != nil {
		return nil, err
	}
	held.Held = true
	return held, nil
}

// With returns the law with another dispersion and power.
func (l Tweedie) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return Tweedie{values[0], values[1], l.Held}, nil
}

// Check wants a number of 0 or more.
func (Tweedie) Check(y float64) error {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return fmt.Errorf("%g: an amount is a finite number", y)
	case y < 0:
		return fmt.Errorf("%g: an amount cannot be negative", y)
	}
	return nil
}

// Link is the logarithm.
func (Tweedie) Link(mean float64) float64 { return logLink(mean) }

// Log is the logarithm of the density, of 0 that of the probability.
func (l Tweedie) Log(y, f float64) (value, first, second float64) {
	log, _ := l.Given(y)
	return log(f)
}

// Given returns Log at y.
func (l Tweedie) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	constant := l.logA(y)
	return func(f float64) (value, first, second float64) {
		value, first, byVariance := l.expected(y, f, 0)
		return constant + value, first, 2 * byVariance
	}, true
}

// Expected has a closed form.
func (l Tweedie) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	value, byMean, byVariance = l.expected(y, mean, variance)
	return l.logA(y) + value, byMean, byVariance
}

// expected is Expected without log a.
func (l Tweedie) expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	a, b := l.Power-1, 2-l.Power
	log := math.Log(l.Dispersion)
	pull := exp(math.Log(y) - log - a*mean + a*a*variance/2) // y μ^(1−p)/φ
	push := exp(-log + b*mean + b*b*variance/2)              // μ^(2−p)/φ
	return -pull/a - push/b, pull - push, -(a*pull + b*push) / 2
}

// LogDensity is the logarithm of the density, of 0 that of the probability.
func (l Tweedie) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Mean is e^f.
func (Tweedie) Mean(f float64) float64 { return exp(f) }

// Variance is φ e^(p f).
func (l Tweedie) Variance(f float64) float64 { return exp(math.Log(l.Dispersion) + l.Power*f) }

// Discrete is false.
func (Tweedie) Discrete() bool { return false }

// Support is 0 on.
func (Tweedie) Support() (lo, hi float64) { return 0, math.Inf(1) }

// Place is log y, and where 0 becomes probable.
func (l Tweedie) Place(y float64) (lo, hi, width float64) {
	zero := within(math.Log(l.Dispersion*(2-l.Power)) / (2 - l.Power))
	lo, hi, width = amountPlace(y, l.Dispersion*math.Exp((l.Power-2)*within(math.Log(max(y, 0)))))
	return min(lo, zero), max(hi, zero), width
}

// Moments are those of a mean that is log-normal.
func (l Tweedie) Moments(mean, variance float64) (expected, std float64) {
	expected, std = logMoments(mean, variance, 0, 0)
	p := l.Power
	within := exp((math.Log(l.Dispersion) + p*mean + p*p*variance/2) / 2)
	return expected, min(math.Hypot(std, within), Largest)
}

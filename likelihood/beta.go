package likelihood

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Beta is a share between 0 and 1 of mean m = 1/(1 + e^−f) and variance m (1 − m)/(1 + φ), φ being
// the precision:
//
//	log p(y | f) = log Γ(φ) − log Γ(a) − log Γ(b) + (a − 1) log y + (b − 1) log(1 − y), a = m φ, b = (1 − m) φ
type Beta struct{ Precision float64 }

var _ Scalar = Beta{}

// Name returns "beta".
func (Beta) Name() string { return "beta" }

// Parameters returns the precision.
func (l Beta) Parameters() []Parameter {
	return []Parameter{{"precision", l.Precision, 1e-2, 1e6, true}}
}

// With returns the law with another precision.
func (l Beta) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return Beta{Precision: values[0]}, nil
}

// Check wants a number between 0 and 1.
func (Beta) Check(y float64) error {
	switch {
	case y == 0 || y == 1:
		return fmt.Errorf("%g: shares of this law are above 0 and below 1; move the ends inwards, or take bernoulli if there is nothing between", y)
	case !(y > 0 && y < 1):
		return fmt.Errorf("%g: a share is above 0 and below 1", y)
	}
	return nil
}

// Link is the logit.
func (Beta) Link(mean float64) float64 { return logit(mean) }

// Log is the logarithm of the density.
func (l Beta) Log(y, f float64) (value, first, second float64) {
	log, _ := l.Given(y)
	return log(f)
}

// Given returns Log at y, which is not concave.
func (l Beta) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	phi, low, high := l.Precision, math.Log(y), math.Log1p(-y)
	constant := lgamma(phi) - low - high
	return func(f float64) (value, first, second float64) {
		f = within(f)
		m, rest := sigmoid(f), sigmoid(-f)
		a, b := m*phi, rest*phi
		value = constant - lgamma(a) - lgamma(b) + a*low + b*high
		// ψ and ψ′ times their arguments, which are finite at 0: xψ(x) = xψ(1 + x) − 1, x²ψ′(x) = x²ψ′(1 + x) + 1.
		slope := a*rest*(low-high) - rest*(a*mathext.Digamma(1+a)-1) + m*(b*mathext.Digamma(1+b)-1)
		bend := rest*rest*(a*a*trigamma(1+a)+1) + m*m*(b*b*trigamma(1+b)+1)
		return value, slope, slope*(rest-m) - bend
	}, false
}

// trigamma is ψ′.
func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// Expected is by quadrature: log Γ is singular at Im f = ±π.
func (l Beta) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return quadrature(mean, variance, 2.5, sliced(l, y))
}

// LogDensity is the logarithm of the density.
func (l Beta) LogDensity(y, f float64) float64 {
	if l.Check(y) != nil {
		return math.Inf(-1)
	}
	f = within(f)
	a, b := sigmoid(f)*l.Precision, sigmoid(-f)*l.Precision
	return lgamma(l.Precision) - lgamma(a) - lgamma(b) + (a-1)*math.Log(y) + (b-1)*math.Log1p(-y)
}

// CDF is the regularised incomplete beta function I(a, b) at y.
func (l Beta) CDF(y, f float64) float64 {
	switch {
	case !(y > 0):
		return 0
	case y >= 1:
		return 1
	}
	f = within(f)
	return min(1, mathext.RegIncBeta(sigmoid(f)*l.Precision, sigmoid(-f)*l.Precision, y))
}

// Mean is m.
func (Beta) Mean(f float64) float64 { return sigmoid(f) }

// Variance is m (1 − m)/(1 + φ).
func (l Beta) Variance(f float64) float64 { return sigmoid(f) * sigmoid(-f) / (1 + l.Precision) }

// Discrete is false.
func (Beta) Discrete() bool { return false }

// Support is 0 to 1.
func (Beta) Support() (lo, hi float64) { return 0, 1 }

// Place is the logit of y, over the deviation of y by the slope of the mean.
func (l Beta) Place(y float64) (lo, hi, width float64) {
	at := logit(y)
	return at, at, min(1, 1/math.Sqrt(sigmoid(at)*sigmoid(-at)*(1+l.Precision)))
}

package likelihood

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NegativeBinomial is a count of mean e^f and variance e^f + a e^2f, a being the dispersion:
//
//	log p(y | f) = log Γ(y + r)/(Γ(r) y!) + y log(a e^f) − (y + r) log(1 + a e^f), r = 1/a
type NegativeBinomial struct {
	counts
	Dispersion float64
}

var _ Scalar = NegativeBinomial{}

// Name returns "negative-binomial".
func (NegativeBinomial) Name() string { return "negative-binomial" }

// Parameters returns the dispersion.
func (l NegativeBinomial) Parameters() []Parameter {
	return []Parameter{{"dispersion", l.Dispersion, 1e-6, 1e3, true}}
}

// With returns the law with another dispersion.
func (l NegativeBinomial) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return NegativeBinomial{Dispersion: values[0]}, nil
}

// Link is the logarithm.
func (NegativeBinomial) Link(mean float64) float64 { return logLink(mean) }

// Log is the logarithm of the probability.
func (l NegativeBinomial) Log(y, f float64) (value, first, second float64) {
	return l.log(y, l.constant(y), 1/l.Dispersion, math.Log(l.Dispersion), f)
}

// constant is log p(y | f) less y f − (y + r) log(1 + a e^f).
func (l NegativeBinomial) constant(y float64) float64 {
	r := 1 / l.Dispersion
	if r < 20 {
		return lgamma(y+r) - lgamma(r) - lgamma(y+1) + y*math.Log(l.Dispersion)
	}
	// By Stirling's series for both, of which the large terms go.
	return (r+y-0.5)*math.Log1p(y/r) - y + stirling(r+y) - stirling(r) - lgamma(y+1)
}

// stirling is log Γ(x) − (x − ½) log x + x − log √2π for x of 20 and more, to 1e-16.
func stirling(x float64) float64 {
	w := 1 / (x * x)
	return (1./12 - w*(1./360-w*(1./1260-w*(1./1680-w/1188)))) / x
}

// log is Log, given the constant of y, r and log a.
func (NegativeBinomial) log(y, constant, r, logA, f float64) (value, first, second float64) {
	at := f + logA
	e := math.Exp(-math.Abs(at)) // of which sigmoids of both sides and softplus are made
	over, under := 1/(1+e), e/(1+e)
	if at < 0 {
		over, under = under, over
	}
	return constant + y*f - (y+r)*(max(at, 0)+math.Log1p(e)), y*under - r*over, -(y + r) * over * under
}

// Expected is by quadrature: log(1 + a e^f) is singular at Im f = ±π.
func (l NegativeBinomial) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	log, _ := l.Given(y)
	return quadrature(mean, variance, math.Pi, log)
}

// LogDensity is the logarithm of the probability.
func (l NegativeBinomial) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y.
func (l NegativeBinomial) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	constant, r, logA := l.constant(y), 1/l.Dispersion, math.Log(l.Dispersion)
	return func(f float64) (value, first, second float64) { return l.log(y, constant, r, logA, f) }, true
}

// CDF is the regularised incomplete beta function I(r, y + 1) at 1/(1 + a e^f).
func (l NegativeBinomial) CDF(y, f float64) float64 {
	if y < 0 {
		return 0
	}
	return mathext.RegIncBeta(1/l.Dispersion, math.Floor(y)+1, sigmoid(-f-math.Log(l.Dispersion)))
}

// Mean is e^f.
func (NegativeBinomial) Mean(f float64) float64 { return exp(f) }

// Variance is e^f + a e^2f.
func (l NegativeBinomial) Variance(f float64) float64 {
	return min(exp(f)+exp(2*f+math.Log(l.Dispersion)), Largest)
}

// Place is log(y + ½), over the deviation of y as a share of it.
func (l NegativeBinomial) Place(y float64) (lo, hi, width float64) {
	return countPlace(y, l.Dispersion)
}

// Moments are those of a mean that is log-normal.
func (l NegativeBinomial) Moments(mean, variance float64) (expected, std float64) {
	return logMoments(mean, variance, 1, l.Dispersion)
}

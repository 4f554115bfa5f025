package likelihood

import (
	"fmt"
	"math"

	"beziergp/predictive"
)

// Bernoulli is a truth value, 1 with probability 1/(1 + e^−f) and 0 otherwise, but for floors ε₀
// and ε₁ that the probabilities of both have whatever f: with them a share ε₀ + ε₁ of the labels tells
// nothing of f.
//
//	p(y | f) = ε_y + (1 − ε₀ − ε₁)/(1 + e^−(2y − 1) f)
//
// Without floors log p(y | f) = y f − log(1 + e^f).
type Bernoulli struct {
	truths
	Floors [2]float64
}

var (
	_ Scalar             = Bernoulli{}
	_ predictive.Floored = Bernoulli{}
	_ predictive.Gentle  = Bernoulli{}
)

// Name returns "bernoulli".
func (Bernoulli) Name() string { return "bernoulli" }

// Parameters returns the floors, none where both are zero: nothing but [Floored] changes that.
func (l Bernoulli) Parameters() []Parameter {
	if l.Floors == [2]float64{} {
		return nil
	}
	return []Parameter{{"floor of 0", l.Floors[0], 0, mostFloor, false}, {"floor of 1", l.Floors[1], 0, mostFloor, false}}
}

// mostFloor bounds a floor: with more, labels could tell less of f than the classes' shares do.
const mostFloor = 0.45

// With returns the law with other floors, none for no values.
func (l Bernoulli) With(values []float64) (Scalar, error) {
	if len(values) == 0 {
		return Bernoulli{}, nil
	}
	if len(values) != 2 {
		return l, fmt.Errorf("%s has the floors of 0 and of 1, or none, not %d", l.Name(), len(values))
	}
	own := Bernoulli{Floors: [2]float64(values)}
	return own, checkFloors(l.Name(), values)
}

// rest is the share of the labels that follow f.
func (l Bernoulli) rest() float64 { return 1 - l.Floors[0] - l.Floors[1] }

// Link is the logit of what f explains of the mean.
func (l Bernoulli) Link(mean float64) float64 { return logit((mean - l.Floors[1]) / l.rest()) }

// Log is the logarithm of the probability.
func (l Bernoulli) Log(y, f float64) (value, first, second float64) {
	sign := 2*y - 1
	with, against := sigmoid(sign*f), sigmoid(-sign*f)
	floor, rest := l.Floors[int(y)], l.rest()
	if floor == 0 { // then log p falls without end
		return math.Log(rest) - softplus(-sign*f), sign * against, -against * with
	}
	p := floor + rest*with
	of := rest * with / p // the probability that such a label follows f
	first = of * against
	return math.Log(p), sign * first, first*(against-with) - first*first
}

// Expected is by quadrature: log p is singular at odd multiples of ±iπ from a real number.
func (l Bernoulli) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	return quadrature(mean, variance, math.Pi, sliced(l, y))
}

// LogDensity is the logarithm of the probability.
func (l Bernoulli) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// Given returns Log at y, which a floor makes not concave.
func (l Bernoulli) Given(y float64) (log func(f float64) (value, first, second float64), concave bool) {
	return sliced(l, y), l.Floors[int(y)] == 0
}

// Parts are the floor of y and the law without floors.
func (l Bernoulli) Parts(y float64) (floor float64, others predictive.Law, share float64) {
	return l.Floors[int(y)], Bernoulli{}, l.rest()
}

// Probability is that of y.
func (l Bernoulli) Probability(y, f float64) float64 {
	return l.Floors[int(y)] + l.rest()*sigmoid((2*y-1)*f)
}

// CDF is the probability of 0 from there to 1.
func (l Bernoulli) CDF(y, f float64) float64 { return l.cdf(y, l.Floors[0]+l.rest()*sigmoid(-f)) }

// Mean is the probability of 1.
func (l Bernoulli) Mean(f float64) float64 { return l.Floors[1] + l.rest()*sigmoid(f) }

// Variance is p (1 − p).
func (l Bernoulli) Variance(f float64) float64 {
	return l.Mean(f) * (l.Floors[0] + l.rest()*sigmoid(-f))
}

// Place is 0, where both are as probable.
func (Bernoulli) Place(float64) (lo, hi, width float64) { return 0, 0, 1 }

package likelihood

import "fmt"

// Floored returns a law of classes that keeps every class the probability floors[k] whatever f, and
// divides what is left by f:
//
//	p(k | f) = floors_k + (1 − Σ_l floors_l) p₀(k | f)
//
// where p₀ is the law without floors. It is the law of labels of which a share is wrong. No floors, or zeros,
// give p₀. Laws that keep none are returned as they are, and false.
func Floored(l Likelihood, floors []float64) (Likelihood, bool) {
	all := 0.0
	for _, v := range floors {
		all += v
	}
	if all == 0 {
		floors = nil
	}
	switch l := l.(type) {
	case Classes:
		l.Floors = floors
		return l, true
	case Law:
		if own, ok := l.Scalar.(Bernoulli); ok {
			own.Floors = [2]float64{}
			copy(own.Floors[:], floors)
			return NewLaw(own, l.Base), true
		}
	}
	return l, false
}

// LabelNoise returns the share of the labels that tell nothing of f, the sum of the floors; 0 of a law without.
func LabelNoise(l Likelihood) (share float64) {
	switch l := l.(type) {
	case Classes:
		return 1 - l.rest()
	case Law:
		if own, ok := l.Scalar.(Bernoulli); ok {
			return 1 - own.rest()
		}
	}
	return 0
}

// checkFloors returns an error unless floors leave something to f.
func checkFloors(name string, floors []float64) error {
	all := 0.0
	for _, v := range floors {
		if !(v >= 0) {
			return fmt.Errorf("%s: a floor of %g; probabilities are 0 at least", name, v)
		}
		all += v
	}
	if !(all <= 2*mostFloor) {
		return fmt.Errorf("%s: floors that add up to %g; %g at most leaves something to the inputs", name, all, 2*mostFloor)
	}
	return nil
}

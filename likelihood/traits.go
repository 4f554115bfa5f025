package likelihood

import (
	"fmt"
	"math"
)

// What laws have in common, to be embedded.

// none has no parameters.
type none struct{}

// Parameters returns nil.
func (none) Parameters() []Parameter { return nil }

// truths are 0 and 1.
type truths struct{}

// Check wants 0 or 1.
func (truths) Check(y float64) error {
	if y != 0 && y != 1 {
		return fmt.Errorf("%g: a truth value is 0 or 1", y)
	}
	return nil
}

// Discrete is true.
func (truths) Discrete() bool { return true }

// Support is 0 to 1.
func (truths) Support() (lo, hi float64) { return 0, 1 }

// cdf is that of a truth value which is 0 with probability zero.
func (truths) cdf(y, zero float64) float64 {
	switch {
	case y < 0:
		return 0
	case y < 1:
		return zero
	}
	return 1
}

// counts are 0, 1, 2, …
type counts struct{}

// Check wants a count.
func (counts) Check(y float64) error {
	switch {
	case y < 0:
		return fmt.Errorf("%g: a count cannot be negative", y)
	case math.IsNaN(y) || math.IsInf(y, 0):
		return fmt.Errorf("%g: a count is a finite number", y)
	case y != math.Floor(y):
		return fmt.Errorf("%g: counts are whole numbers", y)
	}
	return nil
}

// Discrete is true.
func (counts) Discrete() bool { return true }

// Support is 0 on.
func (counts) Support() (lo, hi float64) { return 0, math.Inf(1) }

// amounts are positive numbers.
type amounts struct{}

// Check wants a positive number.
func (amounts) Check(y float64) error {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return fmt.Errorf("%g: an amount is a finite number", y)
	case y == 0:
		return fmt.Errorf("%g: amounts of this law are above 0; tweedie takes zeros", y)
	case y < 0:
		return fmt.Errorf("%g: an amount is above 0", y)
	}
	return nil
}

// Discrete is false.
func (amounts) Discrete() bool { return false }

// Support is 0 on.
func (amounts) Support() (lo, hi float64) { return 0, math.Inf(1) }

// checkValues returns an error unless the values are as many as the parameters and within
// their bounds.
func checkValues(l Scalar, values []float64) error {
	parameters := l.Parameters()
	if len(values) != len(parameters) {
		return fmt.Errorf("%s has %d parameters, not %d", l.Name(), len(parameters), len(values))
	}
	for i, p := range parameters {
		if v := values[i]; !(v >= p.Lo && v <= p.Hi) {
			return fmt.Errorf("%s: %s = %g must be from %g to %g", l.Name(), p.Name, v, p.Lo, p.Hi)
		}
	}
	return nil
}

// logDensity is the value of Log, −∞ where the law does not give y.
func logDensity[L Scalar](l L, y, f float64) float64 {
	if l.Check(y) != nil {
		return math.Inf(-1)
	}
	value, _, _ := l.Log(y, f)
	return value
}

// sliced is Log as a function of f.
func sliced[L Scalar](l L, y float64) func(f float64) (value, first, second float64) {
	return func(f float64) (value, first, second float64) { return l.Log(y, f) }
}

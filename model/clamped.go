package model

import "strings"

// Clamped tells which values of a prediction were clamped in their limits: a set of bits.
type Clamped uint8

const (
	// ClampedInputs: an input lay outside the box: a number was moved to its nearest
	// bound, a missing value or level that is in no training row was left out.
	ClampedInputs Clamped = 1 << iota
	// ClampedMean: the mean lay beyond [Limits], or beyond the range of the target.
	ClampedMean
	// ClampedStd: the variance of f, or that of the noise, lay above its limit.
	ClampedStd
	// ClampedShape: the logarithm of the ratio of densities lay above its limit, 10, somewhere.
	ClampedShape
	// ClampedInterval: an end of the interval was moved to the point, which lay beyond it.
	ClampedInterval
)

// clampedNames are the bits' names from the lowest on.
var clampedNames = []string{"inputs", "mean", "std", "shape", "interval"}

// ClampedBits returns every bit.
func ClampedBits() []Clamped {
	all := make([]Clamped, len(clampedNames))
	for i := range all {
		all[i] = 1 << i
	}
	return all
}

// String returns the names of the bits joined by +, as in mean+std, or none.
func (c Clamped) String() string {
	var names []string
	for i, name := range clampedNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, "+")
}

// mark sets a bit where a value was changed.
func (c *Clamped) mark(bit Clamped, before, after float64) {
	if before != after {
		*c |= bit
	}
}

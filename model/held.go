package model

import "strings"

// Held tells what of a prediction was held within its limits: a set of bits.
type Held uint8

const (
	// HeldInputs: an input lay outside the box: a number was moved to its nearest
	// bound, a missing value or level that is in no training row was left out.
	HeldInputs Held = 1 << iota
	// HeldMean: the mean lay beyond [Limits], or beyond the range of the target.
	HeldMean
	// HeldStd: the variance of f, or that of the noise, lay above its limit.
	HeldStd
	// HeldShape: the logarithm of the ratio of densities lay above its limit, 10, somewhere.
	HeldShape
	// HeldInterval: an end of the interval was moved to the point, which lay beyond it.
	HeldInterval
)

// heldNames are the bits' names from the lowest on.
var heldNames = []string{"inputs", "mean", "std", "shape", "interval"}

// HeldBits returns every bit.
func HeldBits() []Held {
	all := make([]Held, len(heldNames))
	for i := range all {
		all[i] = 1 << i
	}
	return all
}

// String returns the names of the bits joined by +, as in mean+std, or none.
func (h Held) String() string {
	var names []string
	for i, name := range heldNames {
		if h&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, "+")
}

// mark sets a bit where a value was changed.
func (h *Held) mark(bit Held, before, after float64) {
	if before != after {
		*h |= bit
	}
}

package beziergp

import (
	"math"

	"beziergp/box"
)

// Keeps tells whether a row is of use for training: whether it has a target and, if
// weight is not nil, a weight above 0. It fails with a [*box.WeightError], whose place is
// the caller's to fill in, where the weight is none.
func Keeps(y float64, weight *float64) (bool, error) {
	if weight != nil && !(*weight >= 0 && *weight <= math.MaxFloat64) {
		return false, &box.WeightError{Value: *weight}
	}
	return y == y && (weight == nil || *weight > 0), nil
}

// weighing scales weights to an average of 1, so that they leave the number of rows as
// it is.
type weighing struct {
	exponent int     // weights are divided by two to the power of it first, exactly, so that no sum overflows
	rows     float64 // number of the weights
	sum      float64
}

// newWeighing returns the scaling of n weights of which most is the largest; add takes
// in all of them.
func newWeighing(n int, most float64) weighing {
	_, exponent := math.Frexp(most)
	return weighing{exponent: exponent, rows: float64(n)}
}

func (w *weighing) add(weights []float64) {
	for _, v := range weights {
		w.sum += math.Ldexp(v, -w.exponent)
	}
}

// of returns the scaled weight.
func (w *weighing) of(v float64) float32 {
	return float32(math.Ldexp(v, -w.exponent) * w.rows / w.sum)
}

// check refuses a weight of a row that would not count at all beside the others, or by
// which no other would.
func (w *weighing) check(row int, column string, v float64) error {
	e := &box.WeightError{Place: box.Place{Row: row, Column: column}, Value: v}
	switch scaled := float64(w.of(v)); {
	case !(scaled > smallestWeight):
		e.Mean = math.Ldexp(w.sum/w.rows, w.exponent)
	case scaled > largestShare*w.rows:
		e.Share = scaled / w.rows
	default:
		return nil
	}
	return e
}

// smallestWeight is that of a row whose weight is still a number when it is multiplied by
// a squared error, beside an average of 1.
const smallestWeight = 1e-30

// largestShare is the share of all weights above which a row decides alone.
const largestShare = 0.9

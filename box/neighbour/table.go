package neighbour

import (
	"fmt"
	"math"
	"slices"

	"beziergp/box"
)

const (
	// MostKnots is the number of knots of a table, at most.
	MostKnots = 1 << 16
	// FewestRows is the number of training rows of a knot, at least.
	FewestRows = 4
)

// Table is what is kept of the training rows: means of the target over runs of neighbours,
// without a row of its own for any of them.
type Table struct {
	Order Order
	At    []float64 // positions of the knots, ascending: means over their rows
	Mean  []float64 // of the target at the knots
	Input box.Input // maps the table's values to the unit interval
}

// Value returns the target at a row of the box by its neighbours: between two knots by a
// straight line, beyond the last that of the last. It is NaN where the position is.
func (t *Table) Value(row []float32) float64 { return interpolate(t.Order.Position(row), t.At, t.Mean) }

// interpolate is linear between the knots and constant beyond.
func interpolate(p float64, at, mean []float64) float64 {
	if p != p {
		return p
	}
	i, exact := slices.BinarySearch(at, p)
	switch {
	case exact:
		return mean[i]
	case i == 0:
		return mean[0]
	case i == len(at):
		return mean[i-1]
	}
	return between(p, at[i-1], at[i], mean[i-1], mean[i])
}

func between(v, a, b, p, q float64) float64 {
	share := (v - a) / (b - a)
	return p*(1-share) + q*share
}

// Check returns an error unless the table is sound for rows of so many inputs.
func (t *Table) Check(inputs int) error {
	if err := t.Order.check(inputs); err != nil {
		return err
	}
	if n := len(t.At); n < 1 || n > MostKnots || len(t.Mean) != n {
		return fmt.Errorf("%d positions and %d means of knots: there are as many of each, from 1 to %d", n, len(t.Mean), MostKnots)
	}
	for i, at := range t.At {
		if !(at >= 0 && at <= mostPlaces) || i > 0 && !(t.At[i-1] < at) {
			return fmt.Errorf("the position of knot %d does not ascend", i)
		}
		if v := t.Mean[i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the mean of knot %d is %g", i, v)
		}
	}
	return t.Input.Check()
}

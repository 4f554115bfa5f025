package box

import (
	"math"
	"slices"

	"beziergp/table"
)

// Slope returns the derivative of the coordinate of an input by the value of its column, in
// units of the column, of a date-time in days. A scaling is piecewise linear: at a knot it is
// the derivative from the right, at the upper bound that from the left, and beyond the
// bounds 0. Of parts of a date-time that are steps, the day of the week and that of the year,
// and of what tells whether a value is missing it is 0. It is NaN of a missing value and of a category.
func (in *Input) Slope(v float64) float64 {
	inner := 1.0
	switch {
	case math.IsNaN(v) || in.Kind == table.Category:
		return math.NaN()
	case in.Part == Hour:
		inner = 24
	case in.Part == Yearday || in.Part == Weekday || in.Part == Absent:
		return 0
	}
	t := in.Of(v)
	switch {
	case t < in.Lo || t > in.Hi || in.Constant():
		return 0
	case in.Knots == nil:
		return inner / (in.Hi - in.Lo)
	}
	at, found := slices.BinarySearch(in.Knots, t)
	if found {
		at++
	}
	at = min(max(at, 1), len(in.Knots)-1)
	return inner * (in.Ranks[at] - in.Ranks[at-1]) / (in.Knots[at] - in.Knots[at-1])
}

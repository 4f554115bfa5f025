package train

import (
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
)

// Scaling says how inputs are mapped to the unit interval.
type Scaling string

const (
	Linear  Scaling = "linear" // from the smallest to the largest training value
	ByRanks Scaling = "ranks"  // by their empirical distribution function
)

// use takes up the data in a scaling: that they came in, or, from the values that
// their coordinates stand for, a linear one. A function that is linear, or nearly, in
// columns that are not uniform is simplest in the latter.
func (r *run) use(s Scaling) {
	r.widened = nil
	if s != Linear {
		r.data = r.given
		return
	}
	if r.linear == nil {
		d := r.given.with(slices.Clone(r.given.X))
		d.Inputs = slices.Clone(d.Inputs)
		for i := range d.Inputs {
			d.Inputs[i].Knots, d.Inputs[i].Ranks = nil, nil
		}
		rescale(d.X, r.given, d.Inputs)
		r.linear = &d
	}
	r.data = *r.linear
}

// rescale takes all coordinates of the data to those of other scalings, by the values
// that they stand for. Categories and missing values stay what they are.
func rescale(x []float32, data Data, to []box.Input) {
	d := len(to)
	for i, in := range data.Inputs {
		if in.Constant() || !basis.Ordered(data.Bases[i]) {
			continue
		}
		for at := i; at < len(x); at += d {
			if t := x[at]; t == t {
				x[at] = to[i].Coordinate(in.Value(float64(t)))
			}
		}
	}
}

// hasKnots tells whether any input is mapped otherwise than linearly.
func (r *run) hasKnots() bool {
	return slices.ContainsFunc(r.given.Inputs, func(in box.Input) bool { return in.Knots != nil })
}

package auto

import (
	"slices"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/train"
)

// in returns the data in a scaling: that which they came in, by ranks, or a linear one.
// A function that is linear, or nearly, in columns that are not uniform is simplest in
// the latter.
func (d *dataset) in(s train.Scaling) *dataset {
	if s == train.Linear {
		return d.linear()
	}
	return d
}

// toLinear takes the coordinates to linear scalings, by the values that they stand for. Where the law is not a Gaussian they
// are linear but for long tails.
func (d *dataset) toLinear() *dataset {
	inputs := slices.Clone(d.inputs)
	for i, in := range inputs {
		if d.gaussian() {
			inputs[i] = in.Unranked()
		} else {
			inputs[i] = in.Unskewed()
		}
	}
	linear := d.scaled(d.rescaled(inputs), inputs)
	linear.stream = d.stream.in(d, inputs)
	return linear
}

// widen takes the coordinates to a box that is wider than the rows. The number of nodes of
// a number is not limited by its distinct values there: Var f matters between and beyond
// them.
func (d *dataset) widen() *dataset {
	inputs, distinct := slices.Clone(d.inputs), slices.Clone(d.distinct)
	for i, in := range inputs {
		if d.distinct[i] > 1 && basis.Ordered(d.bases[i]) && in.Part != box.Absent {
			inputs[i], distinct[i] = in.Widen(), maxDistinct
		}
	}
	w := d.scaled(d.rescaled(inputs), inputs)
	w.distinct, w.law = distinct, nil // Var f is learned of the inputs alone
	if w.Columns() > 1 {
		w.Y, w.Outputs = make([]float32, d.Len()), 1
	}
	return w
}

// rescaled returns the coordinates in other scalings, by the values that they stand for.
// Categories and missing values stay what they are.
func (d *dataset) rescaled(to []box.Input) []float32 {
	x := slices.Clone(d.X)
	d.rescale(x, to)
	return x
}

// rescale takes coordinates like those of the data to other scalings.
func (d *dataset) rescale(x []float32, to []box.Input) {
	for i, in := range d.inputs {
		if in.Constant() || !basis.Ordered(d.bases[i]) {
			continue
		}
		for at := i; at < len(x); at += len(to) {
			if t := x[at]; t == t {
				x[at] = to[i].Coordinate(in.Value(float64(t)))
			}
		}
	}
}

// hasKnots tells whether any input is mapped otherwise than linearly.
func (d *dataset) hasKnots() bool {
	return slices.ContainsFunc(d.inputs, func(in box.Input) bool { return in.Knots != nil })
}

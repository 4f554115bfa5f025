package beziergp

import (
	"errors"
	"fmt"
	"slices"

	"beziergp/table"
)

// columns picks the inputs, the target and the row weights, nil for equal ones, out
// of the rows of a table that have a target and a weight above 0.
func (o Options) columns(t *Table, target string) (inputs *Table, y []float64, weights []float32, err error) {
	y, ok := t.Column(target)
	if !ok {
		return nil, nil, nil, fmt.Errorf("target: %w", table.Unknown(target, t.Names()))
	}
	if f, _ := t.Field(target); f.Kind == table.Category || f.Kind == table.DateTime {
		return nil, nil, nil, fmt.Errorf("target %q is a %s; a number is needed", target, f.Kind)
	}
	names, err := o.inputNames(t, target)
	if err != nil {
		return nil, nil, nil, err
	}
	if inputs, err = t.Select(names...); err != nil {
		return nil, nil, nil, err
	}
	keep := make([]bool, t.Rows())
	for i, v := range y {
		keep[i] = v == v
	}
	if weights, err = o.weights(t, keep); err != nil {
		return nil, nil, nil, err
	}
	if rows := count(keep); rows < t.Rows() {
		y, weights, inputs = pick(y, keep), pick(weights, keep), inputs.Filter(keep)
	}
	if len(y) < 2 {
		return nil, nil, nil, fmt.Errorf("too few training rows with a target, %d: at least 2 are needed", len(y))
	}
	return inputs, y, normalize(weights), nil
}

// inputNames returns the names of the columns to learn from.
func (o Options) inputNames(t *Table, target string) ([]string, error) {
	names := o.Inputs
	if names == nil {
		names = slices.DeleteFunc(t.Names(), func(name string) bool { return name == target || name == o.Weights })
	}
	for _, name := range names {
		switch name {
		case target:
			return nil, &OptionError{Option: "inputs", Problem: fmt.Sprintf("the target %q cannot be an input", target)}
		case o.Weights:
			return nil, &OptionError{Option: "inputs", Problem: fmt.Sprintf("the weights %q cannot be an input", name)}
		}
	}
	for _, name := range o.Exclude {
		if _, ok := t.Column(name); !ok {
			return nil, fmt.Errorf("exclude: %w", table.Unknown(name, t.Names()))
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(o.Exclude, name) })
	if len(names) == 0 {
		return nil, errors.New("no column is left to learn from")
	}
	return names, nil
}

// weights returns the row weights, nil if there are none, and takes rows of weight 0
// out of keep.
func (o Options) weights(t *Table, keep []bool) ([]float32, error) {
	if o.Weights == "" {
		return nil, nil
	}
	values, ok := t.Column(o.Weights)
	if !ok {
		return nil, fmt.Errorf("weights: %w", table.Unknown(o.Weights, t.Names()))
	}
	weights := make([]float32, len(values))
	for i, v := range values {
		if f, _ := t.Field(o.Weights); !(v >= 0) || f.Kind == table.Category || f.Kind == table.DateTime {
			return nil, fmt.Errorf("row %d, weights %q: %g is no weight; give a number from 0 on", i+1, o.Weights, v)
		}
		weights[i] = float32(v)
		keep[i] = keep[i] && weights[i] > 0
	}
	return weights, nil
}

// normalize scales weights to an average of 1, so that they leave the number of
// rows as it is.
func normalize(weights []float32) []float32 {
	var sum float64
	for _, w := range weights {
		sum += float64(w)
	}
	out := slices.Clone(weights) // the table's are not ours
	for i := range out {
		out[i] = float32(float64(out[i]) * float64(len(out)) / sum)
	}
	return out
}

func count(keep []bool) int {
	n := 0
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// pick returns the kept elements; of nil it returns nil.
func pick[T any](s []T, keep []bool) []T {
	var out []T
	for i, v := range s {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

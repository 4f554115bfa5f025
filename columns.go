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
	if err := numeric(t, "target", target); err != nil {
		return nil, nil, nil, err
	}
	names, err := o.inputNames(t, target)
	if err != nil {
		return nil, nil, nil, err
	}
	if inputs, err = t.Select(names...); err != nil {
		return nil, nil, nil, err
	}
	y, _ = t.Column(target)
	values, keep, err := o.weights(t, y)
	if err != nil {
		return nil, nil, nil, err
	}
	if rows := count(keep); rows < t.Rows() {
		y, values, inputs = pick(y, keep), pick(values, keep), inputs.Filter(keep)
	}
	if err := enough(len(y)); err != nil {
		return nil, nil, nil, err
	}
	return inputs, y, normalize(values), nil
}

// numeric refuses a column, called what, that a table lacks or that holds no numbers.
func numeric(t *Table, what, name string) error {
	f, ok := t.Field(name)
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", what, table.Unknown(name, t.Names()))
	case f.Kind == table.Category || f.Kind == table.DateTime:
		return fmt.Errorf("%s %q is a %s; a number is needed", what, name, f.Kind)
	}
	return nil
}

// enough refuses a number of rows that nothing can be learned from.
func enough(rows int) error {
	if rows < 2 {
		return fmt.Errorf("too few training rows with a target, %d: at least 2 are needed", rows)
	}
	return nil
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
	excluded := make(map[string]bool, len(o.Exclude))
	for _, name := range o.Exclude {
		excluded[name] = true
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return excluded[name] })
	if len(names) == 0 {
		return nil, errors.New("no column is left to learn from")
	}
	return names, nil
}

// weights returns the row weights, nil if there are none, and which rows to keep.
func (o Options) weights(t *Table, y []float64) (values []float64, keep []bool, err error) {
	if o.Weights != "" {
		if err := numeric(t, "weights", o.Weights); err != nil {
			return nil, nil, err
		}
		values, _ = t.Column(o.Weights)
	}
	keep = make([]bool, len(y))
	for i, v := range y {
		var weight *float64
		if values != nil {
			weight = &values[i]
		}
		if keep[i], err = Keeps(v, weight); err != nil {
			return nil, nil, fmt.Errorf("row %d, weights %q: %g is %w", i+1, o.Weights, *weight, err)
		}
	}
	return values, keep, nil
}

// Keeps tells whether a row is of use for training: whether it has a target and, if
// weight is not nil, a weight above 0. It fails where the weight is none.
func Keeps(y float64, weight *float64) (bool, error) {
	if weight != nil && !(*weight >= 0) {
		return false, errors.New("no weight; give a number from 0 on")
	}
	return y == y && (weight == nil || *weight > 0), nil
}

// normalize scales weights to an average of 1, so that they leave the number of
// rows as it is; nil stays nil.
func normalize(weights []float64) []float32 {
	if weights == nil {
		return nil
	}
	var sum float64
	for _, w := range weights {
		sum += w
	}
	out := make([]float32, len(weights))
	for i, w := range weights {
		out[i] = float32(w * float64(len(weights)) / sum)
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

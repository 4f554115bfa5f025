package beziergp

import (
	"errors"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/table"
)

// picked are the parts of a table that are learned from.
type picked struct {
	inputs  *Table
	y       []float64
	weights []float32 // 1 on average; nil for equal ones
	rows    []int     // of the table, counted from 1; nil for all of them
	all     int       // rows of the table
}

// dropped is the number of rows without a target or a weight above 0.
func (p *picked) dropped() int { return p.all - len(p.y) }

// row returns the row of the table that was the k-th picked, both counted from 1.
func (p *picked) row(k int) int {
	if p.rows == nil || k < 1 || k > len(p.rows) {
		return k
	}
	return p.rows[k-1]
}

// columns picks the inputs, the target and the row weights out of the rows of a table
// that have a target and a weight above 0.
func (o Options) columns(t *Table, target string) (*picked, error) {
	if err := numeric(t, "target", target); err != nil {
		return nil, err
	}
	names, err := o.inputNames(t, target)
	if err != nil {
		return nil, err
	}
	p := &picked{all: t.Rows()}
	if p.inputs, err = t.Select(names...); err != nil {
		return nil, err
	}
	p.y, _ = t.Column(target)
	weights, keep, err := o.weights(t, p.y)
	if err != nil {
		return nil, err
	}
	if rows := count(keep); rows < t.Rows() {
		for i, k := range keep {
			if k {
				p.rows = append(p.rows, i+1)
			}
		}
		p.y, weights, p.inputs = pick(p.y, keep), pick(weights, keep), p.inputs.Filter(keep)
	}
	if err := enough(len(p.y)); err != nil {
		return nil, err
	}
	p.weights, err = o.normalize(weights)
	return p, box.MoveRow(err, p.row)
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
			err.(box.RowError).At().Row, err.(box.RowError).At().Column = i+1, o.Weights
			return nil, nil, err
		}
	}
	return values, keep, nil
}

// normalize scales weights to an average of 1; nil stays nil.
func (o Options) normalize(weights []float64) ([]float32, error) {
	if weights == nil {
		return nil, nil
	}
	w := newWeighing(len(weights), slices.Max(weights))
	w.add(weights)
	out := make([]float32, len(weights))
	for i, v := range weights {
		if err := w.check(i+1, o.Weights, v); err != nil {
			return nil, err
		}
		out[i] = w.of(v)
	}
	return out, nil
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

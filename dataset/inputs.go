package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/table"
)

// fitBox fits the scalings of the inputs. A column without any value makes none: it says
// nothing.
func (s *Set) fitBox(ctx context.Context, o Options) error {
	var names []string
	for _, j := range s.columns.inputs {
		names = append(names, s.rows.Fields()[j].Name)
	}
	if err := o.checkBounds(names); err != nil {
		return err
	}
	absent, fitted := absences{}, s.fitColumns(o)
	for k, j := range s.columns.inputs {
		inputs, err := fitted[k].inputs, fitted[k].err
		var empty *box.EmptyError
		var bounds *box.BoundsError
		switch {
		case errors.As(err, &empty):
			continue
		case errors.As(err, &bounds): // maybe of a sample: the first row of all is meant
			if failed := s.firstBeyond(ctx, j, bounds); failed != nil {
				return failed
			}
			return err
		case err != nil:
			return err
		}
		s.Inputs = append(s.Inputs, inputs...)
		if o.Absent && len(inputs) > 0 && inputs[0].Missing && s.rows.Sample().Rows() == s.Rows && absent.tells(inputs[0].Kind, s.sampled(j)) {
			s.Inputs = append(s.Inputs, box.NewAbsent(inputs[0]))
		}
	}
	if !slices.ContainsFunc(s.Inputs, func(in box.Input) bool { return !in.Constant() }) {
		return fmt.Errorf("all %d training rows have the same inputs: there is nothing to learn from", s.Rows)
	}
	box.Distinguish(s.Inputs, s.names()...)
	s.box = box.New(s.Inputs)
	if err := s.box.Check(s.names()...); err != nil {
		return err
	}
	s.findColumns()
	return nil
}

// firstBeyond makes an error about a value beyond the bounds of a column that about the
// first of all rows.
func (s *Set) firstBeyond(ctx context.Context, column int, bounds *box.BoundsError) error {
	row, err := find(ctx, s.rows, column, func(v float64) bool {
		bounds.Value = v
		return v < bounds.Input.Lo || v > bounds.Input.Hi
	})
	bounds.Row = row
	return err
}

// fittedColumn is the inputs that a column makes, or why it makes none.
type fittedColumn struct {
	inputs []box.Input
	err    error
}

// fitColumns returns those of all columns of inputs.
func (s *Set) fitColumns(o Options) []fittedColumn {
	all := make([]fittedColumn, len(s.columns.inputs))
	var work errgroup.Group
	work.SetLimit(max(1, o.Workers))
	for k, j := range s.columns.inputs {
		work.Go(func() error {
			all[k].inputs, all[k].err = s.fitColumn(j, o)
			return nil
		})
	}
	_ = work.Wait() // errors are of columns, of which the first counts
	return all
}

// fitColumn returns the inputs that a column makes.
func (s *Set) fitColumn(column int, o Options) ([]box.Input, error) {
	f := s.rows.Fields()[column]
	bounds, bounded := o.Bounds[f.Name]
	if bounded && (f.Kind == table.Category || f.Kind == table.DateTime) {
		return nil, &limit.OptionError{Option: "bounds", Problem: fmt.Sprintf("the input %q is a %s, and only numbers have bounds; leave them out", f.Name, f.Kind)}
	}
	var in box.Input
	var err error
	switch {
	case f.Kind == table.Category:
		known := s.rows.Summary(column)
		in, err = box.FitCategory(f, known.Counts, known.Missing)
	case f.Kind == table.DateTime && f.Name == o.Time:
		return box.FitCycles(f.Name, s.sampled(column))
	case f.Kind == table.DateTime:
		fit := box.FitDateTime
		if o.Time != "" && f.Parts != nil { // another name for what rows lie along
			fit = box.FitCycles
		}
		all, err := fit(f.Name, s.sampled(column))
		for i := range all {
			all[i].Parts = f.Parts
		}
		return all, err
	case bounded:
		in, err = box.DeclareInput(f.Name, bounds, s.sampled(column))
	case o.ByRanks:
		in, err = box.RankInput(f.Name, s.sampled(column))
	default:
		in, err = box.FitInput(f.Name, s.sampled(column))
	}
	in.Kind = f.Kind
	return []box.Input{in}, err
}

// sampled returns the values that the scaling of a column is fitted to: those of all rows,
// or of a sample of them with the extremes of all.
func (s *Set) sampled(column int) []float64 {
	sample := s.rows.Sample()
	values, _ := sample.Column(s.rows.Fields()[column].Name)
	if sample.Rows() == s.Rows {
		return values
	}
	known := s.rows.Summary(column)
	values = append(slices.Clone(values), known.Lo, known.Hi) // NaN where there is none
	if known.Missing > 0 {
		values = append(values, math.NaN())
	}
	return values
}

// findColumns finds the columns of the box among those of the rows.
func (s *Set) findColumns() {
	places := make(map[string]int)
	for _, j := range s.columns.inputs {
		places[s.rows.Fields()[j].Name] = j
	}
	for _, want := range s.box.Columns() {
		j := places[want.Name]
		var codes []float64
		if want.Kind == table.Category {
			codes = s.rows.Fields()[j].Codes(want)
		}
		s.from, s.codes = append(s.from, j), append(s.codes, codes)
	}
}

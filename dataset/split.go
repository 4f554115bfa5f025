package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/table"
)

// role says what keeps a column of t from being an input; empty for nothing. Cycles of a
// date-time are inputs though it is the time.
func (o Options) role(t *table.Table, name string) string {
	f, _ := t.Field(name)
	switch {
	case name == "":
		return ""
	case name == o.Weights:
		return "weights"
	case name == o.Group:
		return "group"
	case name == o.Held:
		return "mark of validation rows"
	case name == o.Offset:
		return "offset"
	case name == o.Exposure:
		return "exposure"
	case name == o.Time && f.Kind != table.DateTime:
		return "time"
	}
	return ""
}

// checkSplit refuses columns that cannot split the rows of t.
func (o Options) checkSplit(t *table.Table) error {
	for _, column := range []struct{ what, name string }{{"group", o.Group}, {"time", o.Time}, {"held", o.Held}} {
		what, name := column.what, column.name
		f, ok := t.Field(name)
		switch {
		case name == "":
		case !ok:
			return fmt.Errorf("%s: %w", what, table.Unknown(name, t.Names()))
		case slices.ContainsFunc(o.Targets, func(target box.Target) bool { return target.Name == name }) || name == o.Weights:
			return &limit.OptionError{Option: what, Problem: fmt.Sprintf("%q is the target, or the weights; it cannot be both", name)}
		case what != "group" && f.Kind == table.Category:
			return fmt.Errorf("%s %q is a %s; a number is needed", what, name, f.Kind)
		}
	}
	if o.Group != "" && o.Time != "" {
		return &limit.OptionError{Option: "group", Problem: "rows are split by groups or along the time, not by both; leave one out"}
	}
	return nil
}

// checkSplit refuses rows that lack what splits them.
func (s *Set) checkSplit(ctx context.Context) error {
	for _, column := range []int{s.columns.group, s.columns.time, s.columns.held} {
		if column < 0 || s.rows.Summary(column).Missing == 0 {
			continue
		}
		row, err := find(ctx, s.rows, column, func(v float64) bool { return v != v })
		if err != nil {
			return err
		}
		return &box.MissingError{Place: box.Place{Row: row, Column: s.rows.Fields()[column].Name}}
	}
	if column := s.columns.held; column >= 0 {
		var bad float64
		row, err := find(ctx, s.rows, column, func(v float64) bool {
			bad = v
			return v != 0 && v != 1
		})
		if err != nil || row > 0 {
			return errors.Join(err, &box.MarkError{Place: box.Place{Row: row, Column: s.rows.Fields()[column].Name}, Value: bad})
		}
	}
	return nil
}

// Split returns by what some rows are split, in ascending order; all where numbers are nil:
// the ranks of their groups among those there are, their times, and which of them are held
// out; nil for what the options do not name.
func (s *Set) Split(ctx context.Context, numbers []int) (groups []int, times []float64, held []bool, err error) {
	var values []float64 // of the groups
	at, next := 0, 0     // the first row of the block, the next of numbers
	err = each(ctx, s.rows, func(block [][]float64, n int) error {
		take := func(i int) {
			if c := s.columns.group; c >= 0 {
				values = append(values, block[c][i])
			}
			if c := s.columns.time; c >= 0 {
				times = append(times, block[c][i])
			}
			if c := s.columns.held; c >= 0 {
				held = append(held, block[c][i] == 1)
			}
		}
		if numbers == nil {
			for i := range n {
				take(i)
			}
		}
		for ; next < len(numbers) && numbers[next] < at+n; next++ {
			take(numbers[next] - at)
		}
		at += n
		return nil
	})
	return ranks(values), times, held, err
}

// ranks returns the ranks of values among the distinct ones, from 0 on.
func ranks(values []float64) []int {
	if values == nil {
		return nil
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	ranks := make([]int, len(values))
	for i, v := range values {
		ranks[i], _ = slices.BinarySearch(distinct, v)
	}
	return ranks
}

// Splits tells whether rows are split otherwise than at random.
func (s *Set) Splits() bool {
	return s.columns.group >= 0 || s.columns.time >= 0 || s.columns.held >= 0
}

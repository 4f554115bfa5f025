package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/printable"
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
	if o.Held != "" && (o.Group != "" || o.Time != "") {
		return &limit.OptionError{Option: "held", Problem: "the rows that it marks are held out whatever their group or time; leave it out, or the group and the time"}
	}
	return nil
}

// MarksError reports marks that leave no row to choose by, or fewer than two to learn from.
type MarksError struct {
	Column       string
	Marked, Rows int // of those that are learned from
}

func (e *MarksError) Error() string {
	problem, remedy := e.Fault()
	return fmt.Sprintf("column %s: %s; %s", printable.Quoted(e.Column), problem, remedy)
}

// Fault says what is wrong with the marks, and what to do.
func (e *MarksError) Fault() (problem, remedy string) {
	if e.Marked == 0 {
		return "marks none of the rows that are taken", "mark those to choose by with 1"
	}
	return fmt.Sprintf("marks %d of %d rows", e.Marked, e.Rows), "at least two must be left to learn from: mark them with 0"
}

// checkSeveral refuses groups or times of which there is one: none could be held out.
func (s *Set) checkSeveral(column int, what string) error {
	if column < 0 {
		return nil
	}
	known, f := s.rows.Summary(column), s.rows.Fields()[column]
	if known.Lo != known.Hi {
		return nil
	}
	text := (&box.Input{Kind: f.Kind, Levels: f.Levels}).Text(known.Lo)
	return fmt.Errorf("column %s: %s in every row: at least two %s are needed, to learn from and to choose by; name another column, or none",
		printable.Quoted(f.Name), printable.Quoted(text), what)
}

// checkSplit refuses rows that lack what splits them, and what would split none off.
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
		marked, name := 0, s.rows.Fields()[column].Name
		row, err := find(ctx, s.rows, column, func(v float64) bool {
			bad = v
			if v == 1 {
				marked++
			}
			return v != 0 && v != 1
		})
		if err != nil || row > 0 {
			return errors.Join(err, &box.MarkError{Place: box.Place{Row: row, Column: name}, Value: bad})
		}
		if marked == 0 || s.Rows-marked < 2 {
			return &MarksError{name, marked, s.Rows}
		}
	}
	return errors.Join(s.checkSeveral(s.columns.group, "groups"), s.checkSeveral(s.columns.time, "times"))
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

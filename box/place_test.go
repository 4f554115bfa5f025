package box

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"beziergp/predictive"
	"beziergp/table"
)

// An error about a value says which it is, what is wrong and what to do.
func TestErrorsAboutValues(t *testing.T) {
	at := func(column, text string) Place { return Place{Row: 3, Column: column, Text: text} }
	number, level := Input{Lo: 0, Hi: 10}, Input{Kind: table.Category}
	hour := Input{Name: "when.hour", Column: "when", Kind: table.DateTime, Part: Hour, Lo: 6, Hi: 18}
	const further = `mend the value, train on a wider range, or choose the policy "clip"`
	for _, c := range []struct {
		err  RowError
		want string
	}{
		{&BoundsError{at("x", ""), number, 11},
			`row 3, column "x": 11 lies outside the declared bounds [0, 10]; widen the bounds or remove the row`},
		{&OutsideError{at("x", ""), number, 11}, `row 3, column "x": 11 lies outside the box, [0, 10]; ` + further},
		{&OutsideError{at("x", ""), number, math.NaN()},
			`row 3, column "x": the value is missing, as it was in no training row; give one, or choose the policy "clip"`},
		{&OutsideError{at("c", "red"), level, 2},
			`row 3, column "c": "red" is a level not seen in training; mend it, or choose the policy "clip"`},
		{&OutsideError{at("c", ""), level, 2},
			`row 3, column "c": the value is a level not seen in training; mend it, or choose the policy "clip"`},
		{&OutsideError{at("when", "at five"), hour, 5},
			`row 3, column "when": "at five" lies outside the box by its hour, 5, [6, 18]; ` + further},
		{&ValueError{at("x", ""), math.Inf(1)}, `row 3, column "x": +Inf is not a finite number; mend the value or remove the row`},
		{&TransformError{at("y", ""), Target{Transform: Log1p}, -2},
			`row 3, column "y": -2 is no number above −1, which log1p takes; choose another transform or remove the row`},
		{&RangeError{at("y", ""), Target{Range: &predictive.Range{Lo: 0, Hi: math.Inf(1)}}, -2},
			`row 3, column "y": -2 lies beyond the range 0:; widen the range or remove the row`},
		{&WeightError{Place: at("w", ""), Value: -2}, `row 3, column "w": -2 is no weight; give a number from 0 on`},
		{&WeightError{Place: at("w", ""), Value: 1e-300, Mean: 7},
			`row 3, column "w": 1e-300 is too small a weight beside the average one, 7; give 0 to leave the row out, or weights that lie closer together`},
		{&WeightError{Place: at("w", ""), Value: 5, Share: 0.625},
			`row 3, column "w": 5 is 62.5 % of all weights, so that one row would decide alone; give weights that lie closer together`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%T: %s; want %s", c.err, got, c.want)
		}
	}
}

// A row of a block is one of the table.
func TestOffsetMovesTheRow(t *testing.T) {
	own := &ValueError{Place{Row: 3, Column: "x"}, math.Inf(1)}
	wrapped := fmt.Errorf("reading: %w", own)
	if err := Offset(wrapped, 100); err != wrapped || own.Row != 103 {
		t.Errorf("row %d, %v", own.Row, err)
	}
	other := errors.New("of no row")
	if Offset(other, 100) != other || Offset(nil, 100) != nil {
		t.Error("an error of no row is another one")
	}
}

// The levels of a category stand in the table alone.
func TestNameLevel(t *testing.T) {
	levels := []string{"red", "green"}
	data, err := table.New(
		table.Column{Name: "c", Kind: table.Category, Levels: levels, Values: []float64{1, math.NaN(), 2, 0}},
		table.Column{Name: "x", Values: []float64{1, 2, 3, 0}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		row    int
		column string
		want   string
	}{
		{1, "c", "green"}, {2, "c", ""}, {3, "c", ""}, {4, "c", "red"}, // the second is missing, the third unknown
		{0, "c", ""}, {5, "c", ""}, // no rows of the table
		{4, "x", ""}, {4, "z", ""},
	} {
		e := &OutsideError{Place: Place{Row: c.row, Column: c.column}, Value: 1}
		if err := NameLevel(e, data); err != error(e) || e.Text != c.want {
			t.Errorf("row %d, column %s: level %q, want %q", c.row, c.column, e.Text, c.want)
		}
	}
	other := errors.New("of no row")
	if NameLevel(other, data) != other || NameLevel(nil, data) != nil {
		t.Error("an error of no row is another one")
	}
}

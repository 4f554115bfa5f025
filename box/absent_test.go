package box_test

import (
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/table"
)

// Of a column that lacks values two inputs are made: the values, and whether they are there. A value beyond the bounds is there.
func TestAbsent(t *testing.T) {
	nan := math.NaN()
	for what, column := range map[string]struct {
		kind   table.Kind
		values []float64
	}{
		"numbers":      {table.Numeric, []float64{3, nan, 5, 4, nan}},
		"truth values": {table.Boolean, []float64{0, nan, 1, 1, nan}},
	} {
		in, err := box.FitInput("a", column.values)
		if err != nil {
			t.Fatal(err)
		}
		in.Kind = column.kind
		absent := box.NewAbsent(in)
		b := box.New([]box.Input{in, absent})
		if err := b.Check("y"); err != nil || len(b.Columns()) != 1 || absent.Name != "a.missing" {
			t.Errorf("%s: %v, %d columns, input %q", what, err, len(b.Columns()), absent.Name)
		}
		inside, outside, x := make([]bool, 3), make([]int, 2), make([]float32, 6)
		if err := b.Map(x, [][]float64{{column.values[0], nan, 99}}, box.Clip, inside, outside); err != nil {
			t.Fatal(err)
		}
		for row, want := range []float32{0, 1, 0} {
			if got := x[2*row+1]; got != want {
				t.Errorf("%s, row %d: %g, want %g", what, row, got, want)
			}
		}
		if !slices.Equal(inside, []bool{true, true, false}) || !slices.Equal(outside, []int{1, 0}) {
			t.Errorf("%s: inside %v, outside by input %v", what, inside, outside)
		}
		if s := absent.Slope(3); s != 0 {
			t.Errorf("%s: slope %g of what has none", what, s)
		}
		if wide := absent.Widen(); wide.Check() != nil || wide.Lo != 0 || wide.Hi != 1 {
			t.Errorf("%s: widened to [%g, %g]", what, wide.Lo, wide.Hi)
		}
	}
	dates, err := box.FitDateTime("when", []float64{0, nan, 86400 * 3, 86400 * 400})
	if err != nil {
		t.Fatal(err)
	}
	b := box.New(append(dates, box.NewAbsent(dates[0])))
	if err := b.Check("y"); err != nil || len(b.Columns()) != 1 || b.Columns()[0].Kind != table.DateTime {
		t.Errorf("of a date: %v, columns %v", err, b.Columns())
	}
	for what, broken := range map[string]func(*box.Input){
		"a category": func(in *box.Input) { in.Kind = table.Category },
		"bounds":     func(in *box.Input) { in.Hi = 2 },
		"ranks":      func(in *box.Input) { in.Knots, in.Ranks = []float64{0, 1}, []float64{0, 1} },
	} {
		in := box.NewAbsent(dates[0])
		if broken(&in); in.Check() == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Few missing values, or few known ones, tell nothing, and a category has a level for them.
func TestTellsAbsent(t *testing.T) {
	for _, c := range []struct {
		kind          table.Kind
		missing, rows int
		want          bool
	}{
		{table.Numeric, 5, 1000, true}, {table.Numeric, 4, 1000, false}, {table.Numeric, 996, 1000, false}, {table.Numeric, 995, 1000, true},
		{table.Boolean, 1, 100, true}, {table.DateTime, 2, 101, true}, {table.DateTime, 1, 101, false}, {table.Numeric, 0, 50, false},
		{table.Category, 500, 1000, false},
	} {
		if got := box.TellsAbsent(c.kind, c.missing, c.rows); got != c.want {
			t.Errorf("%d missing %s values of %d: %t", c.missing, c.kind, c.rows, got)
		}
	}
}

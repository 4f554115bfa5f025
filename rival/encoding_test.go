package rival

import (
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/table"
)

var nan = math.NaN()

// mixed are inputs of every kind, by hand.
var mixed = []box.Input{
	{Name: "x", Lo: 1, Hi: 5, Missing: true},
	{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, Pooled: box.Pool("c", []string{"a", "b"}, []string{"rare"})},
	{Name: "closed", Kind: table.Category, Levels: []string{"p", "q"}, Missing: true, MissingLevel: true},
	{Name: "same", Lo: 7, Hi: 7},
	{Name: "b", Kind: table.Boolean, Hi: 1},
	{Name: "t.time", Column: "t", Kind: table.DateTime, Part: box.Time, Hi: 10},
	{Name: "t.hour", Column: "t", Kind: table.DateTime, Part: box.Hour, Hi: 23},
}

const day = 24 * 3600

func TestEncoding(t *testing.T) {
	b := box.New(mixed)
	train := [][]float64{{1, nan, 5}, {0, 1, 2}, {0, nan, 1}, {7, 7, 7}, {1, 0, 1}, {0, 2 * day, 4*day + 6*3600}}
	e := newEncoding(b, means(b, train))
	for i, want := range []float64{3, 0, 0, 7, 2.0 / 3, 6.25 / 3, 2} {
		if got := e.means[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("mean of %s: %g, want %g", mixed[i].Name, got, want)
		}
	}
	// Within the box; missing; beyond it, with levels that are not known.
	rows := [][]float64{{2, nan, 9}, {1, nan, 3}, {0, nan, 2}, {7, nan, 8}, {0, nan, 1}, {day / 2, nan, 20 * day}}
	third := 2.0 / 3
	for policy, beyond := range map[box.Policy][]float64{
		box.Extrapolate: {9, 0, 0, 0, 1, 0, 0, 0, 1, 20, 0},
		box.Clip:        {5, 0, 0, 0, 1, 0, 0, 0, 1, 10, 0},
	} {
		want := slices.Concat(
			[]float64{2, 0, 0, 1, 0, 1, 0, 0, 0, 0.5, 12},
			[]float64{3, 1, 0, 0, 0, 0, 0, 1, third, 6.25 / 3, 2},
			beyond)
		inside, outside := make([]bool, 3), make([]int, len(mixed))
		got, err := e.rows(rows, policy, inside, outside)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || e.width != 11 {
			t.Fatalf("%d numbers of %d a row, want %d", len(got), e.width, len(want))
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s, row %d, number %d: %g, want %g", policy, i/11+1, i%11+1, got[i], want[i])
			}
		}
		if !slices.Equal(inside, []bool{true, false, false}) || !slices.Equal(outside, []int{1, 2, 1, 2, 1, 2, 1}) {
			t.Errorf("%s: inside %v, outside %v", policy, inside, outside)
		}
	}
	var refused *box.OutsideError
	if _, err := e.rows(rows, box.Refuse, make([]bool, 3), make([]int, len(mixed))); !errors.As(err, &refused) || refused.Row != 3 || refused.Input.Name != "x" {
		t.Errorf("error %v", err)
	}
	for j, want := range []string{"x", "x", "c", "c", "c", "closed", "closed", "closed", "b", "t.time", "t.hour"} {
		if got := e.input(j + 1).Name; got != want {
			t.Errorf("number %d is of %s, want %s", j+1, got, want)
		}
	}
}

// Numbers are not rounded to float32 on their way.
func TestNumbersKeepTheirDigits(t *testing.T) {
	e := newEncoding(box.New([]box.Input{{Name: "x", Lo: 1e9, Hi: 1e9 + 1}}), []float64{1e9})
	x, err := e.rows([][]float64{{1e9 + 1.0/3}}, box.Clip, make([]bool, 1), make([]int, 1))
	if err != nil || x[0] != 1e9+1.0/3 {
		t.Errorf("%v, %v", x, err)
	}
}

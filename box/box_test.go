package box

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/table"
)

func TestMapClipsAndFlags(t *testing.T) {
	a, err := FitInput("a", []float64{10, 30, 20})
	if err != nil {
		t.Fatal(err)
	}
	constant, err := FitInput("c", []float64{7, 7})
	if err != nil {
		t.Fatal(err)
	}
	if a.Constant() || !constant.Constant() {
		t.Errorf("constant: %v %v", a.Constant(), constant.Constant())
	}
	b := New([]Input{a, constant})
	columns := [][]float64{{10, 30, 25, 9, 31, 20}, {7, 7, 7, 7, 8, 6}}
	for _, policy := range []Policy{Clip, Flag} {
		dst, inside, outside := make([]float32, 12), make([]bool, 6), make([]int, 2)
		if err := b.Map(dst, columns, policy, inside, outside); err != nil {
			t.Fatal(err)
		}
		for row, want := range []float32{0, 1, 0.75, 0, 1, 0.5} {
			if dst[2*row] != want || dst[2*row+1] != 0 {
				t.Errorf("row %d goes to %v, want %g and 0", row, dst[2*row:2*row+2], want)
			}
		}
		for row, want := range []bool{true, true, true, false, false, false} {
			if inside[row] != want {
				t.Errorf("row %d inside: %v", row, inside[row])
			}
		}
		if outside[0] != 2 || outside[1] != 2 {
			t.Errorf("outside %v", outside)
		}
	}
	err = b.Map(make([]float32, 12), columns, Refuse, make([]bool, 6), make([]int, 2))
	var outside *OutsideError
	if !errors.As(err, &outside) || outside.Row != 4 || outside.Input.Name != "a" || outside.Value != 9 {
		t.Errorf("error %v", err)
	}
	for _, bad := range []float64{math.Inf(1), math.Inf(-1)} {
		err := b.Map(make([]float32, 2), [][]float64{{bad}, {7}}, Clip, make([]bool, 1), make([]int, 2))
		var value *ValueError
		if !errors.As(err, &value) || value.Row != 1 || value.Column != "a" {
			t.Errorf("%g: error %v", bad, err)
		}
	}
}

// The faces of the box go to exactly 0 and 1, whatever the units.
func TestFacesAreExact(t *testing.T) {
	for _, c := range [][]float64{{0.1, 0.7}, {-1e300, 1e300}, {1e-320, 3e-320}, {1e9, 1e9 + 1e-6}, {-0.3, -0.1}} {
		in, err := FitInput("x", c)
		if err != nil {
			t.Fatal(err)
		}
		lo, inLo := in.coordinate(c[0])
		hi, inHi := in.coordinate(c[1])
		if lo != 0 || hi != 1 || !inLo || !inHi {
			t.Errorf("%v: faces go to %g and %g", c, lo, hi)
		}
	}
	if _, err := FitInput("x", []float64{-1.7e308, 1.7e308}); err == nil {
		t.Error("a range that overflows is accepted")
	}
}

func TestDeclaredBounds(t *testing.T) {
	in, err := DeclareInput("x", Bounds{0, 10}, []float64{2, 5})
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := in.coordinate(5); v != 0.5 || !ok || !in.Declared {
		t.Errorf("5 of [0, 10] goes to %g, %v", v, ok)
	}
	if _, err := DeclareInput("x", Bounds{0, 10}, []float64{2, 11}); err == nil || !strings.Contains(err.Error(), `row 2, column "x": 11`) {
		t.Errorf("error %v", err)
	}
	for _, b := range []Bounds{{1, 0}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if _, err := DeclareInput("x", b, nil); err == nil {
			t.Errorf("bounds %v are accepted", b)
		}
	}
}

func TestTargetScales(t *testing.T) {
	y, z := []float64{1, 2, 6}, make([]float32, 3)
	Target{Name: "y", Mean: 3, SD: 2}.Scale(z, y)
	if want := []float32{-1, -0.5, 1.5}; !slices.Equal(z, want) {
		t.Errorf("scaled %v, want %v", z, want)
	}
	Target{Name: "y", Mean: 1, SD: 2, Transform: Log1p}.Scale(z, []float64{0, math.E - 1, math.Exp(5) - 1})
	for i, want := range []float64{-0.5, 0, 2} {
		testkit.Close(t, "log1p", float64(z[i]), want, 1e-6, 1e-6)
	}
}

// A missing value stays one; where no training row had one its row is outside.
func TestMissingValues(t *testing.T) {
	nan := math.NaN()
	some, err := FitInput("some", []float64{1, nan, 3})
	if err != nil {
		t.Fatal(err)
	}
	none, err := FitInput("none", []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	b := New([]Input{some, none})
	dst, inside, outside := make([]float32, 4), make([]bool, 2), make([]int, 2)
	columns := [][]float64{{nan, 3}, {2, nan}}
	if err := b.Map(dst, columns, Clip, inside, outside); err != nil {
		t.Fatal(err)
	}
	if !(dst[0] != dst[0]) || dst[1] != 0.5 || dst[2] != 1 || !(dst[3] != dst[3]) {
		t.Errorf("coordinates %v", dst)
	}
	if !inside[0] || inside[1] || outside[0] != 0 || outside[1] != 1 {
		t.Errorf("inside %v, outside %v", inside, outside)
	}
	if err := b.Map(dst, columns, Refuse, inside, outside); err == nil || !strings.Contains(err.Error(), `row 2, column "none": the value is missing`) {
		t.Errorf("error %v", err)
	}
	var empty *EmptyError
	if _, err := FitInput("void", []float64{nan}); !errors.As(err, &empty) {
		t.Errorf("error %v", err)
	}
}

// Values at declared bounds lie within; missing ones are told.
func TestDeclaredBoundsAreClosed(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		missing bool
	}{{[]float64{0, 10}, false}, {[]float64{math.NaN(), 5}, true}, {[]float64{5, math.NaN()}, true}} {
		in, err := DeclareInput("x", Bounds{0, 10}, c.values)
		if err != nil || in.Missing != c.missing {
			t.Errorf("%v: missing %v, %v", c.values, in.Missing, err)
		}
	}
	var outside *BoundsError
	if _, err := DeclareInput("x", Bounds{0, 10}, []float64{-1}); !errors.As(err, &outside) || outside.Row != 1 || outside.Value != -1 {
		t.Errorf("error %v", err)
	}
}

// Each input that is refused differs in one thing from one that is not.
func TestInputsAreChecked(t *testing.T) {
	inf, pooled := math.Inf(1), Pool("c", []string{"a"}, []string{"b"})
	for name, c := range map[string]struct {
		in Input
		ok bool
	}{
		"a number":              {Input{Lo: -1, Hi: 2}, true},
		"one value":             {Input{Lo: 2, Hi: 2}, true},
		"bounds in disorder":    {Input{Lo: 2, Hi: -1}, false},
		"no lower bound":        {Input{Lo: -inf, Hi: 2}, false},
		"no upper bound":        {Input{Lo: -1, Hi: inf}, false},
		"bounds at infinity":    {Input{Lo: inf, Hi: inf}, false},
		"a bound of NaN":        {Input{Lo: math.NaN(), Hi: 2}, false},
		"a range beyond bounds": {Input{Lo: -1.7e308, Hi: 1.7e308}, false},
		"a number with levels":  {Input{Hi: 2, Levels: []string{"a"}}, false},
		"a number that pools":   {Input{Hi: 2, Pooled: pooled}, false},

		"a category":             {Input{Kind: table.Category, Levels: []string{"a", "b"}}, true},
		"one that pools":         {Input{Kind: table.Category, Levels: []string{"a"}, Pooled: pooled}, true},
		"no levels":              {Input{Kind: table.Category}, false},
		"nothing is pooled":      {Input{Kind: table.Category, Levels: []string{"a"}, Pooled: &table.Fingerprints{}}, false},
		"a level twice":          {Input{Kind: table.Category, Levels: []string{"a", "b", "a"}}, false},
		"knots of a category":    {Input{Kind: table.Category, Levels: []string{"a"}, Knots: []float64{0}}, false},
		"ranks of a category":    {Input{Kind: table.Category, Levels: []string{"a"}, Ranks: []float64{0}}, false},
		"bounds of a category":   {Input{Kind: table.Category, Levels: []string{"a"}, Lo: -1}, false},
		"an end of a category":   {Input{Kind: table.Category, Levels: []string{"a"}, Hi: 1}, false},
		"a part of a category":   {Input{Kind: table.Category, Levels: []string{"a"}, Part: Hour}, false},
		"a part of a date-time":  {Input{Kind: table.DateTime, Part: Hour, Hi: 24}, true},
		"a date-time as a whole": {Input{Kind: table.DateTime, Hi: 24}, false},
		"a part of a number":     {Input{Part: Hour, Hi: 24}, false},
		"an unknown part":        {Input{Kind: table.DateTime, Part: "minute", Hi: 24}, false},
		"a date in parts":        {Input{Kind: table.DateTime, Part: Hour, Hi: 24, Parts: []string{"a", "b", "c"}}, true},
		"all parts of a date":    {Input{Kind: table.DateTime, Part: Hour, Hi: 24, Parts: table.DateParts}, true},
		"a month and a day":      {Input{Kind: table.DateTime, Part: Hour, Hi: 24, Parts: table.DateParts[1:3]}, false},
		"one part too many":      {Input{Kind: table.DateTime, Part: Hour, Hi: 24, Parts: append([]string{"era"}, table.DateParts...)}, false},
		"one part twice":         {Input{Kind: table.DateTime, Part: Hour, Hi: 24, Parts: []string{"a", "b", "a"}}, false},
		"a number in parts":      {Input{Hi: 24, Parts: table.DateParts}, false},
		"one-hot columns":        {Input{Kind: table.Category, Levels: []string{"a", "b", table.NoLevel}, Parts: []string{"a", "b", "c"}}, true},
		"a level of no column":   {Input{Kind: table.Category, Levels: []string{"a", "d"}, Parts: []string{"a", "b", "c"}}, false},
		"a one-hot column twice": {Input{Kind: table.Category, Levels: []string{"a", "b"}, Parts: []string{"a", "b", "a"}}, false},
	} {
		c.in.Name = "x"
		if err := c.in.Check(); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), `x`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// whenAndColour are inputs of two columns: of a date-time and of a category.
func whenAndColour(t *testing.T) []Input {
	t.Helper()
	inputs, err := FitDateTime("when", []float64{0, 86400*200 + 3600})
	if err != nil || len(inputs) != 4 {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	return append(inputs, Input{Name: "colour", Kind: table.Category, Levels: []string{"red", "green"}})
}

func TestInputsOfOneColumnStandTogether(t *testing.T) {
	inputs := whenAndColour(t)
	other := inputs[0]
	other.Name, other.Column = "then.time", "then"
	b := New(append(inputs, other))
	var names []string
	for _, c := range b.Columns() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"when", "colour", "then"}) || !slices.Equal(b.Columns()[1].Levels, []string{"red", "green"}) {
		t.Errorf("columns %+v", b.Columns())
	}
	for i, want := range []int{0, 0, 0, 0, 1, 2} {
		if b.Column(i) != want {
			t.Errorf("input %d comes from column %d", i, b.Column(i))
		}
	}
}

func TestPickTakesColumnsAsTheInputsUnderstandThem(t *testing.T) {
	b := New(whenAndColour(t))
	seconds := []float64{60, 0, math.NaN()}
	data, err := table.New(
		table.Column{Name: "colour", Kind: table.Category, Levels: []string{"blue", "green", "red"}, Values: []float64{2, 1, 0}},
		table.Column{Name: "other", Values: seconds},
		table.Column{Name: "when", Kind: table.DateTime, Values: seconds},
	)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := b.Pick(data)
	if err != nil {
		t.Fatal(err)
	}
	// Of the levels red and green, blue is neither: the number after them.
	if &columns[0][0] != &seconds[0] || !slices.Equal(columns[1], []float64{0, 1, 2}) {
		t.Errorf("columns %v", columns)
	}
	without, _ := data.Drop("colour")
	var unknown *table.UnknownError
	if _, err := b.Pick(without); !errors.As(err, &unknown) {
		t.Errorf("error %v", err)
	}
	numeric, _ := table.New(table.Column{Name: "when", Values: seconds}, table.Column{Name: "colour", Values: seconds})
	var kind *table.KindError
	if _, err := b.Pick(numeric); !errors.As(err, &kind) {
		t.Errorf("error %v", err)
	}
}

// Names of inputs, of their columns and of targets differ.
func TestNamesAreChecked(t *testing.T) {
	number := func(name string) Input { return Input{Name: name, Hi: 1} }
	for _, c := range []struct {
		inputs  []Input
		targets []string
		ok      bool
	}{
		{[]Input{number("a"), number("b")}, []string{"y", "z"}, true},
		{whenAndColour(t), []string{"y"}, true},
		{[]Input{number("a"), number("a")}, []string{"y"}, false},
		{[]Input{number("a"), number("y")}, []string{"y"}, false},
		{whenAndColour(t), []string{"when"}, false},
		{whenAndColour(t), []string{"when.hour"}, false},
		{append(whenAndColour(t), number("when")), []string{"y"}, false},
		{[]Input{{Name: "a", Lo: 1}}, []string{"y"}, false},
	} {
		b := New(c.inputs)
		if err := b.Check(c.targets...); (err == nil) != c.ok {
			t.Errorf("inputs %+v, targets %v: error %v", c.inputs, c.targets, err)
		}
	}
}

func TestPolicies(t *testing.T) {
	for name, ok := range map[string]bool{"clip": true, "error": true, "flag": true, "extrapolate": false, "": false, "Clip": false} {
		if p, err := ParsePolicy(name); (err == nil) != ok || ok && string(p) != name {
			t.Errorf("policy %q: %q, %v", name, p, err)
		}
	}
}

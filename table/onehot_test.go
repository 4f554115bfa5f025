package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestOneHot(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		parts []float64
		want  float64
	}{
		{[]float64{1, 0, 0}, 0}, {[]float64{0, 0, 1}, 2}, {[]float64{nan, 1, nan}, 1},
		{[]float64{0, nan, 0}, nan}, {[]float64{nan, nan, nan}, nan},
		{[]float64{0, 0, 0}, 3}, {[]float64{1, 0, 1}, 4}, {[]float64{0.5, 0, 0}, 4}, {[]float64{1, -1, nan}, 4}, {[]float64{0, 0, math.Inf(1)}, 4},
	} {
		if got := OneHot(c.parts...); got != c.want && (got == got || c.want == c.want) {
			t.Errorf("%v is %v, want %v", c.parts, got, c.want)
		}
	}
}

// oneHot returns the one-hot columns of levels, and x behind them.
func oneHot(levels []int, names ...string) []Column {
	columns := make([]Column, len(names))
	for k, name := range names {
		columns[k] = Column{Name: name, Values: make([]float64, len(levels))}
		for i, level := range levels {
			if level == k {
				columns[k].Values[i] = 1
			}
		}
	}
	return columns
}

// thirds are levels of many rows, of three or of four of which the third is in no row.
func thirds(n, of int) []int {
	levels := make([]int, n)
	for i := range levels {
		if levels[i] = i * i % 7 % 3; of == 4 && levels[i] == 2 {
			levels[i] = 3
		}
	}
	return levels
}

func TestFindOneHot(t *testing.T) {
	number := Column{Name: "x", Values: make([]float64, 60)}
	for i := range number.Values {
		number.Values[i] = float64(i)
	}
	change := func(columns []Column, change func(c []Column)) []Column { change(columns); return columns }
	colours := func() []Column { return oneHot(thirds(60, 3), "colour_red", "colour_green", "colour_blue") }
	none := func(c []Column) { c[0].Values[0], c[1].Values[0], c[2].Values[0] = 0, 0, 0 }
	several := func(c []Column) { c[0].Values[1], c[1].Values[1], c[2].Values[1] = 1, 1, 0 }
	for name, c := range map[string]struct {
		columns []Column
		want    string
	}{
		"three":           {append(colours(), number), "colour: red green blue"},
		"behind a number": {append([]Column{number}, colours()...), "colour: red green blue"},
		"truth values":    {change(colours(), func(c []Column) { c[1].Kind = Boolean }), "colour: red green blue"},
		"of two categories": {append(oneHot(thirds(60, 3), "Soil_Type1", "Soil_Type2", "Soil_Type3"), oneHot(thirds(60, 3), "x9", "x10", "x11")...),
			"Soil_Type: 1 2 3, x: 9 10 11"},
		"nothing in common":             {oneHot(thirds(60, 3), "red", "green", "blue"), "red..blue: red green blue"},
		"digits in common":              {oneHot(thirds(60, 3), "x10", "x11", "x12"), "x10..x12: x10 x11 x12"},
		"a name that is taken":          {append(colours(), Column{Name: "colour", Values: number.Values}), "colour (2): colour_red colour_green colour_blue"},
		"a level of no row":             {oneHot(thirds(60, 4), "a1", "a2", "a3", "a4"), "a: 1 2 3 4"},
		"a level of no row at the end":  {oneHot(thirds(60, 3), "a1", "a2", "a3", "a4"), "a: 1 2 3"},
		"none in a row":                 {change(colours(), none), "colour: red green blue (none)"},
		"the first one dropped":         {colours()[1:], "colour: green blue (none)"},
		"two without the first":         {append(colours()[1:], oneHot(thirds(60, 3), "size_s", "size_m", "size_l")[1:]...), "colour: green blue (none), size: m l (none)"},
		"none, and names without stem":  {oneHot(thirds(60, 3), "a1", "a2", "a3")[1:], ""},
		"none, and one is called so":    {oneHot(thirds(60, 3), "(none) 1", "(none)", "(none) 2")[1:], ""},
		"another name of the stem":      {append(colours()[1:], number, Column{Name: "colour_index", Values: number.Values}), ""},
		"a further name of the stem":    {colours()[1:], "kept colour_red"},
		"two in a row":                  {change(colours(), several), ""},
		"two in a row, none in another": {change(change(colours(), several), none), ""},
		"a missing value":               {change(colours(), func(c []Column) { c[0].Values[0] = math.NaN() }), ""},
		"a half":                        {change(colours(), func(c []Column) { c[0].Values[0] = 0.5 }), ""},
		"not side by side":              {slices.Insert(colours(), 1, number), ""},
		"a constant":                    {oneHot(make([]int, 60), "a1", "a2"), ""},
		"categories":                    {change(colours(), func(c []Column) { c[1].Kind, c[1].Levels = Category, []string{"n", "y"} }), ""},
		"may be by chance":              {oneHot(append(make([]int, 59), 1), "often", "once"), ""},
		"too few rows":                  {oneHot([]int{0, 1, 2, 0, 1, 2}, "a1", "a2", "a3"), ""},
		"a flag and its not":            {oneHot(append(make([]int, 30), slices.Repeat([]int{1}, 30)...), "is_new", "is_old"), "is: new old"},
	} {
		tab, err := New(c.columns...)
		if err != nil {
			t.Fatal(err)
		}
		kept, isKept := strings.CutPrefix(c.want, "kept ")
		if isKept {
			c.want = ""
		}
		var got []string
		for _, f := range tab.FindOneHot(tab.Names(), []string{kept}) {
			if f.Kind != Category || !slices.Equal(f.Parts, slices.DeleteFunc(slices.Clone(f.Levels), func(level string) bool { return level == NoLevel })) {
				t.Errorf("%s: %+v", name, f)
			}
			levels := slices.Clone(f.Levels)
			for k := range levels {
				levels[k] = strings.TrimLeft(strings.TrimPrefix(levels[k], f.Name), "_")
			}
			got = append(got, f.Name+": "+strings.Join(levels, " "))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A category of one-hot columns has the values that the category as one column has, with some levels pooled, too.
func TestValuesOfOneHotColumns(t *testing.T) {
	levels := thirds(60, 3)
	names := []string{"c=b", "c=a", "c=c"}
	whole := Column{Name: "c", Kind: Category, Levels: names, Values: make([]float64, len(levels))}
	for i, level := range levels {
		whole.Values[i] = float64(level)
	}
	one, err := New(whole)
	if err != nil {
		t.Fatal(err)
	}
	hot, err := New(oneHot(levels, names...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Field{
		{Name: "c", Kind: Category, Levels: names, Parts: names},
		{Name: "c", Kind: Category, Levels: []string{"c=c", "c=b"}, Parts: names},
		{Name: "c", Kind: Category, Levels: []string{"c=c"}, Pooled: NewFingerprints("c", []string{"c=c"}, []string{"c=a"}), Parts: names},
	} {
		want, err := one.ValuesAs(f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := hot.ValuesAs(f); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v, want %v", f.Levels, got, err, want)
		}
		j := NewJoiner(f)
		if got, want := j.Join(0, 0, 0), float64(f.Other()); got != want {
			t.Errorf("%v: none of the levels is %v, want %v", f.Levels, got, want)
		}
		f.Levels = append(slices.Clone(f.Levels), NoLevel)
		if got, want := NewJoiner(f).Join(0, 0, 0), float64(len(f.Levels)-1); got != want {
			t.Errorf("%v: none of the levels is %v, want %v", f.Levels, got, want)
		}
		if got := j.Join(0, math.NaN(), 0); got == got {
			t.Errorf("%v: a missing one is %v", f.Levels, got)
		}
	}
	wrong, err := New(append(oneHot(levels, names...)[:2], Column{Name: "c=c", Values: slices.Repeat([]float64{0.5}, 60)})...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.ValuesAs(Field{Name: "c", Kind: Category, Levels: names, Parts: names}); err == nil || !strings.Contains(err.Error(), "c=c") {
		t.Errorf("a half: %v", err)
	}
}

// The logarithm of the probability is that of drawing at random.
func TestLogChance(t *testing.T) {
	for _, c := range []struct {
		ones []int
		rows int
		want float64 // as a fraction of arrangements, counted by hand
	}{
		{[]int{1, 1}, 2, 1.0 / 2}, {[]int{1, 9}, 10, 1.0 / 10}, {[]int{2, 2}, 4, 1.0 / 6}, {[]int{1, 1, 1}, 3, 6.0 / 27}, {[]int{2, 0, 2}, 4, 1.0 / 6},
	} {
		if got := math.Exp(logChance(c.ones, c.rows)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %d: %v, want %v", c.ones, c.rows, got, c.want)
		}
	}
}

func TestFreeName(t *testing.T) {
	taken := map[string]bool{"a": true, "a (2)": true}
	for name, want := range map[string]string{"a": "a (3)", "b": "b"} {
		if got := FreeName(name, func(name string) bool { return taken[name] }); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Of very many sparse columns of 0 and 1, as of words in texts, none is a category, and that is soon known.
func TestWordsAreNoOneHotColumns(t *testing.T) {
	const columns, rows = 3000, 2000
	all, state := make([]Column, columns), uint32(1)
	for k := range all {
		all[k] = Column{Name: fmt.Sprintf("word_%d", k), Values: make([]float64, rows)}
		for range 1 + k%7 {
			state = state*1664525 + 1013904223
			all[k].Values[state>>8%rows] = 1
		}
	}
	tab, err := New(all...)
	if err != nil {
		t.Fatal(err)
	}
	if got := tab.FindOneHot(tab.Names(), nil); got != nil {
		t.Errorf("%d categories, the first of %q", len(got), got[0].Parts)
	}
}

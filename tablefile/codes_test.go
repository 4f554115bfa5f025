package tablefile_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"beziergp/table"
	"beziergp/tablefile"
)

const mostCodes = 4096

// cellsOf returns a column of cells in random order, each as often as told.
func cellsOf(times map[string]int, seed uint64) string {
	var cells []string
	for cell, n := range times {
		for range n {
			cells = append(cells, cell)
		}
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return "i;c\n1;" + strings.Join(cells, "\n1;") + "\n"
}

// countsUpTo returns n numbers, each so often.
func countsUpTo(n, times int, more map[string]int) map[string]int {
	for i := range n {
		more[fmt.Sprint(i)] = times
	}
	return more
}

// textsUpTo returns n texts, each so often.
func textsUpTo(n, times int) map[string]int {
	texts := map[string]int{}
	for i := range n {
		texts[fmt.Sprint("V", i)] = times
	}
	return texts
}

func levelsOf(cells map[string]int) []string { return slices.Sorted(maps.Keys(cells)) }

// A column of few different values, most of which are numbers, is a category where texts recur; where
// one is rare, or numbers are many, it is a fault.
func TestCodes(t *testing.T) {
	for name, c := range map[string]struct {
		times  map[string]int
		levels []string // nil where it is a fault
		others int
	}{
		"the last is open":        {countsUpTo(3, 60, map[string]int{"3+": 9}), []string{"0", "1", "2", "3+"}, 9},
		"grades":                  {countsUpTo(2, 50, map[string]int{"K": 40, "pre": 5, "NA": 7}), []string{"0", "1", "K", "pre"}, 45},
		"0 and 0.0 are one level": {map[string]int{"0": 30, "0.0": 30, "true": 12}, []string{"0", "true"}, 12},
		"thirty-two":              {countsUpTo(31, 10, map[string]int{"x": 10}), strings.Split("0 1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 23 24 25 26 27 28 29 3 30 4 5 6 7 8 9 x", " "), 10},
		"thirty-three":            {countsUpTo(32, 20, map[string]int{"x": 20}), nil, 0},
		"of diseases":             {countsUpTo(32, 20, textsUpTo(10, 6)), levelsOf(countsUpTo(32, 20, textsUpTo(10, 6))), 60},
		"nine texts":              {countsUpTo(32, 20, textsUpTo(9, 12)), nil, 0},
		"too many":                {countsUpTo(mostCodes-9, 12, textsUpTo(10, 60)), nil, 0},
		"as many as may be":       {countsUpTo(mostCodes-10, 12, textsUpTo(10, 60)), levelsOf(countsUpTo(mostCodes-10, 12, textsUpTo(10, 60))), 600},
		"too many numbers":        {countsUpTo(200, 9, textsUpTo(10, 12)), nil, 0},
		"four texts":              {countsUpTo(3, 60, map[string]int{"3+": 4}), nil, 0},
		"texts of their own":      {countsUpTo(3, 60, map[string]int{"a": 4, "b": 4}), nil, 0},
		"less than a hundredth":   {countsUpTo(3, 300, map[string]int{"3+": 8}), nil, 0},
		"nine of each":            {countsUpTo(4, 9, map[string]int{"3+": 9}), nil, 0},
		"decimal commas":          {countsUpTo(3, 60, map[string]int{"0,5": 40, "x": 40}), nil, 0},
		"infinities":              {countsUpTo(3, 60, map[string]int{"inf": 40, "x": 40}), nil, 0},
	} {
		for seed := range uint64(3) {
			r, err := tablefile.Open(file(t, "t.csv", cellsOf(c.times, seed)), tablefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			tab, err := r.ReadAll(t.Context())
			if c.levels == nil {
				if err == nil || !strings.Contains(err.Error(), " or --column c=drop") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			told := r.Codes()
			if f, _ := tab.Field("c"); f.Kind != table.Category || !reflect.DeepEqual(f.Levels, c.levels) || len(told) != 1 || told[0].Others != c.others {
				t.Errorf("%s: %+v, %+v", name, f, told)
			}
			if text := fmt.Sprint(told); !strings.Contains(text, fmt.Sprintf("%d of its ", c.others)) || !strings.Contains(text, "give --column c=category to say so") {
				t.Error(text)
			}
		}
	}
}

// Codes whose texts come after the first look are read a second time, where that can be done.
func TestCodesThatShowLate(t *testing.T) {
	for _, c := range []struct {
		times int
		codes bool
	}{{1500, true}, {900, false}} {
		text := long("1", "2+", c.times)
		tab, err := tablefile.Read(context.Background(), file(t, "t.csv", text), tablefile.Options{})
		if !c.codes {
			if err == nil || !strings.Contains(err.Error(), `row 100001 (line 100002), column "c": "2+" is not a number`) {
				t.Errorf("%d texts: %v", c.times, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := tab.Field("c"); !reflect.DeepEqual(f.Levels, []string{"1", "2+"}) {
			t.Errorf("%+v", f)
		}
		_, err = tablefile.Read(context.Background(), "-", tablefile.Options{Stdin: strings.NewReader(text)})
		if err == nil || !strings.Contains(err.Error(), `"2+" is not a number; mend the value, or give --column c=category`) {
			t.Errorf("standard input: %v", err)
		}
	}
	// A kind that is given tells nothing.
	r, err := tablefile.Open(file(t, "t.csv", long("1", "2+", 1500)), tablefile.Options{Kinds: map[string]table.Kind{"c": table.Category}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.ReadAll(t.Context()); err != nil || r.Codes() != nil {
		t.Error(err, r.Codes())
	}
}

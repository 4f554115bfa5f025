package table

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every day of four hundred years, by the library's calendar; days that there are not, and
// parts out of range, are no date.
func TestDate(t *testing.T) {
	for day := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2200; day = day.AddDate(0, 0, 1) {
		y, m, d := float64(day.Year()), float64(day.Month()), float64(day.Day())
		if got := Date(y, m, d); got != float64(day.Unix()) {
			t.Fatalf("%v is %v, want %d", day, got, day.Unix())
		}
		if next := day.AddDate(0, 0, 1); next.Month() != day.Month() && Date(y, m, d+1) == Date(y, m, d+1) {
			t.Fatalf("the day after %v in its month is a date", day)
		}
	}
	if got, want := Date(2013, 3, 1, 23, 59, 58), time.Date(2013, 3, 1, 23, 59, 58, 0, time.UTC).Unix(); got != float64(want) {
		t.Errorf("%v, want %d", got, want)
	}
	nan := math.NaN()
	for _, parts := range [][]float64{
		{nan, 1, 1}, {2013, nan, 1}, {2013, 1, 1, nan}, {2013, 0, 1}, {2013, 13, 1}, {2013, 1, 0}, {2013, 2, 29}, {2013, 1.5, 1}, {13, 1, 1},
		{math.Inf(1), 1, 1}, {1e300, 1, 1}, {2013, 1, 1, 24}, {2013, 1, 1, -1}, {2013, 1, 1, 0, 60}, {2013, 1, 1, 0, 0, 60}, {2013, 1, 1, 0, 0, -1},
	} {
		if got := Date(parts...); got == got {
			t.Errorf("%v is %v, and no date", parts, got)
		}
	}
}

func TestFindDate(t *testing.T) {
	for _, c := range []struct {
		names string
		want  []string
	}{
		{"day Month x YEAR", []string{"YEAR", "Month", "day"}},
		{"year month day minute", []string{"year", "month", "day"}}, // of no hour
		{"second minute hour day month year", []string{"year", "month", "day", "hour", "minute", "second"}},
		{"month day hour", nil},
		{"year month", nil},
		{"year Year month day", nil}, // which of them?
		{"", nil},
	} {
		if got := dateOf(t, c.names, nil); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
	if got := dateOf(t, "year month day", []string{"month"}); got != nil {
		t.Errorf("a category is part of a date: %q", got)
	}
}

// dateOf returns the parts of the date that a table of these columns, some of them categories, has.
func dateOf(t *testing.T, names string, categories []string) []string {
	t.Helper()
	columns := []Column{{Name: "z"}}
	for _, name := range strings.Fields(names) {
		c := Column{Name: name}
		if slices.Contains(categories, name) {
			c.Kind = Category
		}
		columns = append(columns, c)
	}
	tab, err := New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	date, ok := tab.FindDate(tab.Names())
	if ok != (date.Parts != nil) || ok && (date.Name != "date" || date.Kind != DateTime) {
		t.Errorf("%q: %+v, %v", names, date, ok)
	}
	return date.Parts
}

func TestValuesOfDates(t *testing.T) {
	date := Field{Name: "date", Kind: DateTime, Parts: []string{"year", "month", "day"}}
	parts := []Column{{Name: "year", Values: []float64{1970, 1970}}, {Name: "month", Values: []float64{1, 2}}, {Name: "day", Values: []float64{2, 30}}}
	own := Column{Name: "date", Values: []float64{5, 6}, Kind: DateTime}
	for name, c := range map[string]struct {
		columns []Column
		want    []float64
	}{
		"parts": {parts, []float64{86400, math.NaN()}}, "a column of its own": {[]Column{own}, []float64{5, 6}},
		"both": {append(slices.Clone(parts), own), []float64{86400, math.NaN()}}, "some parts": {append(slices.Clone(parts[:2]), own), nil}, "none": {parts[:1], nil},
	} {
		tab, err := New(c.columns...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tab.ValuesAs(date)
		if (err != nil) != (c.want == nil) || !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

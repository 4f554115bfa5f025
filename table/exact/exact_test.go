package exact

import (
	"math"
	"slices"
	"testing"
	"time"
)

func texts(cells ...string) *Column {
	var c Column
	for _, text := range cells {
		c.AddText(text, text == "" || text == "NA")
	}
	return &c
}

// What a program that reads CSV would make of texts, and nothing that would lose what tells
// them apart.
func TestKindsOfTexts(t *testing.T) {
	number, integer, text := Kind{Type: Number}, Kind{Type: Integer}, Kind{Type: Text}
	local, utc := Kind{Type: Time, PerSecond: 1e6}, Kind{Type: Time, PerSecond: 1e6, Zone: "UTC"}
	for _, c := range []struct {
		cells []string
		want  Kind
	}{
		{[]string{"1", "", "-20", "NA"}, integer},
		{[]string{"9007199254740993", "-9223372036854775808"}, integer},
		{[]string{"9223372036854775808"}, text}, // no type holds it
		{[]string{"1", "2.5"}, number},
		{[]string{"1e3", "-.5", "3.14159265358979312"}, number},
		{[]string{"9007199254740993", "0.5"}, text}, // a number would lose its last digit
		{[]string{"007", "12"}, text},
		{[]string{"+4179", "1"}, text},
		{[]string{"-0", "1"}, number},
		{[]string{"00.5"}, text},
		{[]string{"true", "False", ""}, Kind{Type: Truth}},
		{[]string{"yes", "no"}, text},
		{[]string{"1", "true"}, text},
		{[]string{"2024-02-29", "1969-12-31"}, Kind{Type: Date}},
		{[]string{"2024-02-29", "2024-02-29T12:00"}, local},
		{[]string{"2024-02-29 12:00:00.123456"}, local},
		{[]string{"2024-02-29T12:00:00.1234567"}, Kind{Type: Time, PerSecond: 1e9}},
		{[]string{"2024-02-29T12:00Z", "2024-02-29T12:00+02:00"}, utc},
		{[]string{"2024-02-29T12:00Z", "2024-02-29T12:00"}, text},
		{[]string{"9999-12-31T00:00:00", "2024-01-01T00:00"}, local},
		{[]string{"9999-12-31T00:00:00.000000001"}, text}, // beyond nanoseconds
		{[]string{"2024-02-30"}, text},
		{[]string{"", "NA"}, text},
		{nil, text},
	} {
		var g Guess
		g.Add(texts(c.cells...))
		if got := g.Kind(); got != c.want {
			t.Errorf("%q are %+v, want %+v", c.cells, got, c.want)
		}
	}
}

// Texts are the cells that they say.
func TestParse(t *testing.T) {
	var got Column
	for _, c := range []struct {
		kind  Kind
		cells []string
		want  []int64
	}{
		{Kind{Type: Integer}, []string{"9007199254740993", "", "-2"}, []int64{9007199254740993, 0, -2}},
		{Kind{Type: Truth}, []string{"TRUE", "false", "NA"}, []int64{1, 0, 0}},
		{Kind{Type: Date}, []string{"1970-01-02", "1969-12-31", "0001-01-01"}, []int64{1, -1, -719162}},
		{Kind{Type: Time, PerSecond: 1e6}, []string{"1970-01-01T00:00:01.5", "1969-12-31T23:59:59.25"}, []int64{1500000, -750000}},
		{Kind{Type: Time, PerSecond: 1e9, Zone: "UTC"}, []string{"1970-01-01T01:00:00.000000001+01:00"}, []int64{1}},
	} {
		in := texts(c.cells...)
		if bad := Parse(&got, c.kind, in); bad >= 0 || !slices.Equal(got.Integers, c.want) {
			t.Errorf("%q: %d, %v; want %v", c.cells, bad, got.Integers, c.want)
		}
		for i := range c.cells {
			if got.IsMissing(i) != in.IsMissing(i) {
				t.Errorf("%q: row %d is missing: %v", c.cells, i, got.IsMissing(i))
			}
		}
	}
	if bad := Parse(&got, Kind{Type: Number}, texts("0.1", "", "x")); bad != 2 || got.Numbers[0] != 0.1 || !math.IsNaN(got.Numbers[1]) {
		t.Errorf("numbers: %d, %v", bad, got.Numbers)
	}
	if bad := Parse(&got, Kind{Type: Integer}, texts("1", "007")); bad != 1 {
		t.Errorf("007 is the whole number %v", got.Integers)
	}
	if bad := Parse(&got, Kind{Type: Text}, texts("a", "NA")); bad >= 0 || got.Texts[1] != "NA" || !got.IsMissing(1) {
		t.Errorf("texts: %d, %+v", bad, got)
	}
}

// Times have the text of their kind, before 1970 too.
func TestTextsOfTimes(t *testing.T) {
	at := time.Date(1969, 7, 20, 20, 17, 40, 250_000_000, time.UTC)
	for want, c := range map[string]Column{
		"1969-07-20":               {Kind: Kind{Type: Date}, Integers: []int64{-165}},
		"1969-07-20T20:17:40.25":   {Kind: Kind{Type: Time, PerSecond: 1e3}, Integers: []int64{at.UnixMilli()}},
		"1969-07-20T20:17:40.25Z":  {Kind: Kind{Type: Time, PerSecond: 1e9, Zone: "Europe/Paris"}, Integers: []int64{at.UnixNano()}},
		"1969-07-20T20:17:40":      {Kind: Kind{Type: Time, PerSecond: 1}, Integers: []int64{at.Unix()}},
		"9999-12-31T23:59:59.999Z": {Kind: Kind{Type: Time, PerSecond: 1e6, Zone: "UTC"}, Integers: []int64{253402300799999000}},
	} {
		if got := string(c.AppendText(nil, 0)); got != want {
			t.Errorf("%+v is %q, want %q", c, got, want)
		}
	}
}

// Rows that are taken keep what belongs to them.
func TestMovingAndAppending(t *testing.T) {
	for _, c := range []*Column{texts("a", "", "c", "NA"), Numbers([]float64{1, math.NaN(), 3, 4}),
		{Kind: Kind{Type: Integer}, Integers: []int64{1, 2, 3, 4}, Missing: []bool{false, false, true, false}}} {
		var all Column
		all.Reset(c.Kind)
		all.Append(&Column{Kind: c.Kind}, 0, 0)
		all.Append(c, 0, 2)
		all.Append(c, 2, 4)
		all.Append(c, 1, 3)
		from := []int{0, 1, 2, 3, 1, 2}
		all.Move(0, 2)
		all.Move(1, 4)
		all.Cut(2)
		for i, j := range []int{from[2], from[4]} {
			if a, b := string(all.AppendText(nil, i)), string(c.AppendText(nil, j)); a != b || all.IsMissing(i) != c.IsMissing(j) {
				t.Errorf("%v: row %d is %q, missing %v; want %q", c, i, a, all.IsMissing(i), b)
			}
		}
		if all.Len() != 2 || len(all.Missing) > 2 {
			t.Errorf("%v: %d rows", c, all.Len())
		}
	}
}

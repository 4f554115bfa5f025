package box

import (
	"math"
	"strconv"
	"testing"
	"time"

	"beziergp/table"
)

// The text of a value is what a table has in its place: it reads back as the value.
func TestTextOfAValueReadsBack(t *testing.T) {
	number, when := Input{Name: "x"}, Input{Name: "t", Kind: table.DateTime, Part: Hour}
	for _, v := range []float64{-1.5, 0, 3, 86400, 1e-300} {
		if got, err := strconv.ParseFloat(number.Text(v), 64); got != v || err != nil {
			t.Errorf("%g is %q", v, number.Text(v))
		}
	}
	for _, layout := range []string{time.DateOnly, time.DateTime} { // midnight needs no time
		for _, text := range []string{"1969-12-31", "1970-01-01", "2024-02-29"} {
			if layout == time.DateTime {
				text += " 00:00:01"
			}
			at, err := time.Parse(layout, text)
			if err != nil {
				t.Fatal(err)
			}
			if got := when.Text(float64(at.Unix())); got != text {
				t.Errorf("%q is %q", text, got)
			}
		}
	}
}

// A category has a name for each node, the last of which may be that of rare levels; what is
// no level, or no value, has words in its place.
func TestTextOfLevels(t *testing.T) {
	in := Input{Name: "c", Kind: table.Category, Levels: []string{"a", "b"}, Pooled: Pool("c", []string{"a", "b"}, []string{"z"})}
	for k, level := range in.Levels {
		if in.Level(float64(k)) != level || in.Text(float64(k)) != level {
			t.Errorf("level %d is %q and %q, want %q", k, in.Level(float64(k)), in.Text(float64(k)), level)
		}
	}
	number := Input{Name: "x", Hi: 3}
	for got, want := range map[string]string{
		in.Level(2): "(rare levels)", in.Text(2): "another level", in.Text(math.NaN()): "missing", number.Level(0): "", number.Text(0): "0",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

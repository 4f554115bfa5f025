package box

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

func TestPartsOfADateTime(t *testing.T) {
	for text, want := range map[string][4]float64{
		"1970-01-01T00:00:00Z": {0, 1, 4, 0}, // a Thursday
		"2024-02-29T18:30:00Z": {19782 + 18.5/24, 60, 4, 18.5},
		"2023-12-31T23:59:59Z": {19722 + 86399.0/86400, 365, 7, 86399.0 / 3600},
		"1969-12-29T06:00:00Z": {-3 + 0.25, 363, 1, 6},
		"1900-03-01T00:00:00Z": {-25508, 60, 4, 0},
	} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range Parts {
			testkit.Close(t, text+" "+string(p), p.of(float64(at.Unix())), want[i], 1e-12, 1e-12)
		}
	}
	for _, seconds := range []float64{1e300, -1e300} {
		for _, p := range Parts {
			if v := p.of(seconds); math.IsNaN(v) {
				t.Errorf("%s of %g is NaN", p, seconds)
			}
		}
	}
}

// Parts that never change are no inputs.
func TestFitDateTime(t *testing.T) {
	const day = 86400
	all, err := FitDateTime("at", []float64{0, 7 * day, 14 * day, math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Name != "at.time" || all[1].Name != "at.yearday" || all[0].Source() != "at" || !all[0].Missing {
		t.Fatalf("%+v", all)
	}
	if v, inside := all[0].coordinate(7 * day); v != 0.5 || !inside {
		t.Errorf("the middle goes to %g, %v", v, inside)
	}
	b := New(all)
	if len(b.Columns()) != 1 {
		t.Errorf("columns %+v", b.Columns())
	}
	still, err := FitDateTime("at", []float64{day, day})
	if err != nil || len(still) != 1 || !still[0].Constant() {
		t.Errorf("%+v, %v", still, err)
	}
}

// A part that never changes hides none behind it.
func TestPartsBehindAConstantOne(t *testing.T) {
	const day = 86400
	all, err := FitDateTime("at", []float64{0, 7*day + 3600}) // two Thursdays
	var names []string
	for _, in := range all {
		names = append(names, in.Name)
	}
	if err != nil || !slices.Equal(names, []string{"at.time", "at.yearday", "at.hour"}) {
		t.Errorf("%v, %v", names, err)
	}
}

// Rows are split along the parts of a time that come round while it runs: an hour that is
// told after a day, a weekday after a week, a day of the year after a year.
func TestFitCycles(t *testing.T) {
	const day, start = 86400.0, 19000 * 86400.0
	for _, c := range []struct {
		days float64
		want []Part
	}{
		{0.99, nil}, {1, []Part{Hour}}, {6.9, []Part{Hour}}, {7, []Part{Weekday, Hour}},
		{364.9, []Part{Weekday, Hour}}, {365, []Part{Yearday, Weekday, Hour}}, {2000, []Part{Yearday, Weekday, Hour}},
	} {
		var seconds []float64
		for k := 0.0; k <= 8; k++ {
			seconds = append(seconds, start+k/8*c.days*day)
		}
		seconds = append(seconds, start+c.days*day/3)
		all, err := FitCycles("at", seconds)
		if err != nil {
			t.Fatal(err)
		}
		var got []Part
		for _, in := range all {
			got = append(got, in.Part)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%g days: parts %q, want %q", c.days, got, c.want)
		}
	}
	var empty *EmptyError
	if _, err := FitCycles("at", []float64{math.NaN()}); !errors.As(err, &empty) || empty.Column != "at" {
		t.Errorf("without a time: error %v", err)
	}
}

// Parts of date-times make way for whatever else has their name, and for each other.
func TestDistinguish(t *testing.T) {
	inputs := []Input{
		{Name: "when.time", Part: Time}, {Name: "when.hour", Part: Hour}, {Name: "when.weekday", Part: Weekday},
		{Name: "when.hour"}, {Name: "when.hour (2)"}, {Name: "x"}, {Name: "when.weekday", Part: Weekday},
	}
	Distinguish(inputs, "y", "when.time")
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	if !slices.Equal(names, []string{"when.time (2)", "when.hour (3)", "when.weekday", "when.hour", "when.hour (2)", "x", "when.weekday (2)"}) {
		t.Errorf("%q", names)
	}
}

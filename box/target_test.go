package box

import (
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/predictive"
	"beziergp/table"
)

// A value that has no transform, or lies beyond the range, has none to learn from.
func TestTargetsTakeWhatTheyCan(t *testing.T) {
	plain, log := Target{Name: "y"}, Target{Name: "y", Transform: Log1p}
	between := Target{Name: "y", Transform: Log1p, Range: &predictive.Range{Lo: 0, Hi: 3}}
	for _, c := range []struct {
		target  Target
		v, want float64
	}{
		{plain, -5, -5}, {log, 0, 0}, {log, math.E - 1, 1}, {log, -0.5, -math.Ln2},
		{between, 0, 0}, {between, 3, 2 * math.Ln2}, // its ends are within
	} {
		got, err := c.target.Apply(c.v, 3)
		if err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v: %g becomes %g, want %g; %v", c.target, c.v, got, c.want, err)
		}
	}
	for _, v := range []float64{-1, -2} {
		var none *TransformError
		if _, err := log.Apply(v, 3); !errors.As(err, &none) || none.Row != 3 || none.Column != "y" || none.Value != v {
			t.Errorf("%g: error %v", v, err)
		}
	}
	for _, v := range []float64{-0.5, 3.5} {
		var beyond *RangeError
		if _, err := between.Apply(v, 3); !errors.As(err, &beyond) || beyond.Row != 3 || beyond.Column != "y" || beyond.Value != v {
			t.Errorf("%g: error %v", v, err)
		}
	}
}

// Each target that is refused differs in one thing from one that is not.
func TestTargetsAreChecked(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		target Target
		ok     bool
	}{
		"plain":              {Target{Mean: -3, SD: 2}, true},
		"log1p":              {Target{Mean: -3, SD: 2, Transform: Log1p}, true},
		"a range":            {Target{Mean: -3, SD: 2, Range: &predictive.Range{Lo: 0, Hi: 1}}, true},
		"a mean of NaN":      {Target{Mean: nan, SD: 2}, false},
		"an infinite mean":   {Target{Mean: -inf, SD: 2}, false},
		"no deviation":       {Target{Mean: -3}, false},
		"a deviation < 0":    {Target{Mean: -3, SD: -2}, false},
		"a deviation of NaN": {Target{Mean: -3, SD: nan}, false},
		"an infinite one":    {Target{Mean: -3, SD: inf}, false},
		"another transform":  {Target{Mean: -3, SD: 2, Transform: "sqrt"}, false},
		"an empty range":     {Target{Mean: -3, SD: 2, Range: &predictive.Range{Lo: 1, Hi: 1}}, false},
		"truth values":       {Target{SD: 2, Kind: table.Boolean}, true},
		"two classes":        {Target{SD: 2, Kind: table.Category, Levels: []string{"a", "b"}}, true},
		"one class":          {Target{SD: 2, Kind: table.Category, Levels: []string{"a"}}, false},
		"no classes":         {Target{SD: 2, Kind: table.Category}, false},
		"a class twice":      {Target{SD: 2, Kind: table.Category, Levels: []string{"a", "b", "a"}}, false},
		"classes of numbers": {Target{SD: 2, Levels: []string{"a", "b"}}, false},
		"a date-time":        {Target{SD: 2, Kind: table.DateTime}, false},
	} {
		if err := c.target.Check(); (err == nil) != c.ok {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, want := range map[string]Transform{"": Identity, "none": Identity, "log1p": Log1p} {
		if got, err := ParseTransform(name); got != want || err != nil {
			t.Errorf("transform %q: %q, %v", name, got, err)
		}
	}
}

// Classes are the levels of a category, two words of a truth value, and none of a number.
func TestClassesOfTargets(t *testing.T) {
	for kind, want := range map[table.Kind][]string{table.Boolean: {"false", "true"}, table.Category: {"a", "b"}, "": nil} {
		target := Target{Kind: kind}
		if kind == table.Category {
			target.Levels = want
		}
		if got := target.Classes(); !slices.Equal(got, want) {
			t.Errorf("kind %q: classes %q, want %q", kind, got, want)
		}
	}
}

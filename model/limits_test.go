package model

import (
	"math"
	"slices"
	"testing"
)

func TestLimitsClamp(t *testing.T) {
	values := []float64{-5, -1, 0.5, 2, 7, math.Inf(1)}
	l := &Limits{Lo: -1, Hi: 2, Variance: 3}
	if !l.Clamp(values) || l.Clamp([]float64{-5, 2}) {
		t.Error("what is above is not told")
	}
	if want := []float64{-1, -1, 0.5, 2, 2, 2}; !slices.Equal(values, want) {
		t.Errorf("clamped to %v, want %v", values, want)
	}
	for v, want := range map[float64]float64{0: 0, 2.5: 2.5, 1e8: 3, math.Inf(1): 3} {
		if got := l.variance(v); got != want {
			t.Errorf("variance %g clamped to %g, want %g", v, got, want)
		}
	}
	for _, free := range []*Limits{nil, {Lo: -1, Hi: 2}} {
		if got := free.variance(1e8); got != 1e8 {
			t.Errorf("%+v holds a variance to %g", free, got)
		}
	}
}

// No limit makes a number of what is none.
func TestLimitsPassOverWhatIsNoNumber(t *testing.T) {
	l := &Limits{Lo: -1, Hi: 2, Variance: 3}
	values := []float64{math.NaN()}
	if above, v := l.Clamp(values), l.variance(math.NaN()); above || values[0] == values[0] || v == v {
		t.Errorf("NaN clamped to %g and %g", values[0], v)
	}
}

// Classes differ by the differences of their processes: a level that all have in common, however
// far it lies beyond the limits, changes no probability, and a class far below the likeliest is raised.
func TestClampClasses(t *testing.T) {
	l := &Limits{Lo: -12, Hi: 12}
	for _, c := range []struct {
		name  string
		g     []float64
		want  []float64
		below bool
	}{
		{"within", []float64{3, -2, 1}, []float64{3, -2, 1}, false},
		{"all beyond", []float64{40, 33, 30}, []float64{40, 33, 30}, false},
		{"all below", []float64{-40, -33, -30}, []float64{-40, -33, -30}, false},
		{"one far below", []float64{15, -20, 14}, []float64{15, 3, 14}, true},
	} {
		if below := l.ClampClasses(c.g); below != c.below || !slices.Equal(c.g, c.want) {
			t.Errorf("%s: %v, %t; want %v, %t", c.name, c.g, below, c.want, c.below)
		}
	}
	g := []float64{1, math.NaN(), -50}
	if l.ClampClasses(g); g[0] != 1 || g[1] == g[1] || g[2] != -50 {
		t.Errorf("beside what is no number values became %g", g)
	}
	if (*Limits)(nil).ClampClasses(g) {
		t.Error("without limits values are clamped")
	}
}

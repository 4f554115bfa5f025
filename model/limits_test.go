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

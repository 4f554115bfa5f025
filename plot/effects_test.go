package plot

import (
	"math"
	"strings"
	"testing"
)

// effects returns panels of a number, of a category and of a pair in turn.
func effects(n int) Effects {
	x := grid(21)
	along := func(k, shift float64) (v []float64) {
		for i := range x {
			v = append(v, math.Sin(k*x[i])+shift)
		}
		return v
	}
	base := 0.3
	e := Effects{Target: "minutes", Base: &base}
	for i := range n {
		switch i % 3 {
		case 0:
			e.Panels = append(e.Panels, EffectPanel{Input: "a", At: x, Curves: []EffectCurve{{Mean: along(3, 0), Lower: along(3, -0.1), Upper: along(3, 0.1)}}})
		case 1:
			e.Panels = append(e.Panels, EffectPanel{Input: "zone with a long name", Levels: []string{"centre", "north of the river", "hills"},
				Curves: []EffectCurve{{Mean: []float64{0, 1, 0.4}, Lower: []float64{-0.2, 0.9, 0}, Upper: []float64{0.2, 1.1, 1}}}})
		case 2:
			e.Panels = append(e.Panels, EffectPanel{Input: "a by b", At: x, Curves: []EffectCurve{{Name: "b = 1", Mean: along(3, 0)}, {Name: "b = 2", Mean: along(2, 0)}}})
		}
	}
	return e
}

func TestEffectsNameInputsAndLevels(t *testing.T) {
	got := svg(t)(effects(3).Draw())
	for _, want := range []string{">a<", "centre", "hills", "b = 2", "minutes", "deviations"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
}

func TestWhatNoEffectShows(t *testing.T) {
	for _, e := range []Effects{
		{}, {Panels: []EffectPanel{{Input: "a", At: []float64{1}, Curves: []EffectCurve{{Mean: []float64{math.NaN()}}}}}},
		{Panels: []EffectPanel{{Input: "a", At: []float64{1, 2}, Curves: []EffectCurve{{Mean: []float64{1}}}}}},
	} {
		if _, err := e.Draw(); err == nil {
			t.Errorf("%v is drawn", e)
		}
	}
}

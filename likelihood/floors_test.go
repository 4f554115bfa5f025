package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// With floors a class is as probable as it is where a share of the labels is drawn whatever f, by the floors.
func TestFloorsAreAShareOfTheLabels(t *testing.T) {
	floors, g := []float64{0.1, 0.04, 0}, []float64{2, -1, 0.5}
	mixed, ok := Floored(threeClasses, floors)
	if !ok {
		t.Fatal("classes take no floors")
	}
	p, without := make([]float64, 3), make([]float64, 3)
	for _, variance := range []float64{0, 1.5} {
		threeClasses.Probabilities(g, variance, without)
		mixed.(Classes).Probabilities(g, variance, p)
		for k := range p {
			testkit.Close(t, fmt.Sprintf("class %d", k), p[k], floors[k]+0.86*without[k], 1e-12, 0)
		}
	}
	one, ok := Floored(NewLaw(Bernoulli{}, 0.3), floors[:2])
	if !ok {
		t.Fatal("truth values take no floors")
	}
	for _, f := range []float64{-40, -1, 0, 2, 50} {
		for _, std := range []float64{0, 0.01, 1, 10} {
			clean := NewLaw(Bernoulli{}, 0.3).Predictive(f, std*std, 1)
			of := one.Predictive(f, std*std, 1)
			what := fmt.Sprintf("f ~ N(%g, %g²)", f, std)
			p, _ := clean.Moments()
			got, deviation := of.Moments()
			want := 0.04 + 0.86*p
			testkit.Close(t, what+": mean", got, want, 1e-9, 0)
			testkit.Close(t, what+": deviation", deviation, math.Sqrt(want*(1-want)), 1e-8, 0)
			testkit.Close(t, what+": log p(1)", of.LogDensity(1), math.Log(want), 1e-7, 1e-7)
			testkit.Close(t, what+": log p(0)", of.LogDensity(0), math.Log1p(-want), 1e-7, 1e-7)
			testkit.Close(t, what+": F(0)", of.CDF(0), 1-want, 1e-7, 0)
		}
	}
}

// The losses of classes with floors are minus the logarithms of the probabilities, and the slopes their derivatives.
func TestLossesOfClassesWithFloors(t *testing.T) {
	law, _ := Floored(threeClasses, []float64{0.1, 0.04, 1e-5})
	classes, p := law.(Classes), make([]float64, 3)
	for _, g := range [][]float64{{0, 0, 0}, {1, -2, 0.5}, {50, -50, 3}, {-50, -49, 0}, {1000, 999, 998}} {
		classes.Probabilities(g, 0, p)
		for own := range g {
			what, slope := fmt.Sprintf("class %d at %v", own, g), make([]float64, 3)
			value := classes.Losses(g, []float32{float32(own)}, slope)
			testkit.Close(t, what, value, -math.Log(p[own]), 1e-12, 1e-12)
			slopesAreDerivatives(t, what, classes, own, g, slope)
		}
	}
}

// No floors give the law without, and floors that leave nothing to the inputs, or are no probabilities, are refused.
func TestFloorsThatAreNone(t *testing.T) {
	for _, law := range []Likelihood{threeClasses, NewLaw(Bernoulli{}, 0.3)} {
		floors := []float64{0.1, 0.02, 0.03}[:max(2, Latents(law)*Latents(law)/3)]
		with, _ := Floored(law, floors)
		for _, none := range [][]float64{nil, make([]float64, len(floors))} {
			if again, ok := Floored(with, none); !ok || fmt.Sprint(Describe(again)) != fmt.Sprint(Describe(law)) {
				t.Errorf("%+v without floors is %+v", law, again)
			}
		}
		for _, wrong := range [][]float64{{-0.1, 0.2}, {0.5, 0.45}, {math.NaN(), 0}, {0.1}, {0.1, 0.1, 0.1, 0.1}} {
			d := Describe(law)
			if d.Parameters = wrong; len(wrong) == 2 && Latents(law) == 3 {
				d.Parameters = append(wrong, 0)
			}
			if got, err := Restore(d); err == nil {
				t.Errorf("%+v with floors %v is %+v", law, wrong, got)
			}
		}
	}
	for _, law := range []Likelihood{Gaussian{}, NewLaw(Probit{}, 0), NewLaw(Poisson{}, 0)} {
		if _, ok := Floored(law, []float64{0.1, 0.1}); ok {
			t.Errorf("%s takes floors", law.Name())
		}
	}
}

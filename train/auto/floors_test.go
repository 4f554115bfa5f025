package auto

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/likelihood"
	"beziergp/train"
)

// Members learn with floors where labels are wrong, and without where they are right. Members that are sure of too much look out of fold as if
// labels were wrong, too: there the same trial with floors is no better, and they learn without.
func TestMembersKnowOfWrongLabels(t *testing.T) {
	for name, c := range map[string]struct {
		rows           int
		wrong, steep   float64
		smoothness     float64
		seeming, found bool
	}{
		"right": {3000, 0, 6, 1, false, false},
		"wrong": {3000, 0.2, 30, 1, true, true},
		"rough": {1500, 0, 3, 1e-5, true, false},
	} {
		given := ofLaw(t, c.rows, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
			y := bernoulli(rng, c.steep*math.Sin(6*float64(x[0]))*math.Cos(6*float64(x[1])))
			if rng.Float64() < c.wrong {
				return bernoulli(rng, 0)
			}
			return y
		})
		data, p, w := prepared(given, 2)
		tour := tournament{plan: p, data: data, folds: data.partition(p)}
		only := []candidate{untried(structure{train.ByRanks, []component{fine(61, 10)}, c.smoothness})}
		if err := tour.try(t.Context(), w, 0, only, 1); err != nil {
			t.Fatal(err)
		}
		best := tour.best
		if seeming, _ := tour.seemingFloors(w); (seeming != nil) != c.seeming {
			t.Errorf("%s: labels seem to be wrong: %v, want %t", name, seeming, c.seeming)
		}
		floors, err := tour.floors(t.Context(), w)
		if err != nil || (floors != nil) != c.found {
			t.Errorf("%s: floors %v, want some: %t; %v", name, floors, c.found, err)
		}
		if tour.best != best || tour.data != data {
			t.Errorf("%s: the trial has changed the tournament", name)
		}
		learned, got := data.learned(best, floors, []structure{{Smoothness: 3}}, w)
		if (likelihood.LabelNoise(learned.law) > 0) != c.found || got[0].Smoothness != 3 || likelihood.LabelNoise(data.law) != 0 {
			t.Errorf("%s: members learn with %g of the labels wrong and λ = %g, the data with %g", name, likelihood.LabelNoise(learned.law), got[0].Smoothness, likelihood.LabelNoise(data.law))
		}
		w.pool.Close()
	}
}

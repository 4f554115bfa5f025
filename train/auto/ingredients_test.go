package auto_test

import (
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/train"
	"beziergp/train/auto"
)

// rough leaves a candidate of each scaling to choose from, which is quick.
var rough = []auto.Ingredient{auto.Fine, auto.Smoothness}

// ingredients shows what each is for: a law, how many of its rows, what is left out on
// both sides, and how one sees that it is there.
var ingredients = map[auto.Ingredient]struct {
	law    string
	rows   int
	others []auto.Ingredient // left out on both sides
	there  func(*outcome) bool
	factor float64
	nats   float64
}{
	auto.Ranks:        {"skewed input", 150, rough, func(o *outcome) bool { return o.Structures[0].Scaling == string(train.ByRanks) }, 3, 0.3},
	auto.Fine:         {"local structure", 150, rough[1:], func(o *outcome) bool { return o.has("spline") }, 3, 0.8},
	auto.Smoothness:   {"mostly noise", 200, rough[:1], func(o *outcome) bool { return o.has("bernstein") && o.Structures[0].Smoothness > 0 }, 1.5, 0.1},
	auto.Neighbours:   {"days and hours", 10_000, []auto.Ingredient{auto.Fine, auto.Smoothness, auto.Ties}, func(o *outcome) bool { return len(o.Neighbours()) > 0 }, 1.3, 0.3},
	auto.Effects:      {"a wave of each", 1000, rough[1:], func(o *outcome) bool { return o.mainEffects() }, 1.5, 0.3},
	auto.Ties:         {"days that differ", 1200, rough, func(o *outcome) bool { return o.ties() }, 1.5, 0.3},
	auto.Pruning:      {"three of many", 400, rough, func(o *outcome) bool { return o.Training().LeftOut == 17 }, 1.5, 0.2},
	auto.Absences:     {"missing for a reason", 400, rough, func(o *outcome) bool { return o.tellsAbsent() }, 2, 0.3},
	auto.Averaging:    {"interactions", 80, rough, func(o *outcome) bool { return o.Posterior().Groups() == o.Members }, 1.15, 0.1},
	auto.VaryingNoise: {"quiet and loud", 200, rough, func(o *outcome) bool { return o.Output().LogNoise != nil }, 0, 0.2},
	auto.HeavyTails:   {"heavy tails", 200, rough, func(o *outcome) bool { return o.Scales.Tails != 0 }, 0, 0.5},
	auto.DensityRatio: {"two humps", 300, rough, func(o *outcome) bool { return o.predictions.Density != nil }, 0, 0.5},
}

// An ingredient is there where it is needed; left out it is not, and the model is worse
// for it: its error by a factor, or its log-likelihood by so many nats a row.
func TestIngredients(t *testing.T) {
	testkit.Long(t)
	for ingredient, c := range ingredients {
		t.Run(string(ingredient), func(t *testing.T) {
			with := learn(t, c.law, c.rows, c.others...)
			without := learn(t, c.law, c.rows, append(c.others[:len(c.others):len(c.others)], ingredient)...)
			if !c.there(with) || c.there(without) {
				t.Errorf("it is there: %v; when it is left out: %v", c.there(with), c.there(without))
			}
			if !(without.rmse >= c.factor*with.rmse) || c.factor == 0 && without.rmse != with.rmse {
				t.Errorf("error %g, without it %g", with.rmse, without.rmse)
			}
			if !(without.nlpd > with.nlpd+c.nats) {
				t.Errorf("minus the log-likelihood is %g a row, without it %g", with.nlpd, without.nlpd)
			}
		})
	}
}

// All that can be left out, which the error about an unknown one names, is among them.
func TestEveryIngredientIsTested(t *testing.T) {
	_, err := auto.ParseIngredients("ranks,salt")
	if err == nil {
		t.Fatal("salt is an ingredient")
	}
	_, list, _ := strings.Cut(err.Error(), "choose from [")
	names := strings.Fields(strings.TrimSuffix(list, "]"))
	if len(names) == 0 || len(names) != len(ingredients) {
		t.Errorf("%d ingredients are tested, of %q", len(ingredients), err)
	}
	for _, name := range names {
		if _, ok := ingredients[auto.Ingredient(name)]; !ok {
			t.Errorf("%s is not tested", name)
		}
	}
}

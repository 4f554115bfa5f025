package paper

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"beziergp/train"
)

// Counts above all reason are refused before anything of their size is made.
func TestCountsAboveAllReason(t *testing.T) {
	const huge = 1<<63 - 1
	data := fixture(t, 20)
	for option, c := range map[string]struct {
		recipe  Recipe
		workers int
	}{
		"orderings": {Recipe{Orderings: 100_000_000}, 1},
		"steps":     {Recipe{Steps: huge}, 1},
		"batch":     {Recipe{Batch: huge}, 1},
		"workers":   {Recipe{Steps: 1}, huge},
	} {
		_, err := c.recipe.Fit(t.Context(), data, train.Environment{Workers: c.workers})
		var refused *train.OptionError
		if !errors.As(err, &refused) || refused.Option != option {
			t.Errorf("%s: %v", option, err)
		}
	}
	if _, err := (Recipe{Steps: 1}).Fit(t.Context(), data, train.Environment{Workers: 1025}); err == nil {
		t.Error("1025 workers are taken")
	}
}

// The weights of many orderings of many inputs are counted, not made.
func TestWeightsBeyondMemory(t *testing.T) {
	for _, c := range []struct {
		orderings, inputs, nodes int
		want                     string
	}{
		{20, 100_000, 21, ""},
		{100_000, 3, 21, ""},
		{100_000, 1000, 21, "orderings: 100000 of 1000 inputs take"},
		{20, 10_000_000, 21, "orderings: 20 of 10000000 inputs take"},
	} {
		err := Recipe{Orderings: c.orderings}.checkMemory(slices.Repeat([]int{c.nodes}, c.inputs))
		var refused *train.OptionError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &refused) || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

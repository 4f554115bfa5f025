package train

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Counts above all reason are refused before anything of their size is made.
func TestCountsAboveAllReason(t *testing.T) {
	const huge = 1<<63 - 1
	data := fixture(t, 20)
	for option, c := range map[string]struct {
		paper   Paper
		workers int
	}{
		"orderings": {Paper{Orderings: 100_000_000}, 1},
		"steps":     {Paper{Steps: huge}, 1},
		"batch":     {Paper{Batch: huge}, 1},
		"workers":   {Paper{Steps: 1}, huge},
	} {
		for _, recipe := range []Recipe{c.paper, Auto{}} {
			if _, ok := recipe.(Auto); ok && option != "workers" {
				continue
			}
			_, err := recipe.Fit(t.Context(), data, Environment{Workers: c.workers})
			var refused *OptionError
			if !errors.As(err, &refused) || refused.Option != option {
				t.Errorf("%s of %s: %v", option, recipe.Name(), err)
			}
		}
	}
	if _, err := (Paper{Steps: 1}).Fit(t.Context(), data, Environment{Workers: 1025}); err == nil {
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
		err := Paper{Orderings: c.orderings}.checkMemory(slices.Repeat([]int{c.nodes}, c.inputs))
		var refused *OptionError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &refused) || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

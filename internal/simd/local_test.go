package simd

import (
	"slices"
	"testing"
)

// Layers beside categories of many levels are local where those of all weights would take longer, be they of few nodes otherwise; categories of few levels,
// and those that are rare, leave them as they are.
func TestLayersAreLocalBesideManyLevels(t *testing.T) {
	inputs := func(numbers, nodes, support, categories, levels int) (widths, supports []int) {
		widths = append(slices.Repeat([]int{nodes}, numbers), slices.Repeat([]int{levels}, categories)...)
		return widths, append(slices.Repeat([]int{support}, numbers), slices.Repeat([]int{1}, categories)...)
	}
	for _, c := range []struct {
		numbers, nodes, support, categories, levels int
		local                                       bool
	}{
		{30, 4, 4, 0, 0, false},
		{30, 7, 4, 0, 0, false},
		{30, 31, 4, 0, 0, true},
		{30, 4, 4, 20, 28, true},
		{30, 9, 4, 20, 28, true},
		{15, 6, 6, 15, 40, true},
		{27, 4, 4, 3, 100, true},
		{15, 4, 4, 15, 3, false},
		{15, 6, 6, 15, 5, false},
		{0, 0, 0, 30, 2, false},
		{0, 0, 0, 30, 12, true},
	} {
		widths, supports := inputs(c.numbers, c.nodes, c.support, c.categories, c.levels)
		for _, tier := range tiers {
			if tier.layer == nil { // whose costs are of loops in Go
				continue
			}
			if own := tier.Local(widths, supports); (own != nil) != c.local {
				t.Errorf("%s: %+v has local layers: %v", tier.name, c, own)
			}
		}
	}
}

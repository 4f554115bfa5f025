package auto

import (
	"math"
	"math/rand/v2"

	"beziergp/internal/process/buttress"
	"beziergp/internal/process/descent"
)

// orderings draws those of inputs of so many functions. Two inputs of very many values that a component of ties tells apart do not lie next
// to each other in them, as far as others can come between: no rows tell of most of their pairs, and weights of these would fill a file. Nor do
// large ones of a component that is to have them apart ([component.Apart]), of which every step moves all weights.
func (c component) orderings(widths []int, rows int, rng *rand.Rand) [][]int {
	if c.isMainEffects() {
		return effectsOrderings(widths)
	}
	orderings := buttress.RandomOrderings(len(widths), c.Orderings, rng)
	most := math.MaxInt
	switch {
	case c.hasTies():
		most = min(mostPairs, pairsPerRow*rows)
	case c.Apart:
		most = mostPairsMoved
	}
	for _, o := range orderings {
		putApart(o, widths, most)
	}
	return orderings
}

// mostPairsMoved are the pairs of functions that inputs next to each other have at most where all are moved in every step.
const mostPairsMoved = 10_000

// mostPairs and pairsPerRow are the pairs of functions that inputs next to each other have at most, of any table and for each row.
const (
	mostPairs   = descent.ManySteps * descent.ManySteps
	pairsPerRow = 100
)

// putApart exchanges inputs of an ordering for as long as that makes fewer the pairs of functions of neighbours beyond so many.
func putApart(ordering, widths []int, most int) {
	beyond := func(at int) int { // of the pairs at a place and the one before it
		if at == 0 || at == len(ordering) {
			return 0
		}
		return max(0, widths[ordering[at-1]]*widths[ordering[at]]-most)
	}
	around := func(k, l int) int {
		sum := beyond(k) + beyond(k+1) + beyond(l) + beyond(l+1)
		if l == k+1 {
			sum -= beyond(l)
		}
		return sum
	}
	for improved := true; improved; {
		improved = false
		for k := range ordering {
			for l := k + 1; l < len(ordering); l++ {
				before := around(k, l)
				if before == 0 {
					continue
				}
				ordering[k], ordering[l] = ordering[l], ordering[k]
				if around(k, l) < before {
					improved = true
				} else {
					ordering[k], ordering[l] = ordering[l], ordering[k]
				}
			}
		}
	}
}

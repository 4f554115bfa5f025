package auto

import (
	"math/rand/v2"
	"slices"

	"beziergp/internal/process/buttress"
	"beziergp/internal/process/descent"
)

// width is how many functions an input has in a component, and whether they are those of a category's levels.
type width struct {
	functions int
	category  bool
}

// mostPairs are the pairs of functions that two categories next to each other have however few rows there are, and mostPairsOfTies those that any
// two inputs have at most where a component of ties tells their values apart.
const (
	mostPairs       = 128 * 128
	mostPairsOfTies = descent.ManySteps * descent.ManySteps
)

// pairsBeyond returns the pairs of functions of two inputs that they would have to lie apart for. Of two categories these are those beyond one a row:
// where a pair has several rows, what it tells is learned by a weight of its own.
func (c component) pairsBeyond(a, b width, rows int) int {
	switch {
	case a.category && b.category:
		return max(0, a.functions*b.functions-max(mostPairs, rows))
	case c.hasTies():
		return max(0, a.functions*b.functions-mostPairsOfTies)
	}
	return 0
}

// orderings draws those of inputs, for so many rows. Two that have very many pairs of functions do not lie next to each other in them, as far as
// others can come between: no rows tell of most of these pairs, the layer between them has a weight for each, and what two categories tell together
// goes through the layers of an input between them, too.
func (c component) orderings(widths []width, rows int, rng *rand.Rand) [][]int {
	orderings := buttress.RandomOrderings(len(widths), c.Orderings, rng)
	for _, o := range orderings {
		c.putApart(o, widths, rows)
	}
	return orderings
}

// putApart exchanges inputs of an ordering for as long as that makes fewer the pairs of functions of neighbours beyond what they may have.
func (c component) putApart(ordering []int, widths []width, rows int) {
	beyond := func(at int) int { // of the pairs at a place and the one before it
		if at == 0 || at == len(ordering) {
			return 0
		}
		return c.pairsBeyond(widths[ordering[at-1]], widths[ordering[at]], rows)
	}
	around := func(k, l int) int {
		sum := beyond(k) + beyond(k+1) + beyond(l) + beyond(l+1)
		if l == k+1 {
			sum -= beyond(l)
		}
		return sum
	}
	some := func(at int) bool { return beyond(at) > 0 }
	for improved := slices.ContainsFunc(upTo(len(ordering)), some); improved; {
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

// someOrderings are those by which layers are counted before a component is made.
const someOrderings = 24

// besides returns some orderings of inputs beside categories of so many functions, 0 for numbers. It is nil where no category is large.
func besides(functions []int, rows int) [][]int {
	var widths []width
	for _, n := range functions {
		widths = append(widths, width{n, n > 0})
	}
	if !slices.ContainsFunc(functions, func(n int) bool { return n >= largeCategory }) {
		return nil
	}
	return component{Orderings: someOrderings}.orderings(widths, rows, descent.Random(0, descent.StreamOrderings))
}

package table

import (
	"math"
	"math/rand/v2"
)

// Holdout returns a mask, [rows], that marks round(fraction·rows) rows drawn
// without replacement, every such set being equally likely. It is meant for
// [Table.Split]. The mask depends on nothing but the arguments and rng's state.
// It panics when rows is negative or fraction is outside [0, 1].
func Holdout(rows int, fraction float64, rng *rand.Rand) []bool {
	if rows < 0 || !(fraction >= 0 && fraction <= 1) {
		panic("table: Holdout wants rows ≥ 0 and a fraction in [0, 1]")
	}
	mask := make([]bool, rows)
	// Selection sampling (Knuth, TAOCP 2, algorithm 3.4.2S) takes each row with
	// the chance that keeps all sets equally likely, and stores no permutation.
	wanted := int(math.Round(fraction * float64(rows)))
	for i := range mask {
		if rng.IntN(rows-i) < wanted {
			mask[i] = true
			wanted--
		}
	}
	return mask
}

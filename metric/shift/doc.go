// Package shift tells how far two samples of a column lie apart, by the numbers of their
// rows in the same bins: how much that is, and how likely as much is by chance where both
// are of one law.
//
// Counts are before and after, [bins], as package beziergp/dataset/profile makes them. What
// has no rows on one side says nothing: PSI and distance are 0 and the probability is 1.
package shift

const errBins = "shift: the samples have other bins"

// totals returns the numbers of rows.
func totals(before, after []int) (n, m int) {
	if len(before) != len(after) {
		panic(errBins)
	}
	for b := range before {
		n, m = n+before[b], m+after[b]
	}
	return n, m
}

package train

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// byContent returns the numbers of the rows in an order that their content alone
// decides, by their inputs and then by the target, so that what is drawn by lot does
// not depend on how a table is sorted.
func byContent(data Data) []int {
	numbers := everyRow(data.rows())
	slices.SortStableFunc(numbers, func(a, b int) int {
		return cmp.Or(slices.Compare(data.row(a), data.row(b)), cmp.Compare(data.Y[a], data.Y[b]), cmp.Compare(data.weight(a), data.weight(b)))
	})
	return numbers
}

// split shares rows out in k parts at random.
func split(numbers []int, k int, seed uint64) [][]int {
	n := len(numbers)
	shuffled := make([]int, n)
	for i, at := range rand.New(rand.NewPCG(seed, streamFolds)).Perm(n) {
		shuffled[i] = numbers[at]
	}
	k = min(k, n)
	parts := make([][]int, k)
	for i := range parts {
		parts[i] = shuffled[i*n/k : (i+1)*n/k]
	}
	return parts
}

func everyRow(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

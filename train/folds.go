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
	slices.SortStableFunc(numbers, data.compare)
	return numbers
}

// compare orders rows by their content.
func (d Data) compare(a, b int) int {
	return cmp.Or(slices.Compare(d.row(a), d.row(b)), cmp.Compare(d.Y[a], d.Y[b]), cmp.Compare(d.weight(a), d.weight(b)))
}

// copies returns for every row the first in the order that has the same inputs, or −1
// where no other row has.
func copies(data Data, byContent []int) []int {
	first := make([]int, data.rows())
	for i, j := range byContent {
		first[j] = -1
		if i == 0 {
			continue
		}
		if before := byContent[i-1]; slices.Compare(data.row(before), data.row(j)) == 0 {
			if first[before] < 0 {
				first[before] = before
			}
			first[j] = first[before]
		}
	}
	return first
}

// split shares rows out in k parts at random, but rows of the same inputs in different
// ones as far as there are: a new row meets every copy of its inputs among the training
// rows, and so shall a row that is held out.
func split(numbers, copies []int, k int, seed uint64) [][]int {
	n := len(numbers)
	k = min(k, n)
	parts, free := make([][]int, k), make([][]int, k)
	held := map[int][]int{} // of rows of the same inputs, how many every part has
	var left []int
	perm := rand.New(rand.NewPCG(seed, streamFolds)).Perm(n)
	for part := range parts {
		for _, at := range perm[part*n/k : (part+1)*n/k] {
			row := numbers[at]
			if first := copies[row]; first >= 0 {
				own := held[first]
				if own == nil {
					own = make([]int, k)
					held[first] = own
				}
				if own[part] > slices.Min(own) {
					left, row = append(left, row), -1
					free[part] = append(free[part], len(parts[part]))
				} else {
					own[part]++
				}
			}
			parts[part] = append(parts[part], row)
		}
	}
	// Those that would have met a copy take the places of one another.
	for _, row := range left {
		own, to := held[copies[row]], -1
		for part := range parts {
			if len(free[part]) > 0 && (to < 0 || own[part] < own[to]) {
				to = part
			}
		}
		parts[to][free[to][0]] = row
		free[to], own[to] = free[to][1:], own[to]+1
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

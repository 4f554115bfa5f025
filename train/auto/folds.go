package auto

import (
	"slices"

	"beziergp/internal/process/descent"
)

// partition is some rows shared out to folds, every row to one.
type partition struct {
	rows  []int // as they were before
	folds [][]int
}

// noFold stands for a fold that no row is in.
const noFold = -1

// without returns the rows of all folds but one.
func (p partition) without(fold int) []int {
	if fold == noFold {
		return p.rows
	}
	var rest []int
	for k, numbers := range p.folds {
		if k != fold {
			rest = append(rest, numbers...)
		}
	}
	return rest
}

// held returns the rows of a fold.
func (p partition) held(fold int) []int {
	if fold == noFold {
		return nil
	}
	return p.folds[fold]
}

// split shares some of the rows out to k folds at random.
func (d *dataset) split(numbers []int, k int, seed uint64) partition {
	return partition{numbers, split(numbers, d.copies, k, seed)}
}

// split shares rows out in k parts at random, but rows of equal inputs in different parts,
// as far as there are enough: a new row has all its copies among the training rows, and so
// must a row that is held out, or its error is no estimate of that of a new row.
func split(numbers, copies []int, k int, seed uint64) [][]int {
	n := len(numbers)
	k = min(k, n)
	parts, free := make([][]int, k), make([][]int, k)
	held := map[int][]int{} // of rows of the same inputs, how many every part has
	var left []int
	perm := descent.Random(seed, descent.StreamFolds).Perm(n)
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
	// Rows left out because their part has a copy already take each other's places.
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

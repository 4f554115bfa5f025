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
	if len(p.folds) == 1 { // of rows that are marked
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

// merged returns the folds in parts of so many at least, each of as many folds, or fewer in the last; folds of fewer are as they are.
func (p partition) merged(parts int) partition {
	size := max(1, len(p.folds)/parts)
	if size == 1 {
		return p
	}
	own := partition{rows: p.rows}
	for folds := range slices.Chunk(p.folds, size) {
		own.folds = append(own.folds, slices.Concat(folds...))
	}
	return own
}

// held returns the rows of a fold.
func (p partition) held(fold int) []int {
	if fold == noFold {
		return nil
	}
	return p.folds[fold]
}

// partition shares all rows out to the folds of the plan, or holds those out that are
// marked.
func (d *dataset) partition(p plan) partition {
	if d.keys.Held == nil {
		return d.split(d.order, p.folds, p.seed)
	}
	var rest, held []int
	for _, j := range d.order {
		if d.keys.Held[j] {
			held = append(held, j)
		} else {
			rest = append(rest, j)
		}
	}
	return partition{rest, [][]int{mixed(held, p.seed)}}
}

// split shares some of the rows out to k folds: by groups or along the time where the data
// say so, and at random where they do not, or have one group alone.
func (d *dataset) split(numbers []int, k int, seed uint64) partition {
	var folds [][]int
	switch {
	case d.keys.Groups != nil:
		folds = byGroups(numbers, d.keys.Groups, k, seed)
	case d.keys.Times != nil:
		folds = byTimes(numbers, d.keys.Times, k, seed)
	}
	if folds == nil {
		folds = spreadCopies(numbers, d.copies, k, seed)
	}
	return partition{numbers, folds}
}

// spreadCopies shares rows out in k parts at random, but rows of equal inputs in different parts,
// as far as there are enough: a new row has all its copies among the training rows, and so
// must a row that is held out, or its error is no estimate of that of a new row.
func spreadCopies(numbers, copies []int, k int, seed uint64) [][]int {
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

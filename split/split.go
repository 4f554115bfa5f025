// Package split shares the rows of a table out to folds: at random or as they stand, group
// by group, or along time. The folds are those of scikit-learn's KFold, GroupKFold and
// TimeSeriesSplit. Rows are numbers from 0 on; nothing here knows a table.
package split

import (
	"cmp"
	"fmt"
	"slices"
)

// Fold is the rows that a fit learns from and those that it is scored on.
type Fold struct{ Train, Test []int }

// InOrder shares rows out to k folds of consecutive rows; of n rows the first n mod k folds
// have one row more than the others. A random order gives random folds.
func InOrder(order []int, k int) ([][]int, error) {
	n := len(order)
	if err := check(k, n, "rows"); err != nil {
		return nil, err
	}
	folds := make([][]int, k)
	for f, from := 0, 0; f < k; f++ {
		to := from + n/k
		if f < n%k {
			to++
		}
		folds[f], from = slices.Clone(order[from:to]), to
	}
	return folds, nil
}

// Groups shares rows out to k folds so that rows of the same group are in the same fold:
// groups[i] ≥ 0 is that of row i. The largest group goes first, each to the fold of fewest
// rows; of equally large groups the one of the larger number, of equal folds the first.
// Every fold has its rows in ascending order.
func Groups(groups []int, k int) ([][]int, error) {
	var sizes []int
	for _, g := range groups {
		for g >= len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[g]++
	}
	var present []int
	for g, size := range sizes {
		if size > 0 {
			present = append(present, g)
		}
	}
	if err := check(k, len(present), "groups"); err != nil {
		return nil, err
	}
	slices.SortFunc(present, func(a, b int) int { return cmp.Or(sizes[b]-sizes[a], b-a) })
	foldOf, rows := make([]int, len(sizes)), make([]int, k)
	for _, g := range present {
		f := slices.Index(rows, slices.Min(rows))
		foldOf[g] = f
		rows[f] += sizes[g]
	}
	folds := make([][]int, k)
	for i, g := range groups {
		folds[foldOf[g]] = append(folds[foldOf[g]], i)
	}
	return folds, nil
}

// Blocks shares rows out to k folds of neighbours in time, about equally many rows each.
// Rows of the same time are in the same fold.
func Blocks(times []float64, k int) ([][]int, error) {
	if err := check(k, len(times), "rows"); err != nil {
		return nil, err
	}
	order := byTime(times)
	cuts := make([]int, k+1)
	for f := range cuts {
		cuts[f] = earliest(times, order, f*len(order)/k)
	}
	folds := make([][]int, k)
	for f := range folds {
		if cuts[f] == cuts[f+1] {
			return nil, fmt.Errorf("%d folds of %d rows: too many rows have the same time", k, len(times))
		}
		folds[f] = slices.Clone(order[cuts[f]:cuts[f+1]])
	}
	return folds, nil
}

// Forward returns k folds along time. Each is tested on ⌊n/(k+1)⌋ rows, the last one on the
// last rows, and learns from all rows before these. Rows of the same time are on the same
// side: they are tested.
func Forward(times []float64, k int) ([]Fold, error) {
	n := len(times)
	if err := check(k, n-1, "rows but one"); err != nil {
		return nil, err
	}
	order, size := byTime(times), n/(k+1)
	var folds []Fold
	for f := range k {
		from, to := n-(k-f)*size, n-(k-f-1)*size
		from = earliest(times, order, from)
		if to < n {
			to = earliest(times, order, to)
		}
		if from == 0 || from == to {
			return nil, fmt.Errorf("%d folds along time of %d rows: too many rows have the same time", k, n)
		}
		folds = append(folds, Fold{slices.Clone(order[:from]), slices.Clone(order[from:to])})
	}
	return folds, nil
}

// Of returns a fold for each of the tests, which learns from the rows of all others, in
// ascending order.
func Of(tests [][]int) []Fold {
	var folds []Fold
	for k, test := range tests {
		own := Fold{Test: test}
		for l, others := range tests {
			if l != k {
				own.Train = append(own.Train, others...)
			}
		}
		slices.Sort(own.Train)
		folds = append(folds, own)
	}
	return folds
}

// byTime returns the rows by time, those of the same time as they stand.
func byTime(times []float64) []int {
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	return order
}

// earliest returns the first place of the order whose row has the time of that at a place.
func earliest(times []float64, order []int, at int) int {
	for at > 0 && at < len(order) && times[order[at-1]] == times[order[at]] {
		at--
	}
	return at
}

func check(k, most int, what string) error {
	if k < 2 || k > most {
		return fmt.Errorf("%d folds of %d %s: there must be at least 2 folds, and one for each fold", k, most, what)
	}
	return nil
}

package profile

import (
	"slices"
	"strconv"
)

// wanted is the number of bins that a number is to have, of equal shares of the rows. A
// value that more rows have has a bin of its own, so that there may be some more.
const wanted = 20

// cutsOf returns where to cut values, which are in order: none falls on a cut, but on
// either side of it.
func cutsOf(sorted []float64) []float64 {
	n := len(sorted)
	var places []int // numbers of values below a cut
	for k := 1; k < wanted; k++ {
		at := k * n / wanted
		if at == 0 {
			continue
		}
		from, _ := slices.BinarySearch(sorted, sorted[at])
		to := at + 1
		for to < n && sorted[to] == sorted[at] {
			to++
		}
		switch {
		case (to-from)*wanted >= n: // a bin of its own
			places = append(places, from, to)
		case at-from <= to-at:
			places = append(places, from)
		default:
			places = append(places, to)
		}
	}
	slices.Sort(places)
	var cuts []float64
	for _, at := range slices.Compact(places) {
		if at > 0 && at < n {
			cuts = append(cuts, between(sorted[at-1], sorted[at]))
		}
	}
	return cuts
}

// between returns a number v with a ≤ v < b, of few digits and in the middle half where
// there is one: it tells less of the two than either, and rounding them moves neither across.
func between(a, b float64) float64 {
	lo, mid, hi := 0.75*a+0.25*b, 0.5*a+0.5*b, 0.25*a+0.75*b
	for digits := 1; digits <= 17; digits++ {
		v, err := strconv.ParseFloat(strconv.FormatFloat(mid, 'g', digits, 64), 64)
		if err == nil && lo <= v && v <= hi && a <= v && v < b {
			return v
		}
	}
	return a
}

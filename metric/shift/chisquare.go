package shift

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// leastExpected is the number of rows that a cell of a table should be expected to have for
// the limit distribution of χ² to hold (Cochran, Biometrics 10, 1954).
const leastExpected = 5

// ChiSquare returns the probability of counts at least as far apart by chance: that of
// Pearson's
//
//	χ² = Σ (counted − expected)² / expected
//
// over both samples and all bins, whose order is of no account. Bins in which one sample
// is expected to have fewer than five rows are taken together, with the next one where that
// is not enough.
func ChiSquare(before, after []int) float64 {
	n, m := totals(before, after)
	if n == 0 || m == 0 {
		return 1
	}
	share := float64(min(n, m)) / (float64(n) + float64(m)) // of the smaller sample
	type bin struct{ before, after float64 }
	var bins []bin
	for b := range before {
		if before[b]+after[b] > 0 {
			bins = append(bins, bin{float64(before[b]), float64(after[b])})
		}
	}
	slices.SortStableFunc(bins, func(a, b bin) int {
		switch d := a.before + a.after - b.before - b.after; {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	sparse := func(b bin) bool { return (b.before+b.after)*share < leastExpected }
	for len(bins) > 1 && (sparse(bins[0]) || sparse(bins[1])) {
		bins[1].before += bins[0].before
		bins[1].after += bins[0].after
		bins = bins[1:]
	}
	if len(bins) < 2 {
		return 1
	}
	square := 0.0
	for _, b := range bins {
		rows := b.before + b.after
		expected := rows * float64(m) / (float64(n) + float64(m))
		d := b.after - expected
		square += d * d * (1/expected + 1/(rows-expected))
	}
	return distuv.ChiSquared{K: float64(len(bins) - 1)}.Survival(square)
}

// Share returns the probability of shares with/(with + without) at least as far apart by
// chance, before and after: by χ² where that holds, and else exactly, the sum of the
// probabilities of all tables with these margins that are no more likely than this one
// (Fisher's test).
func Share(withBefore, withoutBefore, withAfter, withoutAfter int) float64 {
	n, m := float64(withBefore)+float64(withoutBefore), float64(withAfter)+float64(withoutAfter)
	with := float64(withBefore) + float64(withAfter)
	few := min(with, n+m-with)
	if n == 0 || m == 0 || few == 0 {
		return 1
	}
	if few*min(n, m)/(n+m) >= leastExpected {
		return ChiSquare([]int{withBefore, withoutBefore}, []int{withAfter, withoutAfter})
	}
	// Of few, k fall into the second sample: k is hypergeometric.
	log := func(k float64) float64 {
		return choose(m, k) + choose(n, few-k)
	}
	counted := float64(withAfter)
	if few != with {
		counted = float64(withoutAfter)
	}
	all, tail, own := 0.0, 0.0, log(counted)
	for k := max(0, few-n); k <= min(few, m); k++ {
		p := math.Exp(log(k) - own)
		all += p
		if p <= 1+1e-9 {
			tail += p
		}
	}
	if math.IsInf(all, 1) { // this one is beyond comparison with the likely ones
		return 0
	}
	return tail / all
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

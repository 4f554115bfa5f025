package shift

import "math"

// PSI returns the population stability index
//
//	Σ_b (q_b − p_b) ln(q_b / p_b)
//
// of the shares p_b of the rows before and q_b of those after, which is the sum of the
// Kullback–Leibler divergences in both directions. Of a bin that is empty on one side, half
// a row is taken there, for the logarithm; one that is empty on both adds nothing. Up to
// 0.1 is commonly called stable, from 0.25 on another population (Siddiqi, Credit Risk
// Scorecards, 2006).
//
// It grows by chance, too: of two samples of n and m rows of one law the mean is about
// (bins − 1)(1/n + 1/m).
func PSI(before, after []int) float64 {
	n, m := totals(before, after)
	if n == 0 || m == 0 {
		return 0
	}
	index := 0.0
	for b := range before {
		if before[b] == 0 && after[b] == 0 {
			continue
		}
		p, q := math.Max(float64(before[b]), 0.5)/float64(n), math.Max(float64(after[b]), 0.5)/float64(m)
		index += (q - p) * math.Log(q/p)
	}
	return index
}

package shift

import "math"

// KS returns the Kolmogorov–Smirnov distance of two samples by their distribution functions
// at the edges of the bins, which are in order,
//
//	D = max_b |F(edge b) − G(edge b)|
//
// and the probability of as much by chance, [Kolmogorov](D √(nm/(n + m))). The distance
// between edges may be larger, so that the probability is an upper bound, as it is where
// values are tied.
func KS(before, after []int) (distance, probability float64) {
	n, m := totals(before, after)
	if n == 0 || m == 0 {
		return 0, 1
	}
	higher, lower := Sided(before, after)
	distance = max(higher, lower)
	// As n/(n/m + 1), which does not overflow.
	return distance, Kolmogorov(distance * math.Sqrt(float64(n)/(float64(n)/float64(m)+1)))
}

// Sided returns the distance by which the values after are higher, max_b F(edge b) − G(edge b),
// and that by which they are lower: one alone is large where they moved one way. Both are 0
// where a sample has no rows.
func Sided(before, after []int) (higher, lower float64) {
	n, m := totals(before, after)
	if n == 0 || m == 0 {
		return 0, 0
	}
	below, belowAfter := 0, 0
	for b := range before {
		below, belowAfter = below+before[b], belowAfter+after[b]
		d := float64(below)/float64(n) - float64(belowAfter)/float64(m)
		higher, lower = max(higher, d), max(lower, -d)
	}
	return higher, lower
}

// Uniform returns the distance of a sample in bins of equal width from the uniform
// distribution, at the edges of the bins, and its probability as [KS] does.
func Uniform(counts []int) (distance, probability float64) {
	n, _ := totals(counts, counts)
	if n == 0 {
		return 0, 1
	}
	below := 0
	for b, count := range counts {
		below += count
		distance = max(distance, math.Abs(float64(below)/float64(n)-float64(b+1)/float64(len(counts))))
	}
	return distance, Kolmogorov(distance * math.Sqrt(float64(n)))
}

// Kolmogorov returns the probability of more than t under the limit distribution of the
// scaled distance,
//
//	2 Σ_k (−1)^(k−1) exp(−2 k² t²), k from 1 on,
//
// for small t as 1 − √(2π)/t Σ_k exp(−(2k − 1)² π²/(8 t²)), which converges there
// (Kolmogorov, Giornale dell'Istituto Italiano degli Attuari 4, 1933).
func Kolmogorov(t float64) float64 {
	sum := 0.0
	switch {
	case !(t > 0):
		return 1
	case t < 1:
		for k := 1.0; k < 8; k++ {
			sum += math.Exp(-(2*k - 1) * (2*k - 1) * math.Pi * math.Pi / (8 * t * t))
		}
		return 1 - math.Sqrt(2*math.Pi)/t*sum
	}
	for k, sign := 1.0, 2.0; k < 8; k, sign = k+1, -sign {
		sum += sign * math.Exp(-2*k*k*t*t)
	}
	return sum
}

package metric

import "math"

// GaussianInterval returns the ends mean ± z·std of the central interval that
// holds the share level of a Gaussian distribution. It panics unless level is in
// (0, 1) and std ≥ 0.
func GaussianInterval(mean, std, level float64) (lower, upper float64) {
	checkLevel(level)
	if std < 0 {
		panic(errStd)
	}
	half := math.Sqrt2 * math.Erfinv(level) * std
	return mean - half, mean + half
}

// MeanWidth returns the mean of upper − lower, in the units of the ends.
func MeanWidth(lower, upper []float64) float64 {
	check(lower, upper)
	var total sum
	for i, v := range lower {
		total.add(upper[i] - v)
	}
	return total.value() / float64(len(lower))
}

// IntervalScore returns the mean interval score of central intervals that are to hold y with
// probability level = 1 − α,
//
//	1/n Σ (upper − lower) + 2/α max(lower − y, 0) + 2/α max(y − upper, 0)
//
// (Gneiting & Raftery, Strictly proper scoring rules, prediction, and estimation, 2007,
// equation 43), in the units of y. Smaller is better: it is least for the quantiles α/2 and
// 1 − α/2, and 2/α times the sum of their pinball losses.
func IntervalScore(y, lower, upper []float64, level float64) float64 {
	check(y, lower, upper)
	var beyond sum
	for i, v := range y {
		beyond.add(outside(v, lower[i], upper[i]))
	}
	return intervalScore(MeanWidth(lower, upper), beyond.value()/float64(len(y)), level)
}

// outside is how far y lies outside an interval.
func outside(y, lower, upper float64) float64 {
	return math.Max(lower-y, 0) + math.Max(y-upper, 0)
}

func intervalScore(width, beyond, level float64) float64 {
	checkLevel(level)
	return width + 2/(1-level)*beyond
}

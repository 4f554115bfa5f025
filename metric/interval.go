package metric

import "math"

// GaussianInterval returns the ends mean ± z·std of the central interval that
// holds the share level of a Gaussian distribution. It panics unless level is in
// (0, 1) and std ≥ 0.
func GaussianInterval(mean, std, level float64) (lower, upper float64) {
	if !(level > 0 && level < 1) {
		panic(errLevel)
	}
	if std < 0 {
		panic(errStd)
	}
	half := math.Sqrt2 * math.Erfinv(level) * std
	return mean - half, mean + half
}

package metric

import (
	"math"

	"beziergp/predictive"
)

// RMSE returns the root mean squared error √(Σ (y − mean)² / n).
func RMSE(y, mean []float64) float64 {
	check(y, mean)
	var squares sum
	for i, v := range y {
		squares.add((v - mean[i]) * (v - mean[i]))
	}
	return math.Sqrt(squares.value() / float64(len(y)))
}

// NLPD returns the negative log predictive density, minus the mean over the rows
// of log N(y | mean, std²). Smaller is better; it may be negative.
func NLPD(y, mean, std []float64) float64 {
	return -average(predictive.Distribution.LogDensity, y, mean, std)
}

// CRPS returns the mean over the rows of the continuous ranked probability score
// ∫ (F(t) − 1{y ≤ t})² dt, F being the distribution function of N(mean, std²).
// Smaller is better; it is never negative.
func CRPS(y, mean, std []float64) float64 {
	return average(predictive.Distribution.CRPS, y, mean, std)
}

// gaussian is N(mean, std²).
func gaussian(mean, std float64) predictive.Distribution {
	if std < 0 {
		panic(errStd)
	}
	return predictive.Distribution{Location: mean, Scale: std}
}

func average(score func(d predictive.Distribution, y float64) float64, y, mean, std []float64) float64 {
	check(y, mean, std)
	var total sum
	for i, v := range y {
		total.add(score(gaussian(mean[i], std[i]), v))
	}
	return total.value() / float64(len(y))
}

// PIT returns the probability integral transforms F(y), [n], F being the
// distribution function of N(mean, std²). They are uniform on [0, 1] when the
// predictions are calibrated. The slice is the caller's.
func PIT(y, mean, std []float64) []float64 {
	check(y, mean, std)
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = gaussian(mean[i], std[i]).CDF(v)
	}
	return out
}

// Coverage returns the share of rows with lower ≤ y ≤ upper.
func Coverage(y, lower, upper []float64) float64 {
	check(y, lower, upper)
	inside := 0
	for i, v := range y {
		if lower[i] <= v && v <= upper[i] {
			inside++
		}
	}
	return float64(inside) / float64(len(y))
}

// MeanSD returns the mean of xs and its standard deviation with n − 1 degrees of
// freedom, which is NaN for a single value.
func MeanSD(xs []float64) (mean, sd float64) {
	check(xs)
	n := float64(len(xs))
	var total sum
	for _, x := range xs {
		total.add(x)
	}
	mean = total.value() / n
	// Deviations from the rounded mean sum to a little more than 0; taking that
	// out keeps the variance right for values far from 0.
	var squares, rest sum
	for _, x := range xs {
		squares.add((x - mean) * (x - mean))
		rest.add(x - mean)
	}
	r := rest.value()
	return mean, math.Sqrt((squares.value() - r*r/n) / (n - 1))
}

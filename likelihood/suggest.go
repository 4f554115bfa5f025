package likelihood

import (
	"math"
	"slices"
)

// fewest rows are skewed by chance.
const fewest = 20

// Suggested returns laws that numbers like these may have, and why; nil where nothing speaks
// against a [Gaussian]. It is a hint for people: a table of numbers does not tell what they
// are.
func Suggested(y []float64) (why string, names []string) {
	if len(y) < fewest || slices.Min(y) < 0 {
		return "", nil
	}
	whole, truth := true, true
	for _, v := range y {
		whole = whole && v == math.Trunc(v)
		truth = truth && (v == 0 || v == 1)
	}
	switch s := skew(y); {
	case truth && slices.Min(y) < slices.Max(y):
		return "is 0 or 1", []string{Bernoulli{}.Name()}
	case !(s > 0.5):
		return "", nil
	case whole:
		return "holds counts", []string{Poisson{}.Name(), NegativeBinomial{}.Name()}
	case !(s > 1):
		return "", nil
	case slices.Min(y) > 0:
		return "is positive and skewed", []string{Gamma{}.Name(), LogNormal{}.Name()}
	}
	return "is skewed, not negative and often 0", []string{Tweedie{}.Name()}
}

// skew returns the third standardised moment; NaN of one value.
func skew(y []float64) float64 {
	n, mean := float64(len(y)), 0.0
	for _, v := range y {
		mean += v / n
	}
	var second, third float64
	for _, v := range y {
		second += (v - mean) * (v - mean) / n
		third += (v - mean) * (v - mean) * (v - mean) / n
	}
	return third / math.Pow(second, 1.5)
}

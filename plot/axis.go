package plot

import (
	"math"
	"slices"
	"strconv"
)

// axis is one of a panel's two axes.
type axis struct {
	label  string
	lo, hi float64
	ticks  []float64 // by default round numbers
}

// spanning returns an axis that reaches a little beyond all values.
func spanning(label string, values ...[]float64) axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		lo, hi = min(lo, slices.Min(v)), max(hi, slices.Max(v))
	}
	margin := 0.04 * (hi - lo)
	if margin == 0 {
		margin = 1
	}
	return axis{label: label, lo: lo - margin, hi: hi + margin}
}

// share returns where on the axis v lies, from 0 to 1.
func (a axis) share(v float64) float64 { return (v - a.lo) / (a.hi - a.lo) }

// marks returns the ticks and their labels.
func (a axis) marks() (at []float64, labels []string) {
	at = a.ticks
	if at == nil {
		at = roundNumbers(a.lo, a.hi)
	}
	decimals, largest := 0, 0.0
	for _, v := range at {
		decimals, largest = max(decimals, decimalsOf(v)), max(largest, math.Abs(v))
	}
	format, digits := byte('f'), decimals
	if largest >= 1e5 || decimals > mostDecimals {
		format, digits = 'g', 4
	}
	for _, v := range at {
		// A hyphen is too short to be read as a minus.
		s := strconv.FormatFloat(math.Abs(v), format, digits, 64)
		if v < 0 {
			s = "−" + s
		}
		labels = append(labels, s)
	}
	return at, labels
}

// roundNumbers returns from three to seven multiples of 1, 2 or 5 times a power of
// ten between lo and hi.
func roundNumbers(lo, hi float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/3)))
	for _, factor := range []float64{5, 2} {
		if (hi-lo)/(factor*step) >= 3 {
			step *= factor
			break
		}
	}
	var at []float64
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		at = append(at, k*step+0) // +0 makes a zero of −0
	}
	return at
}

// mostDecimals is the number of decimals beyond which ticks get an exponent.
const mostDecimals = 4

// decimalsOf returns how many decimals a tick needs, mostDecimals + 1 for any more.
func decimalsOf(v float64) int {
	for n := range mostDecimals + 1 {
		scaled := v * math.Pow10(n)
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*math.Abs(scaled) || v == 0 {
			return n
		}
	}
	return mostDecimals + 1
}

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
	log    bool      // equal ratios are equal lengths; lo is above 0
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

// spanningLog returns an axis of logarithms that reaches a little beyond all values,
// and over a factor of two at least. They are above 0.
func spanningLog(label string, values ...[]float64) axis {
	var logs [][]float64
	for _, v := range values {
		l := make([]float64, len(v))
		for i := range v {
			l[i] = math.Log(v[i])
		}
		logs = append(logs, l)
	}
	a := spanning(label, logs...)
	if wider := (math.Ln2 - (a.hi - a.lo)) / 2; wider > 0 {
		a.lo, a.hi = a.lo-wider, a.hi+wider
	}
	a.lo, a.hi, a.log = math.Exp(a.lo), math.Exp(a.hi), true
	a.ticks = powerNumbers(a.lo, a.hi)
	return a
}

// share returns where on the axis v lies, from 0 to 1.
func (a axis) share(v float64) float64 {
	if a.log {
		return math.Log(v/a.lo) / math.Log(a.hi/a.lo)
	}
	return (v - a.lo) / (a.hi - a.lo)
}

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
	if a.log { // a power of ten has digits of its own
		format, digits = 'g', 6
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

// powerNumbers returns powers of ten between lo and hi, not more than about six, or
// where there is not more than one, those times 1, 2 and 5; or round numbers.
func powerNumbers(lo, hi float64) (at []float64) {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Floor(math.Log10(hi)))
	factors, every := []float64{1}, 1+(last-first)/6
	if math.Log10(hi)-math.Ceil(math.Log10(lo)) < 1 {
		factors = []float64{1, 2, 5}
	}
	for k := first; k <= last; k += every {
		for _, factor := range factors {
			if v := factor * math.Pow10(k); v >= lo && v <= hi {
				at = append(at, v)
			}
		}
	}
	if len(at) < 2 {
		return roundNumbers(lo, hi)
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

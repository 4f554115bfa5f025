package metric

import (
	"math"
	"slices"

	"beziergp/internal/splitmix"
)

// MedianRows is how many values a [Median] keeps at most.
const MedianRows = 1 << 20

// stream keeps these numbers apart from those that choose rows by their number.
const stream = 1 << 62

// Median gathers values that come one by one, in memory that does not grow beyond 8 MB.
// The zero value holds none.
type Median struct {
	n    int
	nan  bool
	kept []float64
}

// Add takes in a value.
func (m *Median) Add(v float64) {
	m.nan = m.nan || math.IsNaN(v)
	if m.n < MedianRows {
		m.kept = append(m.kept, v)
	} else if at := splitmix.At(uint64(m.n)|stream) % uint64(m.n+1); at < MedianRows {
		m.kept[at] = v
	}
	m.n++
}

// Value returns the median of the values: exactly that of up to [MedianRows], the mean of
// the two in the middle where their number is even; of more, that of a uniform sample of so
// many, by algorithm R (Vitter, Random sampling with a reservoir, 1985), which is the same
// for the same values in the same order. It lies within quantiles 0.4985 and 0.5015 of all
// values then but for one case in 500. It panics before the first value.
func (m *Median) Value() float64 {
	if m.n == 0 {
		panic(errEmpty)
	}
	if m.nan {
		return math.NaN()
	}
	values := slices.Sorted(slices.Values(m.kept))
	return values[(len(values)-1)/2]/2 + values[len(values)/2]/2
}

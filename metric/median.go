package metric

import (
	"math"
	"slices"
)

// MedianRows is how many values a [Median] keeps at most.
const MedianRows = 1 << 20

// Median gathers values that come one by one, in memory that does not grow beyond 8 MB.
// The zero value holds none.
type Median struct {
	places places
	nan    bool
	kept   []float64
}

// Add takes in a value.
func (m *Median) Add(v float64) {
	m.nan = m.nan || math.IsNaN(v)
	m.places.room = MedianRows
	switch at := m.places.next(); {
	case at == len(m.kept):
		m.kept = append(m.kept, v)
	case at >= 0:
		m.kept[at] = v
	}
}

// Value returns the median of the values: exactly that of up to [MedianRows], the mean of
// the two in the middle where their number is even; of more, that of a uniform sample of so
// many, which is the same for the same values in the same order. It lies within quantiles
// 0.4985 and 0.5015 of all values then but for one case in 500. It panics before the first
// value.
func (m *Median) Value() float64 {
	if m.places.n == 0 {
		panic(errEmpty)
	}
	if m.nan {
		return math.NaN()
	}
	values := slices.Sorted(slices.Values(m.kept))
	return values[(len(values)-1)/2]/2 + values[len(values)/2]/2
}

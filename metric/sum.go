package metric

import "math"

// sum adds up values with an error bound that does not grow with their number:
// Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
// Summen, 1974. The zero value is an empty sum.
type sum struct{ high, low float64 }

func (s *sum) add(x float64) {
	t := s.high + x
	if math.Abs(s.high) >= math.Abs(x) {
		s.low += (s.high - t) + x
	} else {
		s.low += (x - t) + s.high
	}
	s.high = t
}

// value returns the sum. Once it is infinite the compensation is Inf − Inf and
// means nothing.
func (s *sum) value() float64 {
	if math.IsInf(s.high, 0) {
		return s.high
	}
	return s.high + s.low
}

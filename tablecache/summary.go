package tablecache

import "math"

// Summary is what is known of a column over all rows.
type Summary struct {
	Missing int     `json:"missing"`
	Lo      float64 `json:"lo"` // smallest and largest value; NaN if there is none
	Hi      float64 `json:"hi"`
	Counts  []int   `json:"counts,omitempty"` // of a category: rows by level
}

// NewSummary returns the summary of no rows. Infinite stands for "none yet".
func NewSummary() Summary { return Summary{Lo: math.Inf(1), Hi: math.Inf(-1)} }

// Summarize returns the summary of values, which are codes of levels if they are coded.
func Summarize(values []float64, coded bool) Summary {
	s := NewSummary()
	s.Add(values, coded)
	return s.orNone()
}

// orNone returns the summary with NaN as the extremes of no values.
func (s Summary) orNone() Summary {
	if math.IsInf(s.Lo, 1) {
		s.Lo, s.Hi = math.NaN(), math.NaN()
	}
	return s
}

// Add takes in values, which are indices if the column is coded.
func (s *Summary) Add(values []float64, coded bool) {
	for _, v := range values {
		if math.IsNaN(v) {
			s.Missing++
			continue
		}
		s.Lo, s.Hi = min(s.Lo, v), max(s.Hi, v)
		if coded {
			for len(s.Counts) <= int(v) {
				s.Counts = append(s.Counts, 0)
			}
			s.Counts[int(v)]++
		}
	}
}

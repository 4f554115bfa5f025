package tablecache

import (
	"math"
	"math/rand/v2"

	"beziergp/table"
)

// Summary is what is known of a column over all rows.
type Summary struct {
	Missing int     `json:"missing"`
	Lo      float64 `json:"lo"` // smallest and largest value; NaN if there is none
	Hi      float64 `json:"hi"`
	Counts  []int   `json:"counts,omitempty"` // of a category: rows by level
}

// newSummary returns the summary of no rows. Infinite stands for "none yet".
func newSummary() Summary { return Summary{Lo: math.Inf(1), Hi: math.Inf(-1)} }

// Summarize returns the summary of values, which are codes of levels if they are coded.
func Summarize(values []float64, coded bool) Summary {
	s := newSummary()
	s.add(values, coded)
	return s.orNone()
}

// orNone returns the summary with NaN as the extremes of no values.
func (s Summary) orNone() Summary {
	if math.IsInf(s.Lo, 1) {
		s.Lo, s.Hi = math.NaN(), math.NaN()
	}
	return s
}

// add takes in values, which are indices if the column is coded.
func (s *Summary) add(values []float64, coded bool) {
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

// A sample has so many rows at most, and fewer of a wide table.
const (
	sampleRows   = 1 << 16
	sampleValues = 1 << 22
)

// sample holds rows drawn from those seen so far, every set of them being equally
// likely (Vitter's algorithm R). It is a function of the rows alone.
type sample struct {
	columns [][]float64
	most    int
	seen    int
	rng     *rand.Rand
}

func newSample(columns int) *sample {
	return &sample{
		columns: make([][]float64, columns),
		most:    max(1, min(sampleRows, sampleValues/columns)),
		rng:     rand.New(rand.NewPCG(0, 0)),
	}
}

func (s *sample) add(columns [][]float64, n int) {
	for i := range n {
		s.seen++
		if s.seen <= s.most {
			for j, c := range columns {
				s.columns[j] = append(s.columns[j], c[i])
			}
			continue
		}
		if k := s.rng.IntN(s.seen); k < s.most {
			for j, c := range columns {
				s.columns[j][k] = c[i]
			}
		}
	}
}

// table returns the sample as a table with these fields.
func (s *sample) table(fields []table.Field) (*table.Table, error) {
	columns := make([]table.Column, len(fields))
	for j, f := range fields {
		columns[j] = table.NewColumn(f, s.columns[j])
	}
	return table.New(columns...)
}

package tablecache

import (
	"math/rand/v2"

	"beziergp/table"
)

// A sample has so many rows at most, and fewer of a wide table.
const (
	sampleRows   = 1 << 16
	sampleValues = 1 << 22
)

// Reservoir is a sample of rows drawn from those seen so far, every set of them being equally
// likely (Vitter's algorithm R). It is a function of the rows alone.
type Reservoir struct {
	columns [][]float64
	given   []bool // whether the row in a slot was added, not passed over
	most    int
	seen    int
	rng     *rand.Rand
}

// NewReservoir returns the sample of no rows of so many columns.
func NewReservoir(columns int) *Reservoir {
	return &Reservoir{
		columns: make([][]float64, columns),
		most:    max(1, min(sampleRows, sampleValues/columns)),
		rng:     rand.New(rand.NewPCG(0, 0)),
	}
}

// Add takes in n rows, columns[j][:n].
func (s *Reservoir) Add(columns [][]float64, n int) {
	for i := range n {
		s.seen++
		if s.seen <= s.most {
			for j, c := range columns {
				s.columns[j] = append(s.columns[j], c[i])
			}
			s.given = append(s.given, true)
			continue
		}
		if k := s.rng.IntN(s.seen); k < s.most {
			s.given[k] = true
			for j, c := range columns {
				s.columns[j][k] = c[i]
			}
		}
	}
}

// pass goes on as if so many rows had been added, which others add.
func (s *Reservoir) pass(rows int) {
	for range rows {
		if s.seen++; s.seen > s.most {
			s.rng.IntN(s.seen)
			continue
		}
		for j := range s.columns {
			s.columns[j] = append(s.columns[j], 0)
		}
		s.given = append(s.given, false)
	}
}

// Table returns the sample as a table with these fields, which it keeps. What meaning has
// for a column are the values that its numbers are indices of; nil for those that are none.
func (s *Reservoir) Table(fields []table.Field, meaning [][]float64) (*table.Table, error) {
	columns := make([]table.Column, len(fields))
	for j, f := range fields {
		if !translate(s.columns[j], meaning[j]) {
			return nil, ErrDamaged
		}
		columns[j] = table.NewColumn(f, s.columns[j])
	}
	return table.New(columns...)
}

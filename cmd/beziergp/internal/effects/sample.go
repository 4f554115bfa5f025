package effects

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// mostSampled is how many rows have curves of their own, and of how many effects are estimated.
const mostSampled = 1000

// sample is rows drawn from those seen so far, every set of them being equally likely (Vitter's
// algorithm R).
type sample struct {
	rng  *rand.Rand
	seen int
	rows []sampledRow
}

type sampledRow struct {
	number int64
	values []float64
}

func newSample(seed uint64) *sample {
	return &sample{rng: rand.New(rand.NewPCG(seed, 0))}
}

// add takes in the rows of a block with their numbers in the table.
func (s *sample) add(columns [][]float64, numbers []int64) {
	for i, number := range numbers {
		s.seen++
		k := len(s.rows)
		if k < mostSampled {
			s.rows = append(s.rows, sampledRow{values: make([]float64, len(columns))})
		} else if k = s.rng.IntN(s.seen); k >= mostSampled {
			continue
		}
		s.rows[k].number = number
		for j, c := range columns {
			s.rows[k].values[j] = c[i]
		}
	}
}

// columns returns the rows in the order of the table, and their numbers.
func (s *sample) columns() (columns [][]float64, numbers []int64) {
	slices.SortFunc(s.rows, func(a, b sampledRow) int { return cmp.Compare(a.number, b.number) })
	for _, row := range s.rows {
		numbers = append(numbers, row.number)
		for j, v := range row.values {
			if j == len(columns) {
				columns = append(columns, nil)
			}
			columns[j] = append(columns[j], v)
		}
	}
	return columns, numbers
}

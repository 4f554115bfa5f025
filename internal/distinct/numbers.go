// Package distinct counts the different numbers of a column.
package distinct

import (
	"math"
	"slices"

	"beziergp/internal/splitmix"
)

// Numbers are the different numbers that were added, in a table by their bits: a map of all
// values of many columns takes seconds. The zero value has none.
type Numbers struct {
	slots []float64 // NaN where there is none; a power of two
	n     int
}

// Len returns how many there are.
func (s *Numbers) Len() int { return s.n }

// Add adds a number, or nothing if it is NaN. −0 is 0.
func (s *Numbers) Add(v float64) {
	if v != v {
		return
	}
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	if at := s.place(v); s.slots[at] != v {
		s.slots[at], s.n = v, s.n+1
	}
}

// place returns where a number is, or is to be.
func (s *Numbers) place(v float64) uint64 {
	last := uint64(len(s.slots) - 1)
	at := splitmix.Mix(math.Float64bits(v+0)) & last // −0 + 0 is 0
	for s.slots[at] == s.slots[at] && s.slots[at] != v {
		at = (at + 1) & last
	}
	return at
}

func (s *Numbers) grow() {
	const fewest, by = 64, 4
	old := s.slots
	s.slots = slices.Repeat([]float64{math.NaN()}, max(fewest, by*len(old)))
	for _, v := range old {
		if v == v {
			s.slots[s.place(v)] = v
		}
	}
}

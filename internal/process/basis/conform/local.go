package conform

import (
	"math"
	"testing"
)

// local checks that the functions that a basis tells to be local are those that do not vanish.
func (s *suite) local(t *testing.T) {
	b := s.Basis
	known := s.coordinates()
	k := b.Support()
	var at []float32
	for len(at) < 80 { // more than a block, some of them unknown
		for i, v := range known {
			if s.Traits.Unknown != nil && i%3 == 0 {
				at = append(at, float32(math.NaN()))
			}
			at = append(at, v)
		}
	}
	n := len(at)
	for _, slot := range []int{k, k + 1} {
		first, values, all := make([]int32, n), make([]float32, n*slot), make([]float32, s.m*n)
		for i := range values {
			values[i] = -7
		}
		b.LocalValues(first, values, at, n, slot)
		b.Values(all, at, n, n)
		for p := range n {
			if at[p] != at[p] { // no function, for averages stand in for all
				for j, v := range values[p*slot:][:slot] {
					if v != 0 || first[p] != 0 {
						t.Errorf("at no coordinate value %d of those from %d on is %g", j, first[p], v)
					}
				}
				continue
			}
			want := make([]float32, slot)
			for j := range k {
				want[j] = all[(int(first[p])+j)*n+p]
				all[(int(first[p])+j)*n+p] = 0
			}
			for j, v := range want {
				if got := values[p*slot+j]; got != v {
					t.Errorf("at %g value %d of those from %d on is %g, want %g", at[p], j, first[p], got, v)
				}
			}
			for i := range s.m {
				if all[i*n+p] != 0 {
					t.Errorf("at %g function %d is not among those from %d on", at[p], i, first[p])
				}
			}
		}
	}
}

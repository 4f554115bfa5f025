package conform

import "testing"

// local checks that the functions that a basis tells to be local are those that do not vanish.
func (s *suite) local(t *testing.T) {
	b := s.Basis
	at := s.coordinates()
	n, k := len(at), b.Support()
	for _, slot := range []int{k, k + 1} {
		first, values, all := make([]int32, n), make([]float32, n*slot), make([]float32, s.m*n)
		for i := range values {
			values[i] = -7
		}
		b.LocalValues(first, values, at, n, slot)
		b.Values(all, at, n, n)
		for p := range n {
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

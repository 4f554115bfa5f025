package simd

import "testing"

// Sums and multiples of a local layer's values are those of its points, and no others are
// touched.
func TestSlots(t *testing.T) {
	for _, slot := range []int{1, 2, 4} {
		for n := 0; n <= 9; n++ {
			r := newRand(uint64(n))
			values, factor := newMatrix(1, n*slot, n*slot, normal(r)), newMatrix(1, n, n, normal(r))
			out, dst := newMatrix(1, n, n, normal(r)), newMatrix(1, n*slot, n*slot, normal(r))
			SumSlots(out.data, values.data, slot, n)
			ScaleSlots(dst.data, values.data, factor.data, slot, n)
			for p := range n {
				var want, scale float64
				for j := range slot {
					v := values.data[p*slot+j]
					want, scale = want+float64(v), scale+float64(abs(v))
					if got := dst.data[p*slot+j]; got != v*factor.data[p] {
						t.Errorf("slot %d, n %d: value %d at point %d becomes %v", slot, n, j, p, got)
					}
				}
				if !(sum{value: want, scale: scale}).near(out.data[p]) {
					t.Errorf("slot %d, n %d: sum %v at point %d, want %v", slot, n, out.data[p], p, want)
				}
			}
			out.checkGuards(t, "sums")
			dst.checkGuards(t, "multiples")
		}
	}
}

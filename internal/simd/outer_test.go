package simd

import (
	"fmt"
	"math"
	"testing"
)

// outerCase runs one shape on all tiers.
func outerCase(t *testing.T, mi, mj, n, ld int, start, states, cotangents func() float32) {
	t.Helper()
	src, u := newMatrix(mi, n, ld, states), newMatrix(mj, n, ld, cotangents)
	dw := newMatrix(mi, mj, max(mj, 1), start)
	for _, tier := range tiers {
		name := fmt.Sprintf("%s mi=%d mj=%d n=%d ld=%d", tier.name, mi, mj, n, ld)
		got := dw.clone()
		tier.Outer(got.data, src.data, u.data, mi, mj, n, ld)
		got.checkGuards(t, name)
		for i := range mi {
			for j := range mj {
				want := sum{value: float64(dw.data[i*mj+j]), floor: float64(n+1) * smallest}
				want.scale = math.Abs(want.value)
				for p := range n {
					x := float64(src.data[i*ld+p]) * float64(u.data[j*ld+p])
					want.value += x
					want.scale += math.Abs(x)
				}
				want.peak = want.scale
				if x := got.data[i*mj+j]; !want.near(x) {
					t.Fatalf("%s: dw[%d,%d] = %v, want %+v", name, i, j, x, want)
				}
			}
		}
	}
}

func TestOuterWidths(t *testing.T) {
	r := newRand(11)
	k := 0
	for mi := range 27 {
		for mj := range 27 {
			for range 4 {
				n := counts[k%len(counts)]
				k++
				outerCase(t, mi, mj, n, n+r.IntN(3), normal(r), normal(r), normal(r))
			}
		}
	}
}

func TestOuterCounts(t *testing.T) {
	r := newRand(12)
	for _, n := range counts {
		for _, m := range [][2]int{{1, 1}, {1, 21}, {21, 1}, {21, 21}, {6, 6}, {4, 4}, {5, 8}, {2, 3}} {
			outerCase(t, m[0], m[1], n, n+n%5, normal(r), normal(r), normal(r))
		}
	}
}

func TestOuterWide(t *testing.T) {
	r := newRand(13)
	for _, m := range [][2]int{{64, 64}, {255, 7}, {7, 255}, {256, 256}, {65, 33}} {
		for _, n := range []int{1, 64, 129} {
			outerCase(t, m[0], m[1], n, n, normal(r), normal(r), normal(r))
		}
	}
}

func TestOuterMagnitudes(t *testing.T) {
	r := newRand(14)
	small, large, any := spread(r, -149, -100), spread(r, 60, 127), spread(r, -60, 60)
	for _, kinds := range [][3]func() float32{
		{any, any, any}, {small, small, any}, {any, small, large}, {large, large, large},
	} {
		for _, m := range [][2]int{{21, 21}, {6, 6}, {3, 9}} {
			outerCase(t, m[0], m[1], 77, 80, kinds[0], kinds[1], kinds[2])
		}
	}
}

// A value that is not finite must reach exactly the sums that it is in.
func TestOuterNotFinite(t *testing.T) {
	r := newRand(15)
	const mi, mj, n, ld = 9, 10, 70, 72
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		for _, tier := range tiers {
			for _, at := range []int{0, 15, 16, 63, 64, 69} {
				src, u := newMatrix(mi, n, ld, normal(r)), newMatrix(mj, n, ld, normal(r))
				dw := newMatrix(mi, mj, mj, normal(r))
				src.data[4*ld+at] = bad
				tier.Outer(dw.data, src.data, u.data, mi, mj, n, ld)
				for k, x := range dw.data {
					bad := math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
					if bad != (k/mj == 4) {
						t.Fatalf("%s: point %d of row 4 not finite: dw[%d,%d] = %v", tier.name, at, k/mj, k%mj, x)
					}
				}
			}
		}
	}
}

// The same call must give the same bits every time.
func TestOuterRepeats(t *testing.T) {
	r := newRand(16)
	const m, n = 21, 130
	src, u, start := newMatrix(m, n, n, normal(r)), newMatrix(m, n, n, normal(r)), newMatrix(m, m, m, normal(r))
	for _, tier := range tiers {
		first := start.clone()
		tier.Outer(first.data, src.data, u.data, m, m, n, n)
		second := start.clone()
		tier.Outer(second.data, src.data, u.data, m, m, n, n)
		for i, x := range first.data {
			if x != second.data[i] {
				t.Fatalf("%s: element %d is %v, then %v", tier.name, i, x, second.data[i])
			}
		}
	}
}

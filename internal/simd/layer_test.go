package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// layerReference is Layer in float64.
func layerReference(phi, w, src *matrix, wi, wj, mi, mj, n int) []sum {
	want := make([]sum, mj*n)
	for j := range mj {
		for p := range n {
			var value, scale float64
			for i := range mi {
				x := float64(w.data[i*wi+j*wj]) * float64(src.data[i*src.ld+p])
				value += x
				scale += math.Abs(x)
			}
			f := float64(phi.data[j*phi.ld+p])
			want[j*n+p] = sum{
				value: f * value,
				scale: math.Abs(f) * scale,
				peak:  max(1, math.Abs(f)) * scale,
				floor: (1 + math.Abs(f)) * float64(mi+1) * smallest,
			}
		}
	}
	return want
}

// layerCase runs one shape, in both stride orders, on all tiers.
func layerCase(t *testing.T, r *rand.Rand, mi, mj, n, ld int, phis, weights, states func() float32) {
	t.Helper()
	phi, src := newMatrix(mj, n, ld, phis), newMatrix(mi, n, ld, states)
	dst := newMatrix(mj, n, ld, normal(r))
	for _, strides := range [][2]int{{mj, 1}, {1, mi}, {mj + 3, 1}, {2, 2*mi + 1}} {
		wi, wj := strides[0], strides[1]
		size := 0
		if mi > 0 && mj > 0 {
			size = (mi-1)*wi + (mj-1)*wj + 1
		}
		w := newMatrix(1, size, size+1, weights)
		want := layerReference(phi, w, src, wi, wj, mi, mj, n)
		for _, tier := range tiers {
			name := fmt.Sprintf("%s mi=%d mj=%d n=%d ld=%d wi=%d wj=%d", tier.name, mi, mj, n, ld, wi, wj)
			got := dst.clone()
			tier.Layer(got.data, phi.data, w.data, src.data, wi, wj, mi, mj, n, ld)
			got.checkGuards(t, name)
			for j := range mj {
				for p := range n {
					if x := got.data[j*ld+p]; !want[j*n+p].near(x) {
						t.Fatalf("%s: dst[%d,%d] = %v, want %+v", name, j, p, x, want[j*n+p])
					}
				}
			}
		}
	}
}

func TestLayerWidths(t *testing.T) {
	r := newRand(1)
	k := 0
	for mi := range 27 {
		for mj := range 27 {
			for range 2 {
				n := counts[k%len(counts)]
				k++
				layerCase(t, r, mi, mj, n, n+r.IntN(3), normal(r), normal(r), normal(r))
			}
		}
	}
}

func TestLayerCounts(t *testing.T) {
	r := newRand(2)
	for _, n := range counts {
		for _, m := range [][2]int{{1, 1}, {1, 21}, {21, 1}, {21, 21}, {6, 6}, {4, 4}, {5, 8}, {2, 3}} {
			layerCase(t, r, m[0], m[1], n, n+n%5, normal(r), normal(r), normal(r))
		}
	}
}

func TestLayerWide(t *testing.T) {
	r := newRand(3)
	for _, m := range [][2]int{{64, 64}, {255, 7}, {7, 255}, {256, 256}, {65, 33}} {
		for _, n := range []int{1, 64, 129} {
			layerCase(t, r, m[0], m[1], n, n, normal(r), normal(r), normal(r))
		}
	}
}

func TestLayerMagnitudes(t *testing.T) {
	r := newRand(4)
	small, large, any := spread(r, -149, -100), spread(r, 60, 127), spread(r, -60, 60)
	for _, kinds := range [][3]func() float32{
		{any, any, any}, {any, small, any}, {small, any, small}, {any, large, small}, {large, large, large}, {small, large, any},
	} {
		for _, m := range [][2]int{{21, 21}, {6, 6}, {3, 9}} {
			layerCase(t, r, m[0], m[1], 77, 80, kinds[0], kinds[1], kinds[2])
		}
	}
}

// A value that is not finite must reach exactly the results that depend on it.
func TestLayerNotFinite(t *testing.T) {
	r := newRand(5)
	const mi, mj, n, ld = 10, 9, 70, 72
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		for _, tier := range tiers {
			for _, at := range []int{0, 15, 16, 63, 64, 69} {
				phi, w, src := newMatrix(mj, n, ld, normal(r)), newMatrix(mi, mj, mj, normal(r)), newMatrix(mi, n, ld, normal(r))
				dst := newMatrix(mj, n, ld, normal(r))
				finite := func(where string, want func(j, p int) bool) {
					t.Helper()
					tier.Layer(dst.data, phi.data, w.data, src.data, mj, 1, mi, mj, n, ld)
					for j := range mj {
						for p := range n {
							x := float64(dst.data[j*ld+p])
							if got := !math.IsNaN(x) && !math.IsInf(x, 0); got != want(j, p) {
								t.Fatalf("%s: %v in %s: dst[%d,%d] = %v", tier.name, bad, where, j, p, x)
							}
						}
					}
				}
				src.data[3*ld+at] = bad
				finite("src", func(j, p int) bool { return p != at })
				src.data[3*ld+at] = 1
				phi.data[8*ld+at] = bad
				finite("phi", func(j, p int) bool { return p != at || j != 8 })
				phi.data[8*ld+at] = 1
				w.data[9*mj+7] = bad
				finite("w", func(j, p int) bool { return j != 7 })
			}
		}
	}
}

// A point's result must not depend on the points beside it, nor on their number.
func TestLayerPointsApart(t *testing.T) {
	r := newRand(6)
	for _, m := range [][2]int{{21, 21}, {6, 6}, {4, 4}, {1, 5}, {5, 1}, {13, 15}} {
		mi, mj := m[0], m[1]
		const n = 257
		phi, w, src := newMatrix(mj, n, n, normal(r)), newMatrix(mi, mj, mj, normal(r)), newMatrix(mi, n, n, normal(r))
		for _, tier := range tiers {
			together := newMatrix(mj, n, n, normal(r))
			tier.Layer(together.data, phi.data, w.data, src.data, mj, 1, mi, mj, n, n)
			for _, part := range []int{1, 7, 16, 64, 100} {
				apart := newMatrix(mj, n, n, normal(r))
				for p := 0; p < n; p += part {
					tier.Layer(apart.data[p:], phi.data[p:], w.data, src.data[p:], mj, 1, mi, mj, min(part, n-p), n)
				}
				for i, x := range together.data {
					if math.Float32bits(x) != math.Float32bits(apart.data[i]) {
						t.Fatalf("%s: mi=%d mj=%d: element %d is %v in one tile, %v in tiles of %d", tier.name, mi, mj, i, x, apart.data[i], part)
					}
				}
			}
		}
	}
}

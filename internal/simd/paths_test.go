package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A line is a guarded slice of float64.
type line struct{ whole, data []float64 }

const lineCanary = -12345.678

func newLine(n int, value func() float64) line {
	whole := make([]float64, n+2*margin)
	for i := range whole {
		whole[i] = lineCanary
	}
	l := line{whole, whole[margin : margin+n : margin+n]}
	for i := range l.data {
		l.data[i] = value()
	}
	return l
}

func (l line) checkGuards(t *testing.T, name string) {
	t.Helper()
	for i, x := range l.whole {
		if (i < margin || i >= margin+len(l.data)) && x != lineCanary {
			t.Fatalf("%s: wrote %v outside the slice, at element %d of %d", name, x, i-margin, len(l.data))
		}
	}
}

// exact is the tolerance of sums in float64 of up to 256 terms, relative to the
// sum of the terms' magnitudes: a unit in the last place a term.
const exact = 256 * 0x1p-52

// pathShapes calls f with pairs of widths.
func pathShapes(f func(mi, mj int)) {
	for mi := range 27 {
		for mj := range 27 {
			f(mi, mj)
		}
	}
	for _, m := range [][2]int{{64, 65}, {255, 3}, {3, 255}, {256, 256}} {
		f(m[0], m[1])
	}
}

func raised(x float32, power int) float64 { return math.Pow(float64(x), float64(power)) }

func TestPathForward(t *testing.T) {
	r := newRand(41)
	pathShapes(func(mi, mj int) {
		a, c, w := newLine(mi, r.NormFloat64), newLine(mj, r.NormFloat64), newMatrix(1, mi*mj, mi*mj+1, normal(r))
		for _, tier := range tiers {
			for power := 1; power <= 2; power++ {
				name := fmt.Sprintf("%s mi=%d mj=%d power=%d", tier.name, mi, mj, power)
				got := newLine(mj, r.NormFloat64)
				tier.PathForward(got.data, a.data, c.data, w.data, power)
				got.checkGuards(t, name)
				for j, x := range got.data {
					var want, size float64
					for i, ai := range a.data {
						term := ai * raised(w.data[i*mj+j], power) * c.data[j]
						want += term
						size += math.Abs(term)
					}
					if !(math.Abs(x-want) <= exact*size) {
						t.Fatalf("%s: dst[%d] = %v, want %v", name, j, x, want)
					}
				}
			}
		}
	})
}

func TestPathBackward(t *testing.T) {
	r := newRand(42)
	pathShapes(func(mi, mj int) {
		b, w := newLine(mj, r.NormFloat64), newMatrix(1, mi*mj, mi*mj+1, normal(r))
		for _, tier := range tiers {
			for power := 1; power <= 2; power++ {
				name := fmt.Sprintf("%s mi=%d mj=%d power=%d", tier.name, mi, mj, power)
				got := newLine(mi, r.NormFloat64)
				tier.PathBackward(got.data, b.data, w.data, power)
				got.checkGuards(t, name)
				for i, x := range got.data {
					var want, size float64
					for j, bj := range b.data {
						term := raised(w.data[i*mj+j], power) * bj
						want += term
						size += math.Abs(term)
					}
					if !(math.Abs(x-want) <= exact*size) {
						t.Fatalf("%s: dst[%d] = %v, want %v", name, i, x, want)
					}
				}
			}
		}
	})
}

// gradientCase runs one gradient kernel on all tiers and compares each element
// with what want makes of the old one, its weight, a[i] and b[j], to float32's
// last place.
func gradientCase(t *testing.T, r *rand.Rand, mi, mj int,
	run func(tier *tier, d, w []float32, a, b []float64), want func(old, w, a, b float64) (value, size float64)) {
	t.Helper()
	a, b := newLine(mi, r.NormFloat64), newLine(mj, r.NormFloat64)
	w, start := newMatrix(1, mi*mj, mi*mj+1, normal(r)), newMatrix(1, mi*mj, mi*mj+1, normal(r))
	for _, tier := range tiers {
		name := fmt.Sprintf("%s mi=%d mj=%d", tier.name, mi, mj)
		got := start.clone()
		run(tier, got.data, w.data, a.data, b.data)
		got.checkGuards(t, name)
		for k, x := range got.data {
			value, size := want(float64(start.data[k]), float64(w.data[k]), a.data[k/mj], b.data[k%mj])
			if !(math.Abs(float64(x)-value) <= 0x1p-23*size) {
				t.Fatalf("%s: element %d = %v, want %v", name, k, x, value)
			}
		}
	}
}

func TestPathGradientMean(t *testing.T) {
	r := newRand(43)
	pathShapes(func(mi, mj int) {
		gradientCase(t, r, mi, mj, (*tier).PathGradientMean, func(old, w, a, b float64) (float64, float64) {
			return old + w*a*b, math.Abs(old) + math.Abs(w*a*b)
		})
	})
}

func TestPathGradientVariance(t *testing.T) {
	r := newRand(44)
	const shift = 0.37
	pathShapes(func(mi, mj int) {
		gradientCase(t, r, mi, mj, func(tier *tier, d, w []float32, a, b []float64) {
			tier.PathGradientVariance(d, w, a, b, shift)
		}, func(old, w, a, b float64) (float64, float64) {
			return w*(old+a*b) + shift, math.Abs(w*old) + math.Abs(w*a*b) + shift
		})
	})
}

package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// margin is the number of canaries on either side of a guarded slice: more than
// the widest register, so that a store that is off by one lane block is seen.
const margin = 80

// canary is a NaN that no arithmetic makes: it shows a write where none belongs,
// and as an operand a read where none belongs.
var canary = math.Float32frombits(0x7fc0dead)

func isCanary(x float32) bool { return math.Float32bits(x) == 0x7fc0dead }

// A matrix is m rows of n values, ld apart, with canaries in the gaps and on
// both sides.
type matrix struct {
	m, n, ld int
	whole    []float32
	data     []float32 // as a kernel takes it: no longer than it must be
}

func newMatrix(m, n, ld int, value func() float32) *matrix {
	size := 0
	if m > 0 && n > 0 {
		size = (m-1)*ld + n
	}
	a := &matrix{m: m, n: n, ld: ld, whole: make([]float32, size+2*margin)}
	a.data = a.whole[margin : margin+size : margin+size]
	for i := range a.whole {
		a.whole[i] = canary
	}
	for i := range m {
		for p := range n {
			a.data[i*ld+p] = value()
		}
	}
	return a
}

func (a *matrix) clone() *matrix {
	b := *a
	b.whole = append([]float32(nil), a.whole...)
	b.data = b.whole[margin : margin+len(a.data) : margin+len(a.data)]
	return &b
}

// checkGuards fails the test if a canary is gone.
func (a *matrix) checkGuards(t *testing.T, name string) {
	t.Helper()
	for i, x := range a.whole {
		at := i - margin
		inside := at >= 0 && at < len(a.data) && at%a.ld < a.n
		if !inside && !isCanary(x) {
			t.Fatalf("%s: wrote %v outside the matrix, at element %d (m %d, n %d, ld %d)", name, x, at, a.m, a.n, a.ld)
		}
	}
}

// counts are the numbers of points that the tiers are compared at: every tail
// of one register, and both sides of every power of two up to two tiles.
var counts = []int{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
	31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
}

// normal draws from the standard normal distribution.
func normal(r *rand.Rand) func() float32 {
	return func() float32 { return float32(r.NormFloat64()) }
}

// spread draws magnitudes from 2^-low to 2^high of either sign, with zeros.
func spread(r *rand.Rand, low, high float64) func() float32 {
	return func() float32 {
		if r.IntN(16) == 0 {
			return 0
		}
		x := float32(math.Exp2(r.Float64()*(high-low) + low))
		if r.IntN(2) == 0 {
			return -x
		}
		return x
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// tolerance is the error that a sum may have, relative to the sum of its
// terms' magnitudes: 64 roundings of float32, which the longest chains of the
// tests stay well below because roundings partly cancel.
const tolerance = 5e-6

// smallest is the spacing of float32 below its normal range, where errors are
// absolute.
const smallest = 0x1p-149

// A sum is what a kernel should have added up: value exactly, scale over the
// magnitudes of its terms, peak the largest magnitude that adding them up in
// float32 may pass through, floor the error allowed below the normal range.
type sum struct{ value, scale, peak, floor float64 }

// near reports whether got is the sum up to rounding. Where the sum may
// overflow on its way, anything that is not finite will do as well.
func (s sum) near(got float32) bool {
	g := float64(got)
	if s.peak > math.MaxFloat32*(1-tolerance) && (math.IsNaN(g) || math.IsInf(g, 0)) {
		return true
	}
	if math.IsNaN(s.value) {
		return math.IsNaN(g)
	}
	return math.Abs(g-s.value) <= tolerance*s.scale+s.floor
}

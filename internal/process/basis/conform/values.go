package conform

import (
	"math"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

const (
	// rounding is that of float32 values, relative to them.
	rounding = 5e-6
	// cancelled is what is left in float64 of numbers of the size of one that cancel.
	cancelled = 1e-15
)

// reference: float32 values against float64 ones.
func (s *suite) reference(t *testing.T) {
	for _, at := range s.coordinates() {
		values, _ := s.at(at)
		for i, want := range s.Traits.Reference(float64(at)) {
			// A cubic near its root is a difference of numbers of the size of one.
			if got := float64(values[i]); math.Abs(got-want) > rounding*want+1e-7*float64(len(s.Breaks)-1) {
				t.Errorf("φ_%d(%g) = %g, want %g", i, at, got, want)
			}
		}
	}
}

// partition: Σ φ_i = 1, Σ φ_i' = 0, φ_i ≥ 0 but for what is left of cancellation.
func (s *suite) partition(t *testing.T) {
	for _, at := range s.coordinates() {
		values, slopes := s.at(at)
		var sum, slope, steepest float64
		for i, v := range values {
			if !(v >= -cancelled) {
				t.Errorf("φ_%d(%g) = %g", i, at, v)
			}
			sum, slope = sum+float64(v), slope+float64(slopes[i])
			steepest = max(steepest, math.Abs(float64(slopes[i])))
		}
		testkit.Close(t, "sum of the functions", sum, 1, 0, rounding)
		testkit.Close(t, "sum of the slopes", slope, 0, 0, rounding*steepest)
	}
}

// derivatives: differences of the reference within an interval, of fourth order, so that
// they are exact for cubics: central ones, and one-sided ones at the edges.
func (s *suite) derivatives(t *testing.T) {
	const h = 1e-4
	central := map[float64]float64{-2: 1. / 12, -1: -8. / 12, 1: 8. / 12, 2: -1. / 12}
	forward := map[float64]float64{0: -25. / 12, 1: 4, 2: -3, 3: 4. / 3, 4: -1. / 4}
	for _, at := range s.coordinates() {
		_, slopes := s.at(at)
		want := make([]float64, s.m)
		stencil, step := central, h
		switch {
		case s.Levels > 0:
			stencil = nil // nothing varies within a level
		case at < 5*h:
			stencil = forward
		case at > 1-5*h:
			stencil, step = forward, -h
		case s.straddles(float64(at), 2*h):
			continue
		}
		for k, c := range stencil {
			for i, v := range s.Traits.Reference(float64(at) + k*step) {
				want[i] += c * v / step
			}
		}
		var steepest float64
		for _, v := range want {
			steepest = max(steepest, math.Abs(v))
		}
		for i := range want {
			testkit.Close(t, "slope", float64(slopes[i]), want[i], 0, 2*rounding*steepest+1e-9)
		}
	}
}

// straddles tells whether intervals meet within some distance of a coordinate.
func (s *suite) straddles(t, distance float64) bool {
	for _, end := range s.Breaks[1 : len(s.Breaks)-1] {
		if math.Abs(t-end) <= distance {
			return true
		}
	}
	return false
}

// edges: f is its outermost control point there; a level has that of its function.
func (s *suite) edges(t *testing.T) {
	one := map[float32]int{0: 0, 1: s.m - 1}
	if s.Flat {
		one[1] = 0
	}
	if s.Levels > 0 {
		one = map[float32]int{}
		for _, level := range s.coordinates() {
			one[level] = slices.Index(s.Traits.Reference(float64(level)), 1)
		}
	}
	for at, own := range one {
		values, _ := s.at(at)
		for i, v := range values {
			if want := map[bool]float32{true: 1}[i == own]; v != want && !(i != own && math.Abs(float64(v)) <= cancelled) {
				t.Errorf("φ_%d(%g) = %g, want %g", i, at, v, want)
			}
		}
	}
}

// mirror: φ_i(t) = φ_{m−1−i}(1 − t). At a break a slope may be that of either side.
func (s *suite) mirror(t *testing.T) {
	if s.Levels > 0 || s.Flat {
		t.Skip("the functions have no order")
	}
	for _, at := range []float32{0, 0.125, 0.25, 0.375, 0.8125, 1} { // 1 − t is exact
		inside := at > 0 && at < 1 && slices.Contains(s.Breaks, float64(at))
		if inside && s.Jumps {
			continue
		}
		values, slopes := s.at(at)
		mirrored, back := s.at(1 - at)
		for i, v := range values {
			testkit.Close(t, "mirrored value", float64(mirrored[s.m-1-i]), float64(v), rounding, 1e-7*float64(len(s.Breaks)-1))
			if inside {
				continue
			}
			testkit.Close(t, "mirrored slope", float64(back[s.m-1-i]), -float64(slopes[i]), rounding, 2*rounding*float64(s.m))
		}
	}
}

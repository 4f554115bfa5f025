package surface

import (
	"testing"

	"beziergp/internal/simd"
)

// As many points are taken as fit, of those that halving gives.
func TestPointsThatFit(t *testing.T) {
	for most := 1; most <= 256; most *= 2 {
		for fewest := 1; fewest <= most; fewest *= 2 {
			for _, values := range []int{1, 3, 64, 1000} {
				for _, bytes := range []int{0, 4 * 64 * 32, 4*64*32 - 1, 5000, 1 << 20} {
					want := fewest
					for points := fewest; points <= most; points *= 2 {
						if 4*values*points <= bytes {
							want = points
						}
					}
					if got := fitting(most, fewest, values, bytes); got != want {
						t.Errorf("%d to %d points of %d values in %d bytes: %d, want %d", fewest, most, values, bytes, got, want)
					}
				}
			}
		}
	}
}

// A tile has room for all points, or is of the largest size, and no smaller one has.
func TestTilesForFewPoints(t *testing.T) {
	s := of(t, 3, 8, 1, Whole)
	rooms := [sizes]int{1, 16, s.evaluated}
	for n := range 2 * s.evaluated {
		want := 0
		for want < sizes-1 && rooms[want] < n {
			want++
		}
		if size, points := s.tileFor(n); size != want || points != rooms[want] {
			t.Fatalf("%d points: size %d with room for %d, want %d with room for %d", n, size, points, want, rooms[want])
		}
	}
}

// An evaluator has the values of one group at a time, and those of the variance beside those of
// the mean where there is one: 10,000 nodes of 4 bytes are 4.9 MiB at 128 points.
func TestTilesOfAnEvaluatorFitTheCache(t *testing.T) {
	for _, c := range []struct {
		parts  []Part
		points int
	}{
		{[]Part{MeanOnly}, 128}, {[]Part{MeanOnly, MeanOnly}, 128},
		{[]Part{Whole}, 64}, {[]Part{VarianceOnly, MeanOnly}, 64}, {[]Part{MeanOnly, Whole}, 64},
	} {
		if got := of(t, 100, 100, 1, c.parts...).evaluated; got != c.points {
			t.Errorf("%v: tiles of %d points, want %d", c.parts, got, c.points)
		}
	}
}

// A blender's tiles are of as many points as leave what goes through a buttress, five values a
// node, in a cache of 1 MiB.
func TestTilesOfABlenderFitTheCache(t *testing.T) {
	pool := simd.NewPool(1)
	defer pool.Close()
	for _, c := range []struct{ inputs, points int }{{6, 128}, {7, 64}, {13, 64}, {14, 32}, {27, 32}, {28, 16}, {90, 16}} {
		s := of(t, c.inputs, 60, 1, MeanOnly)
		if got := NewBlender(posterior(t, s, make([]float32, s.Size())), pool).points; got != c.points {
			t.Errorf("%d inputs of 60 nodes: tiles of %d points, want %d", c.inputs, got, c.points)
		}
	}
}

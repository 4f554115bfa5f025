package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// By enumeration: of n+1 exchangeable rows any may be the new one, and the sets made of the
// others hold its class at least as often as was stated, and hardly more often.
func TestSetsHoldWhatTheyState(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{3, 19, 60, 400} {
		all := make([]float64, n+1)
		for i := range all {
			all[i] = rng.Float64()
		}
		for k, level := range setLevels {
			held := 0
			for i, p := range all {
				sets := NewSets(slices.Delete(slices.Clone(all), i, i+1))
				if !slices.IsSorted(sets) {
					t.Fatalf("%d rows: sets %v", n, sets)
				}
				if p >= 1-sets[k] {
					held++
				}
			}
			share := float64(held) / float64(n+1)
			if share < level-1e-12 || share > level+1/float64(n+1)+1e-12 && math.Ceil(float64(n+1)*level) <= float64(n) {
				t.Errorf("%d rows: the sets of level %g hold %g", n, level, share)
			}
		}
	}
}

// A set has the classes that are probable enough, in order, and may have none.
func TestSetOfARow(t *testing.T) {
	m := Marginal{Mean: make([]float64, 3), Classes: []float64{0.2, 0.5, 0.3, 0.4, 0.3, 0.3, math.NaN(), math.NaN(), math.NaN()}}
	for row, want := range [][]int{{1, 2}, {0, 1, 2}, nil} {
		if got := m.Set(row, 0.3); !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
	if got := m.Set(0, 0.9); got != nil || m.Class(2) != -1 || m.Class(0) != 1 {
		t.Errorf("%v, %d and %d", got, m.Class(2), m.Class(0))
	}
}

package train

import (
	"slices"
	"testing"
)

func TestSurvivors(t *testing.T) {
	low, high := []component{smooth(10)}, []component{fine(12, 10)}
	sorted := []candidate{ // best first
		untried(shape{ByRanks, high, 1}), untried(shape{ByRanks, high, 10}), untried(shape{ByRanks, low, 1}),
		untried(shape{Linear, high, 1}), untried(shape{ByRanks, high, 100}),
	}
	for i := range sorted {
		sorted[i].squaredError = float64(i)
	}
	for _, c := range []struct {
		name       string
		keep       int
		everyShape bool
		want       []float64 // squared errors
	}{
		{"of every smoothness", 4, false, []float64{0, 1, 3, 4}},
		{"of every shape", 3, true, []float64{0, 2, 3}},
		{"and then the second best", 4, true, []float64{0, 1, 2, 3}},
		{"more than there are", 9, true, []float64{0, 1, 2, 3, 4}},
	} {
		var got []float64
		for _, s := range survivors(sorted, c.keep, c.everyShape) {
			got = append(got, s.squaredError)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v survive, want %v", c.name, got, c.want)
		}
	}
}

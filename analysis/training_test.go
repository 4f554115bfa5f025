package analysis

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/testkit"
)

// Averages that some weights have are met, and the weights stay near to what they were.
func TestTiltMeetsAverages(t *testing.T) {
	phi := mat.NewDense(5, 3, nil)
	for r := range 5 {
		phi.SetRow(r, testkit.Bernstein(2, float64(r)/4))
	}
	truth, want := []float64{0.1, 0.3, 0.05, 0.15, 0.4}, make([]float64, 3)
	for r, w := range truth {
		for j := range want {
			want[j] += w * phi.At(r, j)
		}
	}
	weights := []float64{1, 1, 1, 1, 1}
	tilt(weights, phi, want)
	for j := range want {
		var got float64
		for r, w := range weights {
			got += w * phi.At(r, j)
		}
		testkit.Close(t, "average", got, want[j], 0, 1e-6)
	}
}

// Averages that no weights have must not draw all weight to one value.
func TestTiltOfAveragesThatNoWeightsHave(t *testing.T) {
	// Two functions of nearly one value, the averages of which contradict each other.
	phi := mat.NewDense(4, 3, []float64{1, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0.5, 0.5})
	weights := []float64{1, 2, 3, 4}
	tilt(weights, phi, []float64{0.3, 0.3, 0.4001})
	var sum float64
	for _, w := range weights {
		if math.IsNaN(w) || w < 0 {
			t.Fatalf("weights are %v", weights)
		}
		sum += w
	}
	testkit.Close(t, "sum", sum, 1, 1e-12, 0)
	if slices.Max(weights) > 0.95 {
		t.Errorf("weights are %v", weights)
	}
}

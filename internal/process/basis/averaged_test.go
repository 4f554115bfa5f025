package basis

import (
	"math"
	"testing"

	"beziergp/internal/testkit"
)

func TestAverageOverKnownCoordinates(t *testing.T) {
	b, err := NewBernstein(2)
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	a, err := AverageOver(b, []float32{0, nan, 1, nan, 0.5, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// By hand: (1 + 0 + 2·¼)/4, (0 + 0 + 2·½)/4, (0 + 1 + 2·¼)/4.
	for i, want := range []float64{0.375, 0.25, 0.375} {
		testkit.Close(t, "average", a.Spec().Average[i], want, 1e-6, 0)
	}
	all, err := AverageOver(b, []float32{nan})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range b.Mean() {
		testkit.Close(t, "average over the domain", all.Spec().Average[i], want, 1e-6, 0)
	}
}

func TestNewAveragedRefuses(t *testing.T) {
	b, err := NewIndicator(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, average := range [][]float64{nil, {1}, {0.5, 0.6}, {-0.5, 1.5}, {math.NaN(), 1}} {
		if _, err := NewAveraged(b, average); err == nil {
			t.Errorf("averages %v are accepted", average)
		}
	}
}

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

// Averages over a column are those over its coordinates, and of more rows than there need be over some that lie evenly, whatever recurs in them.
func TestAverageOverColumn(t *testing.T) {
	b, err := NewSpline(5)
	if err != nil {
		t.Fatal(err)
	}
	const d, column = 3, 1
	for _, n := range []int{1, 1000, 4 * averageRows, 6*averageRows + 7, 24 * 16384} {
		x, own := make([]float32, n*d), make([]float32, n)
		for j := range n {
			own[j] = float32(j%24) / 23
			x[j*d], x[j*d+column], x[j*d+2] = 0.3, own[j], 0.7
		}
		got, err := AverageOverColumn(b, x, d, column)
		if err != nil {
			t.Fatal(err)
		}
		want, err := AverageOver(b, own)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 0.0
		if n > averageRows {
			tolerance = 0.004
		}
		for a, v := range want.Average() {
			if diff := float64(got.Average()[a] - v); !(diff <= tolerance && -diff <= tolerance) {
				t.Errorf("of %d rows function %d has the average %g, and %g over all", n, a, got.Average()[a], v)
			}
		}
	}
}

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

// An unknown coordinate gets the averages, its neighbours what they would get alone,
// at any place in any number of points.
func TestAveragedFillsUnknownCoordinates(t *testing.T) {
	b, err := NewBernstein(3)
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAveraged(b, []float64{0.1, 0.2, 0.3, 0.4})
	if err != nil {
		t.Fatal(err)
	}
	const n, ld = 600, 601
	x, known := make([]float32, n), make([]float32, n)
	for p := range x {
		known[p] = float32(p) / n
		x[p] = known[p]
		if p%7 == 3 {
			x[p] = float32(math.NaN())
		}
	}
	got, want := make([]float32, 4*ld), make([]float32, 4*ld)
	for name, values := range map[string][2]func(dst, t []float32, n, ld int){
		"values":      {a.Values, b.Values},
		"derivatives": {a.Derivatives, b.Derivatives},
	} {
		values[0](got, x, n, ld)
		values[1](want, known, n, ld)
		for i := range 4 {
			for p := range n {
				expected := want[i*ld+p]
				if p%7 == 3 {
					expected = map[string]float32{"values": float32(i+1) / 10, "derivatives": 0}[name]
				}
				if got[i*ld+p] != expected {
					t.Fatalf("%s: function %d at point %d is %g, want %g", name, i, p, got[i*ld+p], expected)
				}
			}
		}
	}
	for p := range x {
		if (x[p] != x[p]) != (p%7 == 3) {
			t.Fatalf("coordinate %d was changed to %g", p, x[p])
		}
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

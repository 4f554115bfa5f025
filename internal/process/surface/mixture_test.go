package surface

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// weighted returns the surface of groups with random weights.
func weighted(t testing.TB, rng *rand.Rand, groups ...Group) *Posterior {
	t.Helper()
	s, err := New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.7 + 0.5*rng.NormFloat64())
	}
	return posterior(t, s, params)
}

// mixture returns a process of groups of all kinds: one without a mean before the others, two of
// equal bases with local layers, and one with none.
func mixture(t testing.TB, d int, rng *rand.Rand) *Posterior {
	t.Helper()
	return weighted(t, rng, mixed(t, d, true, VarianceOnly), mixed(t, d, true, MeanOnly), mixed(t, d, true, MeanOnly), mixed(t, d, false, Whole))
}

// put returns the points with one coordinate replaced: by at(p) at point p.
func put(x []float32, d, input int, at func(p int) float32) []float32 {
	x = slices.Clone(x)
	for p := range len(x) / d {
		x[p*d+input] = at(p)
	}
	return x
}

// rubbish is memory that has been used: what a function writes to it must not depend on it.
func rubbish(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// closeAll compares with what has the same scale throughout.
func closeAll(t *testing.T, what string, got, want []float64) {
	t.Helper()
	var largest float64
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range want {
		testkit.Close(t, fmt.Sprintf("%s %d", what, i), got[i], v, 1e-4, 1e-5*largest)
	}
}

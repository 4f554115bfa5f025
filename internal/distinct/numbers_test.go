package distinct_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/distinct"
)

// Numbers are as many as the keys of a map, in any order, be they next to one another, far apart or infinite; −0 is 0, and NaN none.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s distinct.Numbers
	want := map[float64]bool{}
	for i := range 20_000 {
		v := math.NaN()
		switch rng.IntN(5) {
		case 0:
			v = float64(rng.IntN(500) - 250)
		case 1:
			v = rng.NormFloat64()
		case 2:
			v = math.Nextafter(1, 2) * float64(rng.IntN(3))
		case 3:
			v = [...]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64}[rng.IntN(5)]
		}
		if s.Add(v); v == v {
			want[v] = true
		}
		if s.Len() != len(want) {
			t.Fatalf("after %d numbers, the last %g, there are %d, want %d", i+1, v, s.Len(), len(want))
		}
	}
}

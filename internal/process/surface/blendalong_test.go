package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/simd"
)

// E f with an input at a value is that of the points that have this value, of every kind of basis,
// where coordinates are missing and where the value itself is.
func TestValuesAlongAnyInput(t *testing.T) {
	const d, n = 7, 2*blendPoints - 1
	rng := rand.New(rand.NewPCG(8, 1))
	q := mixture(t, d, rng)
	x := mixedPoints(n, d, 9, rng)
	for _, input := range []int{0, 1, 2, d - 1} {
		values := []float32{1, 0.125, 0, 0.6, float32(math.NaN())}
		if input == 1 { // a category
			values = []float32{39, 3, 0, 17, float32(math.NaN())}
		}
		want := make([]float64, n*len(values))
		for v, u := range values {
			mean, _ := moments(t, q, put(x, d, input, func(int) float32 { return u }), 1)
			for p, m := range mean {
				want[p*len(values)+v] = m
			}
		}
		var first []float64
		for _, workers := range []int{1, 3} {
			pool := simd.NewPool(workers)
			got := rubbish(len(want))
			if err := NewBlender(q, pool).Along(context.Background(), x, input, values, got); err != nil {
				t.Fatal(err)
			}
			pool.Close()
			closeAll(t, fmt.Sprintf("input %d: value", input), got, want)
			if first != nil && !slices.Equal(got, first) {
				t.Errorf("input %d: workers change the bits", input)
			}
			first = got
		}
	}
}

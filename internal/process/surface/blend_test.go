package surface

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/simd"
)

// E f is linear in every t: at t of zeros and ones it is E f at rows put together of two, and
// its derivative by one t is what E f differs by.
func TestSlopesAreDifferencesOfMoments(t *testing.T) {
	for _, c := range []struct{ d, n int }{{1, blendPoints - 1}, {7, 2*blendPoints - 1}, {60, blendPoints - 1}} { // a tile lacks a point
		d, n := c.d, c.n
		if testing.Short() && d > 7 {
			continue // minutes where instructions are interpreted
		}
		rng := rand.New(rand.NewPCG(5, uint64(d)))
		q := weighted(t, rng, mixed(t, d, d > 1, Whole), mixed(t, d, false, MeanOnly))
		x, other := mixedPoints(n, d, 9, rng), mixedPoints(n, d, 9, rng)
		unknown := slices.Repeat([]float32{float32(math.NaN())}, n*d)
		var settings []Setting
		for k := range 3 {
			at := make([]float32, d)
			for i := range at {
				at[i] = float32(rng.IntN(2))
			}
			settings = append(settings, Setting{at, []float64{0.25, -2, 1}[k]})
		}
		for name, z := range map[string][]float32{"averages": nil, "rows": other} {
			behind := z
			if z == nil {
				behind = unknown
			}
			put := func(at []float32) []float64 {
				both := slices.Clone(behind)
				for i := range both {
					if at[i%d] == 1 {
						both[i] = x[i]
					}
				}
				mean, _ := moments(t, q, both, 1)
				return mean
			}
			want, wantF := make([]float64, n*d), make([]float64, n*len(settings))
			for k, s := range settings {
				here := put(s.At)
				for p, v := range here {
					wantF[p*len(settings)+k] = v
				}
				for i := range d {
					at := slices.Clone(s.At)
					at[i] = 1 - at[i]
					for p, v := range put(at) {
						want[p*d+i] += s.Weight * (here[p] - v) / float64(s.At[i]-at[i])
					}
				}
			}
			var first []float64
			for _, workers := range []int{1, 3} {
				pool := simd.NewPool(workers)
				got, f := rubbish(n*d), rubbish(n*len(settings))
				if err := NewBlender(q, pool).Slopes(context.Background(), x, z, settings, f, got); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				closeAll(t, fmt.Sprintf("%d inputs, %s: f", d, name), f, wantF)
				closeAll(t, fmt.Sprintf("%d inputs, %s: slope", d, name), got, want)
				if first != nil && !slices.Equal(got, first) {
					t.Errorf("%d inputs, %s: workers change the bits", d, name)
				}
				first = got
			}
		}
	}
}

func TestBlenderStopsWhenTold(t *testing.T) {
	s, err := New(mixed(t, 3, false, MeanOnly))
	if err != nil {
		t.Fatal(err)
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := mixedPoints(4, 3, 0, rand.New(rand.NewPCG(1, 1)))
	e := NewBlender(posterior(t, s, make([]float32, s.Size())), pool)
	if err := e.Slopes(ctx, x, nil, []Setting{{make([]float32, 3), 1}}, nil, make([]float64, len(x))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

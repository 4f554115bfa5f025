package comm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// noisy is a vector of numbers whose sum depends on the order in which they are added.
func noisy(share int, dst []float32) {
	rng := rand.New(rand.NewPCG(uint64(share), 3))
	for i := range dst {
		dst[i] = float32(rng.NormFloat64() * math.Exp(6*rng.NormFloat64()))
	}
}

// sums holds a rank to the same bits on any number of ranks.
func sums(ctx context.Context, c Comm) error {
	for _, n := range []int{0, 1, 1000} {
		want, err := Sum(ctx, Alone(), 16, n, noisy)
		if err != nil {
			return err
		}
		got, err := Sum(ctx, c, 16, n, noisy)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return errors.New("the sum has other bits than on one rank")
		}
	}
	return nil
}

func TestSums(t *testing.T) {
	got, err := Sum(t.Context(), Alone(), 16, 300, noisy)
	if err != nil {
		t.Fatal(err)
	}
	straight, next := make([]float32, 300), make([]float32, 300)
	exact, size := make([]float64, 300), make([]float64, 300)
	for share := range 16 {
		noisy(share, next)
		add(straight, next)
		for i, v := range next {
			exact[i] += float64(v)
			size[i] += math.Abs(float64(v))
		}
	}
	for i, v := range got {
		if math.Abs(float64(v)-exact[i]) > 1e-6*size[i] { // 2⁻²⁴ for each of four additions on a path, twice over
			t.Errorf("number %d: %g, want %g", i, v, exact[i])
		}
	}
	if slices.Equal(got, straight) {
		t.Error("these numbers do not tell one order of additions from another")
	}
	for size := 2; size <= 7; size++ {
		if err := together(size, func(c Comm) error { return sums(t.Context(), c) }); err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
	for _, shares := range []Shares{0, 3, 12, -4} {
		if _, err := Sum(t.Context(), Alone(), shares, 1, noisy); err == nil {
			t.Errorf("%d shares", shares)
		}
	}
}

package surface

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// grouped returns a surface of groups of one buttress each, with bases of the given
// orders by group and parts in turn, and its weights.
func grouped(t testing.TB, d int, orders []int, parts ...Part) *Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var groups []Group
	for g, order := range orders {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		group := Group{Bases: slices.Repeat([]basis.Basis{b}, d), Part: parts[g%len(parts)]}
		if group.Ensemble, err = buttress.New(slices.Repeat([]int{order + 1}, d), nil, [][]int{rng.Perm(d)}); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, group)
	}
	s, err := New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = 0.3 * rng.Float32()
	}
	return posterior(t, s, params)
}

// Groups share memory and nothing else: what a group adds does not depend on the others,
// wider or narrower ones, whatever part of the process they have.
func TestGroupsDoNotDisturbEachOther(t *testing.T) {
	const d = 40 // with a rescaling
	orders := []int{2, 7, 1, 4, 3, 1}
	parts := []Part{Whole, MeanOnly, VarianceOnly}
	q := grouped(t, d, orders, parts...)
	for _, n := range []int{1, q.TilePoints(), 2*q.TilePoints() + 3} {
		x := points(n, d, rand.New(rand.NewPCG(3, uint64(n))))
		mean, variance := moments(t, q, x, 1)
		wantMean, wantVariance := make([]float64, n), make([]float64, n)
		for g := range orders {
			alone, err := New(q.Group(g))
			if err != nil {
				t.Fatal(err)
			}
			from := q.groups[g].at
			own, ownVariance := moments(t, posterior(t, alone, q.Params()[from:from+alone.Size()]), x, 1)
			for p := range n {
				wantMean[p] += own[p]
				if q.Group(g).HasVariance() {
					wantVariance[p] += ownVariance[p]
				}
			}
		}
		for p := range n {
			if mean[p] != wantMean[p] {
				t.Fatalf("mean of point %d of %d is %v, want %v", p, n, mean[p], wantMean[p])
			}
			testkit.Close(t, fmt.Sprintf("variance of point %d of %d", p, n), variance[p], wantVariance[p]*q.PriorScale(), 1e-12, 0)
		}
	}
}

// A file may have many groups of few weights each: evaluating them takes the memory of
// one, not a multiple of all weights.
func TestManyGroupsTakeTheMemoryOfOne(t *testing.T) {
	const d, most = 60, 400
	use := func(groups int) int64 {
		q := grouped(t, d, slices.Repeat([]int{1}, groups), Whole)
		x := points(3, d, rand.New(rand.NewPCG(1, 1)))
		mean, variance, cov := make([]float64, 3), make([]float64, 3), make([]float64, 3)
		pool := simd.NewPool(1)
		defer pool.Close()
		return testkit.Allocated(func() {
			e := NewEvaluator(q, pool)
			if err := e.Moments(context.Background(), x, mean, variance); err != nil {
				t.Fatal(err)
			}
			if err := e.Covariance(context.Background(), x, x, cov); err != nil {
				t.Fatal(err)
			}
		})
	}
	one, many := use(1), use(most)
	weights := int64(most * 2 * 4 * (2 + 4*(d-1))) // bytes
	if many > 2*one+weights/4 {
		t.Errorf("%d groups of %d bytes of weights take %d bytes; one takes %d", most, weights, many, one)
	}
}

// BenchmarkMoments is what a prediction asks for.
func BenchmarkMoments(b *testing.B) {
	for _, c := range []struct{ d, groups int }{{8, 1}, {8, 8}, {8, 64}, {128, 8}} {
		b.Run(fmt.Sprintf("%d inputs, %d groups", c.d, c.groups), func(b *testing.B) {
			q := grouped(b, c.d, slices.Repeat([]int{3}, c.groups), Whole)
			const n = 4096
			x := points(n, c.d, rand.New(rand.NewPCG(1, 1)))
			pool := simd.NewPool(1)
			defer pool.Close()
			e, mean, variance := NewEvaluator(q, pool), make([]float64, n), make([]float64, n)
			for b.Loop() {
				if err := e.Moments(context.Background(), x, mean, variance); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}

// An evaluator has the bases of one group at a time: how many points go through together
// does not depend on how many groups there are.
func TestManyGroupsAreEvaluatedAsManyPointsAtATime(t *testing.T) {
	for _, order := range []int{3, 12} {
		one, many := grouped(t, 60, []int{order}, MeanOnly), grouped(t, 60, slices.Repeat([]int{order}, 60), MeanOnly)
		_, want := one.tileFor(1 << 20)
		if _, got := many.tileFor(1 << 20); got != want || got <= many.TilePoints() {
			t.Errorf("order %d: %d points at a time, of one group %d; in training %d", order, got, want, many.TilePoints())
		}
	}
}

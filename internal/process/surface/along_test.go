package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// counted counts the points at which a basis is evaluated.
type counted struct {
	basis.Basis
	points *atomic.Int64
}

func (b counted) LocalValues(first []int32, values, t []float32, n, slot int) {
	b.points.Add(int64(n))
	b.Basis.LocalValues(first, values, t, n, slot)
}

func (b counted) Values(dst, t []float32, n, ld int) {
	b.points.Add(int64(n))
	b.Basis.Values(dst, t, n, ld)
}

// members returns a surface of groups in turn of the given sizes of splines, each as a
// member of an ensemble has them, over inputs that may be missing, and how often a basis
// was evaluated at a point.
func members(t testing.TB, d, r, of int, nodes ...int) (*Posterior, *atomic.Int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, uint64(d)))
	points := new(atomic.Int64)
	var groups []Group
	for range of {
		for _, m := range nodes {
			var bases []basis.Basis
			for input := range d {
				b, err := basis.NewSpline(m + input%2)
				if err != nil {
					t.Fatal(err)
				}
				averaged, err := basis.NewAveraged(counted{b, points}, b.Mean())
				if err != nil {
					t.Fatal(err)
				}
				bases = append(bases, averaged)
			}
			var widths []int
			for _, b := range bases {
				widths = append(widths, b.Nodes())
			}
			e, err := buttress.New(widths, Supports(bases), buttress.RandomOrderings(d, r, rng))
			if err != nil {
				t.Fatal(err)
			}
			groups = append(groups, Group{Bases: bases, Ensemble: e, Part: MeanOnly})
		}
	}
	s, err := New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(1 + 0.3*rng.NormFloat64())
	}
	return posterior(t, s, params), points
}

// E f at values of the last input is that of the points that have these values, in any
// mixture of bases, where coordinates are missing, however many inputs there are.
func TestAlongIsTheMeanAtEveryValue(t *testing.T) {
	values := []float32{0, 0.125, 0.3, 0.5, 0.99, 1}
	for _, d := range []int{1, 2, 5, 70} {
		q, _ := members(t, d, 6, 3, 4, 9, 16)
		rng := rand.New(rand.NewPCG(3, uint64(d)))
		for _, n := range []int{1, 7, q.TilePoints(), 2*q.TilePoints() + 3} {
			x := points(n, d, rng)
			for row := range n {
				x[row*d+d-1] = float32(math.NaN()) // is passed over
				if d > 1 && row%3 == 0 {
					x[row*d+row%(d-1)] = float32(math.NaN())
				}
			}
			want := make([][]float64, len(values))
			for v, u := range values {
				at := slices.Clone(x)
				for row := range n {
					at[row*d+d-1] = u
				}
				want[v], _ = moments(t, q, at, 1)
			}
			var one []float64
			for _, workers := range []int{1, 3} {
				pool := simd.NewPool(workers)
				got := make([]float64, n*len(values))
				if err := NewAlong(q, values, pool).Means(context.Background(), x, got); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for row := range n {
					for v := range values {
						testkit.Close(t, fmt.Sprintf("%d inputs: value %d at point %d of %d", d, v, row, n), got[row*len(values)+v], want[v][row], 2e-5, 2e-5)
					}
				}
				if one != nil && !slices.Equal(one, got) {
					t.Errorf("%d inputs: %d points differ with %d workers", d, n, workers)
				}
				one = got
			}
			last := make([]float64, len(values))
			if err := NewAlong(q, values, simd.NewPool(1)).Means(context.Background(), x[(n-1)*d:], last); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(last, one[(n-1)*len(values):]) {
				t.Errorf("%d inputs: the last of %d points differs alone", d, n)
			}
		}
	}
}

// Groups without a mean, wherever they stand, add nothing.
func TestAlongOfGroupsOfAllKinds(t *testing.T) {
	const d, n = 7, 20
	rng := rand.New(rand.NewPCG(4, 1))
	q := mixture(t, d, rng)
	x, values := mixedPoints(n, d, 9, rng), []float32{0, 0.3, 1}
	pool := simd.NewPool(1)
	defer pool.Close()
	got := rubbish(n * len(values))
	if err := NewAlong(q, values, pool).Means(context.Background(), x, got); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(got))
	for v, u := range values {
		mean, _ := moments(t, q, put(x, d, d-1, func(int) float32 { return u }), 1)
		for p, m := range mean {
			want[p*len(values)+v] = m
		}
	}
	closeAll(t, "value", got, want)
}

// Of a value only the functions from the first to the last that does not vanish are multiplied.
func TestValuesHaveTheFunctionsThatDoNotVanish(t *testing.T) {
	for _, spec := range []basis.Spec{{Kind: basis.KindSpline, Nodes: 9}, {Kind: basis.KindSpline, Nodes: 3}, {Kind: basis.KindIndicator, Nodes: 2}, {Kind: basis.KindBernstein, Nodes: 1}} {
		b, err := basis.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range []float32{0, 0.4, 0.5, 1} {
			if spec.Kind == basis.KindIndicator {
				u = float32(math.Round(float64(u)))
			}
			phi := make([]float32, b.Nodes())
			b.Values(phi, []float32{u}, 1, 1)
			var known []int
			for i, v := range phi {
				if v != 0 {
					known = append(known, i)
				}
			}
			first, last := slices.Min(known), slices.Max(known)
			got := lastBases(b, []float32{u})[0]
			if got.first != first || len(got.phi) != last-first+1 {
				t.Fatalf("%+v at %v: %d functions from %d on, want those from %d to %d", spec, u, len(got.phi), got.first, first, last)
			}
			for i, v := range got.phi {
				if v != float64(phi[first+i]) {
					t.Errorf("%+v at %v: function %d is %v, want %v", spec, u, first+i, v, phi[first+i])
				}
			}
		}
	}
}

func TestAlongStopsWhenTold(t *testing.T) {
	q, _ := members(t, 3, 2, 1, 4)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := []float64{7}
	if err := NewAlong(q, []float32{0.5}, simd.NewPool(1)).Means(ctx, []float32{0, 0, 0}, got); err == nil || got[0] != 7 {
		t.Errorf("error %v, value %g", err, got[0])
	}
}

// The groups of an ensemble's members have equal bases: these are evaluated once for all
// of them, and along an input once for all its values.
func TestEqualBasesAreEvaluatedOnce(t *testing.T) {
	const d, n, of = 4, 50, 5
	q, evaluated := members(t, d, 3, of, 5, 8)
	x := points(n, d, rand.New(rand.NewPCG(1, 1)))
	evaluated.Store(0)
	moments(t, q, x, 1)
	if want := int64(2 * d * n); evaluated.Load() != want { // two kinds of groups
		t.Errorf("Moments evaluates bases at %d points, want %d", evaluated.Load(), want)
	}
	values := []float32{0, 0.5, 1}
	e := NewAlong(q, values, simd.NewPool(1))
	evaluated.Store(0)
	if err := e.Means(context.Background(), x, make([]float64, n*len(values))); err != nil {
		t.Fatal(err)
	}
	if want := int64(2 * (d - 1) * n); evaluated.Load() != want {
		t.Errorf("Means evaluates bases at %d points, want %d", evaluated.Load(), want)
	}
}

// BenchmarkAlong is what the density ratio of a default model of 9 inputs asks for.
func BenchmarkAlong(b *testing.B) {
	q, _ := members(b, 11, 10, 5, 10)
	values := make([]float32, 33)
	for k := range values {
		values[k] = float32(k) / 32
	}
	for _, n := range []int{1, 1024} {
		b.Run(fmt.Sprintf("%d rows", n), func(b *testing.B) {
			pool := simd.NewPool(1)
			defer pool.Close()
			x, dst := points(n, 11, rand.New(rand.NewPCG(1, 1))), make([]float64, n*len(values))
			e := NewAlong(q, values, pool)
			for b.Loop() {
				if err := e.Means(context.Background(), x, dst); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}

package surface

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// of returns a surface of groups of so many inputs and nodes each.
func of(t *testing.T, inputs, nodes, buttresses int, parts ...Part) *Surface {
	t.Helper()
	var groups []Group
	for range parts {
		g := Group{Part: parts[len(groups)]}
		for range inputs {
			b, err := basis.NewSpline(nodes)
			if err != nil {
				t.Fatal(err)
			}
			g.Bases = append(g.Bases, b)
		}
		var err error
		if g.Ensemble, err = buttress.New(slices.Repeat([]int{nodes}, inputs), nil, buttress.RandomOrderings(inputs, buttresses, rand.New(rand.NewPCG(1, 1)))); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	s, err := New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The variance buttresses of all groups share the prior variance; where there are none
// all buttresses do, for the prior is that of the weights too. Parameters lie group by
// group, those of the mean first.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		parts []Part
		share float64
		size  int // in ensembles
	}{
		{[]Part{Whole}, 3, 2},
		{[]Part{Whole, Whole}, 6, 4},
		{[]Part{Whole, MeanOnly}, 3, 3},
		{[]Part{MeanOnly, VarianceOnly}, 3, 2},
		{[]Part{MeanOnly, MeanOnly}, 6, 2},
	} {
		s := of(t, 2, 4, 3, c.parts...)
		testkit.Close(t, "share of the prior variance", s.PriorScale(), 1/c.share, 1e-15, 0)
		one := s.Group(0).Ensemble.Size()
		if s.Size() != c.size*one {
			t.Errorf("%v: %d parameters, want %d times %d", c.parts, s.Size(), c.size, one)
		}
		var want []int
		for at := range c.size {
			for k := range 3 {
				want = append(want, at*one+s.Group(0).Ensemble.End(k))
			}
		}
		if got := s.Ends(); !slices.Equal(got, want) {
			t.Errorf("%v: buttresses end at %v, want %v", c.parts, got, want)
		}
	}
}

// Narrow layers have large tiles, and all are halved, down to a quarter, until bases and
// states fit the cache; states of all buttresses are kept while they are small.
func TestTilesFitTheCache(t *testing.T) {
	for _, c := range []struct {
		inputs, nodes, buttresses, points int
		keep                              bool
	}{
		{2, 9, 3, 128, true},
		{10, 9, 2000, 128, false}, // 4 bytes of 90 nodes at 128 points of each are 92 MB
		{59, 100, 3, 128, false},  // twice 4 bytes of 5900 nodes at 128 points are 5.8 MiB
		{66, 100, 3, 64, true},    // 6.4 MiB; half of them thrice are 4.8 MiB
		{2000, 30, 1, 32, true},   // never fewer
	} {
		s := of(t, c.inputs, c.nodes, c.buttresses, MeanOnly)
		if s.TilePoints() != c.points {
			t.Errorf("%d inputs of %d nodes: tiles of %d points, want %d", c.inputs, c.nodes, s.TilePoints(), c.points)
		}
		if s.KeepsPasses(c.buttresses) != c.keep {
			t.Errorf("%d buttresses of %d inputs of %d nodes, %d points: states are kept: %v", c.buttresses, c.inputs, c.nodes, s.TilePoints(), !c.keep)
		}
	}
	// 150 buttresses are 6.6 MiB, and two groups of them more than 8, of which half are kept.
	if s := of(t, 10, 9, 150, MeanOnly, MeanOnly); !of(t, 10, 9, 150, MeanOnly).KeepsPasses(150) || s.KeepsPasses(300) || !s.KeepsPasses(150) {
		t.Error("the states of 150 buttresses are to be kept, those of 300 are not")
	}
	if s := of(t, 3, 8, 1, MeanOnly); s.TilePoints() != 256 {
		t.Errorf("narrow layers have tiles of %d points", s.TilePoints())
	}
	if s := of(t, 3, 8, 1, MeanOnly, MeanOnly); s.TilePoints() != 256 {
		t.Errorf("narrow layers of two groups have tiles of %d points", s.TilePoints())
	}
}

// The covariance of a point with itself is its variance, in every tile, and groups without
// a variance, wherever they stand, add nothing to it.
func TestCovarianceOfManyPointsWithThemselves(t *testing.T) {
	const d = 3
	q := grouped(t, d, []int{2, 3, 4, 1}, MeanOnly, Whole)
	n := 2*q.TilePoints() + 5
	x := points(n, d, rand.New(rand.NewPCG(2, 2)))
	_, variance := moments(t, q, x, 1)
	pool := simd.NewPool(1)
	defer pool.Close()
	got := make([]float64, n)
	e := NewEvaluator(q, pool)
	for range 2 { // again with the memory of the first time
		if err := e.Covariance(context.Background(), x, x, got); err != nil {
			t.Fatal(err)
		}
	}
	for p, want := range variance {
		testkit.Close(t, "covariance", got[p], want, 1e-5, 0)
	}
}

// A group without a mean has no effect, and takes none from those behind it.
func TestEffectsOfParts(t *testing.T) {
	q := grouped(t, 2, []int{2, 3}, VarianceOnly, MeanOnly)
	effects := q.Effect()
	for input := range 2 {
		for i, v := range effects[0][input] {
			if v != 0 {
				t.Errorf("input %d, function %d of a variance has the effect %g", input, i, v)
			}
		}
		if !slices.ContainsFunc(effects[1][input], func(v float64) bool { return v != 0 }) {
			t.Errorf("input %d of the mean has no effect", input)
		}
	}
}

// A tile holds the values of every input's basis at every point, of however many inputs
// and points.
func TestTilesOfManyInputs(t *testing.T) {
	const d, n = 2*fillInputs + 3, 2*fillRows + 1
	s := of(t, d, 2, 1, MeanOnly)
	x := points(n, d, rand.New(rand.NewPCG(3, 3)))
	tile := s.NewTile(0)
	tile.Fill(x)
	for input := range d {
		for p := range n {
			for node, want := range []float32{1 - x[p*d+input], x[p*d+input]} {
				got := tile.Mean.Phi[(s.Group(0).Ensemble.Row(input)+node)*tile.Mean.Stride+p]
				testkit.Close(t, "value", float64(got), float64(want), 1e-6, 1e-7)
			}
		}
	}
}

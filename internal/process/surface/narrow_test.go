package surface

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// A point of a surface with very many nodes that lacks a coordinate has the average over the
// functions of that input, which is the average of the values at their own points: of a
// category, of very many steps, and of both.
func TestUnknownAmongVeryManyNodes(t *testing.T) {
	testkit.Long(t)
	const steps, levels = 9000, 3
	rng := rand.New(rand.NewPCG(5, 6))
	many, err := basis.NewSteps(steps)
	if err != nil {
		t.Fatal(err)
	}
	few, err := basis.NewIndicator(levels)
	if err != nil {
		t.Fatal(err)
	}
	spline, err := basis.NewSpline(31)
	if err != nil {
		t.Fatal(err)
	}
	coarse, err := basis.NewBernstein(3)
	if err != nil {
		t.Fatal(err)
	}
	var bases []basis.Basis
	for _, b := range []basis.Basis{many, few, spline, coarse} {
		average, sum := make([]float64, b.Nodes()), 0.0
		for i := range average {
			average[i] = rng.Float64()
			sum += average[i]
		}
		for i := range average {
			average[i] /= sum
		}
		a, err := basis.NewAveraged(b, average)
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, a)
	}
	e, err := buttress.New([]int{steps, levels, 31, 4}, Supports(bases), [][]int{{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if !e.Apart(func(input int) bool { return input == 0 }) {
		t.Fatal("there are too few nodes")
	}
	s, err := New(Group{Bases: bases, Ensemble: e, Part: MeanOnly})
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(1 + 0.5*rng.NormFloat64())
	}
	q, err := NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	at := func(x []float32) []float64 {
		mean := make([]float64, len(x)/4)
		if err := NewEvaluator(q, pool).Moments(context.Background(), x, mean, nil); err != nil {
			t.Fatal(err)
		}
		return mean
	}
	nan := float32(math.NaN())
	for _, lacks := range [][]int{{0}, {1}, {0, 1}} {
		row := []float32{0.3, 2, 0.41, 0.7}
		var points []float32
		var weights []float64
		for i := range steps {
			for j := range levels {
				own, w := []float32{row[0], row[1], row[2], row[3]}, 1.0
				first, second := false, false
				for _, k := range lacks {
					first, second = first || k == 0, second || k == 1
				}
				if first {
					own[0], w = (float32(i)+0.5)/steps, w*bases[0].Spec().Average[i]
				} else if i > 0 {
					continue
				}
				if second {
					own[1], w = float32(j), w*bases[1].Spec().Average[j]
				} else if j > 0 {
					continue
				}
				points, weights = append(points, own...), append(weights, w)
			}
		}
		want := 0.0
		for k, v := range at(points) {
			want += weights[k] * v
		}
		for _, k := range lacks {
			row[k] = nan
		}
		if got := at(append([]float32{0.5, 1, 0.5, 0.5}, row...))[1]; !(math.Abs(got-want) < 1e-5*math.Abs(want)) {
			t.Errorf("without %v: %g, want %g", lacks, got, want)
		}
	}
}

// Means and variances of points whose unknown coordinates are told apart are those of all functions, and so are their gradients.
func TestUnknownCoordinatesApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var bases []basis.Basis
	for i := range 7 {
		spline, err := basis.NewSpline(31 + 9*i)
		if err != nil {
			t.Fatal(err)
		}
		average := make([]float64, spline.Nodes())
		for j := range average {
			average[j] = 1 / float64(len(average))
		}
		b, err := basis.NewAveraged(spline, average)
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, b)
	}
	var widths []int
	for _, b := range bases {
		widths = append(widths, b.Nodes())
	}
	e, err := buttress.New(widths, Supports(bases), buttress.RandomOrderings(len(bases), 3, rng))
	if err != nil {
		t.Fatal(err)
	}
	if !e.HasLocal() {
		t.Skip("no layer is local on this machine")
	}
	s, err := New(Group{Bases: bases, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	const n = 40
	d := len(bases)
	x := make([]float32, n*d)
	for i := range x {
		if x[i] = rng.Float32(); rng.IntN(6) == 0 {
			x[i] = float32(math.NaN())
		}
	}
	w := make([]float32, e.Size())
	for i := range w {
		w[i] = 0.5 + rng.Float32()
	}
	pass := func(apart bool) (all [][]float32) {
		tile := s.NewTile(0)
		tile.fill(x)
		tile.fillWhole(x, apart)
		if n := tile.Variance.Whole.Together; n == 0 && !apart || n > len(tile.Variance.Whole.At)/2 && apart {
			t.Fatalf("%d points of %d go together", n, len(tile.Variance.Whole.At))
		}
		states, cotangent := e.NewKeptStates(s.TilePoints()), make([]float32, s.TilePoints())
		for p := range n {
			cotangent[p] = float32(p%3 - 1)
		}
		for _, part := range []*buttress.Tile{&tile.Mean, &tile.Variance} {
			for k := range e.Buttresses() {
				out, dw := make([]float32, s.TilePoints()), make([]float32, len(e.Weights(w, k)))
				e.Forward(k, e.Weights(w, k), part, states, out)
				e.Backward(k, e.Weights(w, k), part, states, cotangent, dw)
				all = append(all, out[:n], dw)
			}
		}
		return all
	}
	apart, whole := pass(true), pass(false)
	for i, want := range whole {
		var largest float64
		for _, v := range want {
			largest = max(largest, math.Abs(float64(v)))
		}
		for j, v := range want {
			if got := apart[i][j]; !(math.Abs(float64(got-v)) <= 1e-5*largest) {
				t.Fatalf("pass %d, element %d: %g, want %g of at most %g", i, j, got, v, largest)
			}
		}
		if largest == 0 {
			t.Fatal("nothing but zeros")
		}
	}
}

package elbo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// meanSurface is a sum of two groups over a number, a category and a number.
func meanSurface(t testing.TB, part surface.Part, rng *rand.Rand) *surface.Surface {
	t.Helper()
	levels, err := basis.NewIndicator(3)
	if err != nil {
		t.Fatal(err)
	}
	var groups []surface.Group
	for _, nodes := range []int{3, 6} {
		spline, err := basis.NewSpline(nodes)
		if err != nil {
			t.Fatal(err)
		}
		g := surface.Group{Bases: []basis.Basis{spline, levels, spline}, Part: part}
		if g.Ensemble, err = buttress.New([]int{nodes, 3, nodes}, nil, buttress.RandomOrderings(3, 4, rng)); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func meanData(n int, rng *rand.Rand) (x, y []float32) {
	for range n {
		x = append(x, rng.Float32(), float32(rng.IntN(3)), rng.Float32())
		y = append(y, rng.Float32()) // a residual's square must not be negative
	}
	return x, y
}

func TestMeanGradientAgreesWithCentralDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, part := range []surface.Part{surface.MeanOnly, surface.VarianceOnly} {
		s := meanSurface(t, part, rng)
		checkMeanGradient(t, s, part, rng)
	}
}

func checkMeanGradient(t *testing.T, s *surface.Surface, part surface.Part, rng *rand.Rand) {
	x, y := meanData(300, rng)
	rows := Batch{X: x, Y: y}
	for range y {
		rows.Weights = append(rows.Weights, 2*rng.Float32())
	}
	params, gradient, scratch := make([]float32, s.Size()), make([]float32, s.Size()), make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.4 + 0.3*rng.NormFloat64())
	}
	before := slices.Clone(params)
	pool := simd.NewPool(2)
	defer pool.Close()
	for name, loss := range map[string]Loss{"squared": likelihood.Gaussian{}.Loss, "log variance": likelihood.LogScale} {
		for _, lambda := range []float64{0, 0.7} {
			objectiveOf := NewMean
			if part == surface.VarianceOnly {
				objectiveOf = NewVariance
			}
			m := objectiveOf(s, loss, pool)
			objective := func() float64 {
				return m.Evaluate(params, lambda, rows, scratch, nil) + penalty(s, params, lambda)
			}
			clear(gradient)
			m.Evaluate(params, lambda, rows, gradient, nil)
			if params[0]++; lambda == 0 && m.Evaluate(params, lambda, rows, scratch, nil) == m.Evaluate(before, lambda, rows, scratch, nil) {
				t.Errorf("%s: the loss does not depend on the first weight", name)
			}
			params[0] = before[0]
			for range 40 {
				i := rng.IntN(len(params))
				want := testkit.CentralDifference(objective, &params[i], 1e-2)
				testkit.Close(t, name, float64(gradient[i]), want, 1e-2, 2e-4)
			}
		}
	}
}

// The objective is what enumeration of all control points gives.
func TestMeanLossMatchesTheEvaluator(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	s := meanSurface(t, surface.MeanOnly, rng)
	x, y := meanData(300, rng)
	params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.4 + 0.3*rng.NormFloat64())
	}
	var want float64
	for p, target := range y {
		var f float64
		for g := range s.Groups() {
			group := s.Group(g)
			var phi [][]float32
			for input, b := range group.Bases {
				values := make([]float32, b.Nodes())
				b.Values(values, x[3*p+input:3*p+input+1], 1, 1)
				phi = append(phi, values)
			}
			for k, ordering := range group.Ensemble.Orderings() {
				w := group.Ensemble.Weights(s.Mean(params, g), k)
				testkit.EachPath(group.Ensemble.Widths(), func(path []int) {
					product := testkit.PathProduct(group.Ensemble.Widths(), ordering, w, path)
					for input, node := range path {
						product *= float64(phi[input][node])
					}
					f += product
				})
			}
		}
		want += 0.5 * (f - float64(target)) * (f - float64(target)) / float64(len(y))
	}
	var gradients [2][]float32
	for i, workers := range []int{1, 3} {
		pool := simd.NewPool(workers)
		clear(gradient)
		got := NewMean(s, likelihood.Gaussian{}.Loss, pool).Evaluate(params, 1, Batch{X: x, Y: y}, gradient, nil)
		testkit.Close(t, "loss", got, want, 1e-5, 0)
		gradients[i] = slices.Clone(gradient)
		pool.Close()
	}
	if !slices.Equal(gradients[0], gradients[1]) {
		t.Error("the gradient depends on the number of workers")
	}
}

// penalty returns λ Σ Smoothness, term by term.
func penalty(s *surface.Surface, params []float32, lambda float64) (sum float64) {
	at := 0
	for g := range s.Groups() {
		group := s.Group(g)
		for _, ordering := range group.Ensemble.Orderings() {
			rows, before := 1, basis.Basis(nil)
			for _, input := range ordering {
				own := group.Bases[input]
				cols := own.Nodes()
				w := params[at : at+rows*cols]
				for i := range rows {
					sum += lambda / 2 * roughness(own, w[i*cols:], cols, 1)
				}
				for j := range cols {
					sum += lambda / 2 * roughness(before, w[j:], rows, cols)
				}
				at, rows, before = at+rows*cols, cols, own
			}
		}
	}
	return sum
}

// roughness returns the squared differences of n weights of one basis, stride apart, from
// their neighbours, or of those of a category from their mean.
func roughness(b basis.Basis, w []float32, n, stride int) (sum float64) {
	var mean float64
	for i := range n {
		mean += float64(w[i*stride]) / float64(n)
	}
	for i := range n {
		switch {
		case b != nil && !basis.Ordered(b):
			sum += math.Pow(float64(w[i*stride])-mean, 2)
		case i > 0:
			sum += math.Pow(float64(w[i*stride])-float64(w[(i-1)*stride]), 2)
		}
	}
	return sum
}

// By hand: layers 1×2 and 2×3, numbers, or the second a category.
func TestSmoothnessByHand(t *testing.T) {
	two, _ := basis.NewSpline(2)
	three, _ := basis.NewSpline(3)
	levels, _ := basis.NewIndicator(3)
	e, err := buttress.New([]int{2, 3}, nil, [][]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	w := []float32{1, 3, 1, 2, 4, 0, 0, 3}
	for name, c := range map[string]struct {
		basis basis.Basis
		want  []float64
	}{
		"numbers":  {three, []float64{-2, 2, -1 + 1, 1 - 2 + 2, 2 + 1, -1, -3 - 2, 3 - 1}},
		"category": {levels, []float64{-2, 2, -4./3 + 1, -1./3 + 2, 5./3 + 1, -1 - 1, -1 - 2, 2 - 1}},
	} {
		g := surface.Group{Bases: []basis.Basis{two, c.basis}, Ensemble: e}
		dw := []float32{10, 10, 10, 10, 10, 10, 10, 10}
		Smoothness(g, 0, w, dw, 3)
		for i, want := range c.want {
			testkit.Close(t, name, float64(dw[i]), 10+3*want, 1e-6, 1e-5)
		}
	}
}

// Rows of a layer are taken towards their mean, however many columns there are.
func TestSmoothnessOfManyColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const rows = 3
	for _, cols := range []int{1, 128, 135} {
		w, dw := normals(rows*cols, 1, rng), make([]float32, rows*cols)
		SmoothLayer(w, dw, rows, false, true, 2)
		along := make([]float32, len(dw))
		simd.Smooth(along, w, rows, cols, true, false, 2)
		for i, v := range along {
			dw[i] -= v
		}
		for j := range cols {
			mean := (float64(w[j]) + float64(w[cols+j]) + float64(w[2*cols+j])) / rows
			for i := range rows {
				testkit.Close(t, "slope", float64(dw[i*cols+j]), 2*(float64(w[i*cols+j])-mean), 1e-5, 1e-5)
			}
		}
	}
}

// The last tile is followed by the penalty, full or not.
func TestPenaltyAfterTheLastTile(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	s := meanSurface(t, surface.MeanOnly, rng)
	params := normals(s.Size(), 0.4, rng)
	pool := simd.NewPool(1)
	defer pool.Close()
	for _, n := range []int{1, s.TilePoints(), s.TilePoints() + 1, 2 * s.TilePoints()} {
		x, y := meanData(n, rng)
		told := 0
		NewMean(s, likelihood.Gaussian{}.Loss, pool).Evaluate(params, 0.3, Batch{X: x, Y: y}, make([]float32, len(params)), func(int) { told++ })
		if told != len(s.Ends()) {
			t.Errorf("%d rows: told of %d buttresses of %d", n, told, len(s.Ends()))
		}
	}
}

// The caller is told of every buttress, once, when its gradient is whole, and can then move
// it: what others get does not change.
func TestMeanTellsOfEveryButtress(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, part := range []surface.Part{surface.MeanOnly, surface.VarianceOnly} {
		s := meanSurface(t, part, rng)
		x, y := meanData(300, rng)
		start := normals(s.Size(), 0.4, rng)
		for _, workers := range []int{1, 3} {
			pool := simd.NewPool(workers)
			objectiveOf := NewMean
			if part == surface.VarianceOnly {
				objectiveOf = NewVariance
			}
			m := objectiveOf(s, likelihood.Gaussian{}.Loss, pool)
			gradient, want := make([]float32, s.Size()), make([]float32, s.Size())
			m.Evaluate(start, 0.3, Batch{X: x, Y: y}, want, nil)
			params, moved, ends := slices.Clone(start), slices.Clone(start), s.Ends()
			for i, g := range want {
				moved[i] -= g
			}
			var told [8]int
			m.Evaluate(params, 0.3, Batch{X: x, Y: y}, gradient, func(k int) {
				told[k]++
				from := 0
				if k > 0 {
					from = ends[k-1]
				}
				for i := from; i < ends[k]; i++ {
					params[i] -= gradient[i]
				}
				clear(gradient[from:ends[k]])
			})
			if told != [8]int{1, 1, 1, 1, 1, 1, 1, 1} || !slices.Equal(params, moved) || slices.ContainsFunc(gradient, func(g float32) bool { return g != 0 }) {
				t.Errorf("%q, %d workers: told %v times; moved as by the whole gradient: %v", part, workers, told, slices.Equal(params, moved))
			}
			pool.Close()
		}
	}
}

// A loss gets all targets of its row, and of no other.
func TestMeanLossOfSeveralTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	s := meanSurface(t, surface.MeanOnly, rng)
	x, y := meanData(300, rng)
	var both []float32
	for _, v := range y {
		both = append(both, v, -v)
	}
	params := normals(s.Size(), 0.5, rng)
	pool := simd.NewPool(1)
	defer pool.Close()
	evaluate := func(rows Batch, targets int) (float64, []float32) {
		gradient := make([]float32, len(params))
		loss := NewMean(s, func(f float64, y []float32) (value, slope float64) {
			if len(y) != targets || targets == 2 && y[1] != -y[0] {
				t.Fatalf("targets %v", y)
			}
			return likelihood.Gaussian{}.Loss(f, y)
		}, pool).Evaluate(params, 0, rows, gradient, nil)
		return loss, gradient
	}
	want, wantGradient := evaluate(Batch{X: x, Y: y}, 1)
	got, gradient := evaluate(Batch{X: x, Y: both, Outputs: 2}, 2)
	if got != want || !slices.Equal(gradient, wantGradient) {
		t.Errorf("loss %g with a second target, %g without", got, want)
	}
}

// A slope that is nothing beside others is none: what the buttresses multiply it by would be below the normal range of float32.
func TestSlopesBelowTheNormalRangeAreNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	s := meanSurface(t, surface.MeanOnly, rng)
	x, y := meanData(100, rng)
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = 1
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	for _, slope := range []float64{1e-10, -1e-10, 1e-22, -1e-30, 1e-42} {
		gradient := make([]float32, s.Size())
		loss := func(float64, []float32) (float64, float64) { return 0, slope }
		NewMean(s, loss, pool).Evaluate(params, 0, Batch{X: x, Y: y, Outputs: 1}, gradient, nil)
		changes := slices.ContainsFunc(gradient, func(v float32) bool { return v != 0 })
		if changes != (math.Abs(slope) > 1e-20) {
			t.Errorf("a slope of %g changes the gradient: %t", slope, changes)
		}
	}
}

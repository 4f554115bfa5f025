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
				l, penalty := m.Evaluate(params, lambda, rows, scratch)
				return l + penalty
			}
			m.Evaluate(params, lambda, rows, gradient)
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
		got, _ := NewMean(s, likelihood.Gaussian{}.Loss, pool).Evaluate(params, 1, Batch{X: x, Y: y}, gradient)
		testkit.Close(t, "loss", got, want, 1e-5, 0)
		gradients[i] = slices.Clone(gradient)
		pool.Close()
	}
	if !slices.Equal(gradients[0], gradients[1]) {
		t.Error("the gradient depends on the number of workers")
	}
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
	down := 1.0 + 4 + 1 // of the second layer, row to row
	for name, c := range map[string]struct {
		basis basis.Basis
		want  float64
	}{
		"numbers":  {three, 4 + (1 + 4) + 9 + down},
		"category": {levels, 4 + (16.0/9 + 1.0/9 + 25.0/9) + (1 + 1 + 4) + down},
	} {
		g := surface.Group{Bases: []basis.Basis{two, c.basis}, Ensemble: e}
		testkit.Close(t, name, Smoothness(g, 0, w, make([]float32, 8), 3), 1.5*c.want, 1e-6, 0)
	}
	flat := []float32{2, 2, 5, 5, 5, 5, 5, 5}
	dw := make([]float32, 8)
	if got := Smoothness(surface.Group{Bases: []basis.Basis{two, levels}, Ensemble: e}, 0, flat, dw, 3); got != 0 || math.Abs(float64(dw[3])) > 0 {
		t.Errorf("equal weights cost %g", got)
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
		loss, _ := NewMean(s, func(f float64, y []float32) (value, slope float64) {
			if len(y) != targets || targets == 2 && y[1] != -y[0] {
				t.Fatalf("targets %v", y)
			}
			return likelihood.Gaussian{}.Loss(f, y)
		}, pool).Evaluate(params, 0, rows, gradient)
		return loss, gradient
	}
	want, wantGradient := evaluate(Batch{X: x, Y: y}, 1)
	got, gradient := evaluate(Batch{X: x, Y: both, Outputs: 2}, 2)
	if got != want || !slices.Equal(gradient, wantGradient) {
		t.Errorf("loss %g with a second target, %g without", got, want)
	}
}

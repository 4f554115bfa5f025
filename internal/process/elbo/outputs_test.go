package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// outputSurface has groups of numbers and categories, with layers that are local or none.
func outputSurface(t testing.TB, d, outputs int, local bool, part surface.Part, rng *rand.Rand) *surface.Surface {
	t.Helper()
	var groups []surface.Group
	sizes := []int{7, 4}
	if local {
		sizes[0] = 33
	}
	for _, nodes := range sizes {
		g := surface.Group{Part: part}
		var widths []int
		for i := range d {
			spline, err := basis.NewSpline(nodes)
			var b basis.Basis = spline
			if i%3 == 1 {
				b, err = basis.NewIndicator(30)
			}
			if err == nil {
				b, err = basis.NewAveraged(b, b.Mean())
			}
			if err != nil {
				t.Fatal(err)
			}
			g.Bases, widths = append(g.Bases, b), append(widths, b.Nodes())
		}
		supports := surface.Supports(g.Bases)
		if !local {
			supports = nil
		}
		var err error
		if g.Ensemble, err = buttress.NewOutputs(widths, supports, buttress.RandomOrderings(d, 4, rng), outputs); err != nil {
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

// softmax is −log p of class y[0].
func softmax(f []float64, y []float32, slope []float64) float64 {
	top, sum := slices.Max(f), 0.0
	for _, v := range f {
		sum += math.Exp(v - top)
	}
	for t, v := range f {
		slope[t] = math.Exp(v-top) / sum
	}
	class := int(y[0])
	slope[class]--
	return math.Log(sum) + top - f[class]
}

// correlated is half a squared error of all outputs with a term of neighbours, of the first of
// three targets for each output, unless that is missing.
func correlated(f []float64, y []float32, slope []float64) (value float64) {
	for t, v := range f {
		target := float64(y[t%len(y)])
		if target == target {
			value += 0.5 * (v - target) * (v - target)
			slope[t] += v - target
		}
		if t > 0 {
			value += 0.3 * v * f[t-1]
			slope[t] += 0.3 * f[t-1]
			slope[t-1] += 0.3 * v
		}
	}
	return value
}

func outputData(n, d int, unknown float64, rng *rand.Rand) Batch {
	rows := Batch{Outputs: 3}
	for range n {
		for i := range d {
			v := rng.Float32()
			if i%3 == 1 {
				v = float32(rng.IntN(30))
			}
			if rng.Float64() < unknown {
				v = float32(math.NaN())
			}
			rows.X = append(rows.X, v)
		}
		class := float32(rng.IntN(3))
		rows.Y = append(rows.Y, class, rng.Float32(), rng.Float32())
		if class == 0 {
			rows.Y[len(rows.Y)-1] = float32(math.NaN())
		}
		rows.Weights = append(rows.Weights, 2*rng.Float32())
	}
	return rows
}

// The gradient of all outputs is that of the value, by central differences: of means and of
// variances, of layers of all kinds, with the penalty, with unknown coordinates and along
// chains that are rescaled. One worker and three agree to the bit.
func TestGradientOfOutputsAgreesWithCentralDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	weights := 24
	if testing.Short() {
		weights = 6
	}
	for _, c := range []struct {
		d, outputs int
		local      bool
		part       surface.Part
		unknown    float64
		lambda     float64
	}{
		{3, 3, true, surface.MeanOnly, 0, 0}, {3, 3, true, surface.MeanOnly, 0.1, 0.5}, {1, 4, false, surface.MeanOnly, 0, 0.5}, {2, 4, true, surface.MeanOnly, 0.2, 0},
		{3, 5, false, surface.MeanOnly, 0.1, 0}, {3, 4, true, surface.VarianceOnly, 0.1, 0.5}, {50, 3, true, surface.MeanOnly, 0.01, 0}, {50, 4, false, surface.MeanOnly, 0, 0},
	} {
		s := outputSurface(t, c.d, c.outputs, c.local, c.part, rng)
		rows := outputData(300-4*c.d, c.d, c.unknown, rng)
		params := normals(s.Size(), 0.1, rng)
		if c.part == surface.MeanOnly {
			for i := range params {
				params[i] += 0.9
			}
		}
		for name, losses := range map[string]Losses{"softmax": softmax, "correlated": correlated} {
			var gradients [][]float32
			var values []float64
			for _, workers := range []int{1, 3} {
				pool := simd.NewPool(workers)
				m := NewOutputs(s, losses, pool)
				gradient := make([]float32, len(params))
				values = append(values, m.Evaluate(params, c.lambda, rows, gradient, nil))
				gradients = append(gradients, gradient)
				if workers > 1 {
					pool.Close()
					continue
				}
				scratch := make([]float32, len(params))
				objective := func() float64 {
					return m.Evaluate(params, 0, rows, scratch, nil) + penaltyOfOutputs(s, params, c.lambda)
				}
				ends, checked := s.Ends(), 0
				for i := len(params) - 1; checked < weights; i = rng.IntN(len(params)) {
					if checked%3 == 0 { // of the outputs' layer
						i = ends[checked/3%len(ends)] - 1 - rng.IntN(c.outputs*4)
					}
					checked++
					want := testkit.CentralDifference(objective, &params[i], 1e-2)
					testkit.Close(t, fmt.Sprintf("%+v, %s: weight %d", c, name, i), float64(gradient[i]), want, 1e-2, 3e-4)
				}
				pool.Close()
			}
			if values[0] != values[1] || !slices.Equal(gradients[0], gradients[1]) {
				t.Errorf("%+v, %s: one worker and three disagree", c, name)
			}
		}
	}
}

// penaltyOfOutputs returns λ Σ Smoothness, term by term.
func penaltyOfOutputs(s *surface.Surface, params []float32, lambda float64) (sum float64) {
	if lambda == 0 {
		return 0
	}
	for g := range s.Groups() {
		group := s.Group(g)
		weights := s.Mean(params, g)
		if weights == nil {
			weights = s.Variance(params, g)
		}
		for k, ordering := range group.Ensemble.Orderings() {
			w, at, rows, before := group.Ensemble.Weights(weights, k), 0, 1, basis.Basis(nil)
			for layer := range len(ordering) + 1 {
				cols, own := s.Outputs(), basis.Basis(nil)
				if layer < len(ordering) {
					own = group.Bases[ordering[layer]]
					cols = own.Nodes()
				}
				for i := range rows {
					if own != nil {
						sum += lambda / 2 * roughness(own, w[at+i*cols:], cols, 1)
					}
				}
				for j := range cols {
					sum += lambda / 2 * roughness(before, w[at+j:], rows, cols)
				}
				at, rows, before = at+rows*cols, cols, own
			}
		}
	}
	return sum
}

// One output by [NewOutputs] is one by [NewMean], to the bit.
func TestOneOutputIsTheMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	s := outputSurface(t, 4, 1, true, surface.MeanOnly, rng)
	rows := outputData(300, 4, 0.1, rng)
	params := normals(s.Size(), 0.5, rng)
	pool := simd.NewPool(2)
	defer pool.Close()
	one, all := make([]float32, len(params)), make([]float32, len(params))
	law := likelihood.Gaussian{}
	want := NewMean(s, law.Loss, pool).Evaluate(params, 0.3, rows, one, nil)
	got := NewOutputs(s, func(f []float64, y []float32, slope []float64) (value float64) {
		value, slope[0] = law.Loss(f[0], y)
		return value
	}, pool).Evaluate(params, 0.3, rows, all, nil)
	if got != want || !slices.Equal(one, all) {
		t.Errorf("loss %g by NewOutputs, %g by NewMean", got, want)
	}
}

// Losses of outputs that do not meet are the sum of the losses of posteriors of one output.
func TestLossOfOutputsIsThatOfOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	s := outputSurface(t, 4, 3, true, surface.MeanOnly, rng)
	rows := outputData(300, 4, 0.1, rng)
	for i, y := range rows.Y {
		if y != y {
			rows.Y[i] = 0
		}
	}
	params := normals(s.Size(), 0.5, rng)
	pool := simd.NewPool(2)
	defer pool.Close()
	got := NewOutputs(s, func(f []float64, y []float32, slope []float64) (value float64) {
		for t, v := range f {
			value += 0.5 * (v - float64(y[t])) * (v - float64(y[t]))
			slope[t] = v - float64(y[t])
		}
		return value
	}, pool).Evaluate(params, 0, rows, make([]float32, len(params)), nil)
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	var want float64
	for o := range 3 {
		one := q.Output(o)
		want += NewMean(one.Surface, func(f float64, y []float32) (value, slope float64) {
			return 0.5 * (f - float64(y[o])) * (f - float64(y[o])), f - float64(y[o])
		}, pool).Evaluate(one.Params(), 0, rows, make([]float32, len(one.Params())), nil)
	}
	testkit.Close(t, "loss", got, want, 1e-5, 0)
}

// The loss of a row is asked for once, in whichever parts workers have the rows.
func TestLossOfEveryRowIsAskedForOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	s := outputSurface(t, 4, 3, true, surface.MeanOnly, rng)
	rows := outputData(300, 4, 0, rng)
	rows.Y = nil
	for j := range 300 {
		rows.Y = append(rows.Y, float32(j))
	}
	rows.Outputs = 1
	pool := simd.NewPool(2)
	defer pool.Close()
	asked := make([]atomic.Int32, 300)
	NewOutputs(s, func(_ []float64, y []float32, _ []float64) float64 {
		asked[int(y[0])].Add(1)
		return 0
	}, pool).Evaluate(normals(s.Size(), 0.5, rng), 0, rows, make([]float32, s.Size()), nil)
	for j := range asked {
		if n := asked[j].Load(); n != 1 {
			t.Fatalf("the loss of row %d is asked for %d times", j, n)
		}
	}
}

// A batch's loss and gradient are the sums of its rows', whatever parts the rows are cut into.
func TestOutputsOfABatchAreThoseOfItsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	s := outputSurface(t, 3, 3, false, surface.MeanOnly, rng)
	params := normals(s.Size(), 0.5, rng)
	pool := simd.NewPool(2)
	defer pool.Close()
	for _, n := range []int{lossRows - 1, lossRows, 2*lossRows + 1} {
		rows := outputData(n, 3, 0, rng)
		gradient, want, sum := make([]float32, len(params)), make([]float32, len(params)), 0.0
		got := NewOutputs(s, softmax, pool).Evaluate(params, 0, rows, gradient, nil)
		for p := range n {
			one := Batch{X: rows.X[3*p : 3*p+3], Y: rows.Y[3*p : 3*p+3], Weights: rows.Weights[p : p+1], Outputs: 3}
			sum += NewOutputs(s, softmax, pool).Evaluate(params, 0, one, want, nil)
		}
		testkit.Close(t, fmt.Sprintf("loss of %d rows", n), got, sum/float64(n), 1e-5, 0)
		for i := range gradient {
			testkit.Close(t, fmt.Sprintf("slope of %d rows", n), float64(gradient[i]), float64(want[i])/float64(n), 1e-3, 1e-5)
		}
	}
}

func TestObjectivesOfOneOutputRefuseSeveral(t *testing.T) {
	s := outputSurface(t, 2, 3, true, surface.MeanOnly, rand.New(rand.NewPCG(3, 7)))
	pool := simd.NewPool(1)
	defer pool.Close()
	for what, make := range map[string]func(){
		"NewMean":  func() { NewMean(s, squared, pool) },
		"NewBound": func() { NewBound(s, likelihood.Gaussian{}, 10, pool) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes several outputs", what)
				}
			}()
			make()
		}()
	}
}

package descent

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// planes is [plane] with eight buttresses and T outputs.
func planes(t *testing.T, outputs int) *surface.Surface {
	t.Helper()
	spline, err := basis.NewSpline(6)
	if err != nil {
		t.Fatal(err)
	}
	g := surface.Group{Bases: []basis.Basis{spline, spline}, Part: surface.MeanOnly}
	if g.Ensemble, err = buttress.NewOutputs([]int{6, 6}, nil, [][]int{{0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}}, outputs); err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outputsAt returns all outputs at the rows, [n, T].
func outputsAt(t *testing.T, s *surface.Surface, params, x []float32) []float64 {
	t.Helper()
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	f := make([]float64, len(x)/s.Inputs()*s.Outputs())
	if err := surface.NewEvaluator(q, pool).Moments(context.Background(), x, f, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

// Outputs start near zero, each pair of buttresses at ± the amplitude with a sign of its own
// for every output, and differ. One output starts as ever.
func TestStartOfOutputs(t *testing.T) {
	const outputs = 5
	s := planes(t, outputs)
	params := make([]float32, s.Size())
	Start(s.Group(0), params, 0.5, 0, rand.New(rand.NewPCG(1, 2)))
	for _, f := range outputsAt(t, s, params, product(20).X) {
		if math.Abs(f) > 1e-6 {
			t.Errorf("an output is %g", f)
		}
	}
	columns := map[[outputs]float32]int{}
	for k := range 8 {
		own := s.Group(0).Ensemble.Weights(params, k)
		signs := [outputs]float32(own[len(own)-outputs:])
		if k%2 == 0 {
			columns[signs]++
		} else if columns[signs] == 0 {
			t.Errorf("buttresses %d and %d do not cancel", k-1, k)
		}
		for i, v := range own[len(own)-6*outputs:] {
			if v != signs[i%outputs] || v*v != 1 {
				t.Fatalf("weight %d of output %d is %g", i/outputs, i%outputs, v)
			}
		}
	}
	if len(columns) < 3 {
		t.Errorf("pairs start with %d combinations of outputs", len(columns))
	}
	Start(s.Group(0), params, 0.5, 0.1, rand.New(rand.NewPCG(1, 2)))
	f := outputsAt(t, s, params, []float32{0.3, 0.6})
	slices.Sort(f)
	if len(slices.Compact(f)) != outputs || f[0] < -3 || f[len(f)-1] > 3 {
		t.Errorf("outputs start at %g", f)
	}
}

// Outputs that have nothing to do with each other are learned together, and classes by a softmax,
// by the same steps whatever the number of workers.
func TestDescentOfOutputs(t *testing.T) {
	rows := product(1500)
	rows.Outputs, rows.Y = 3, nil
	for p := 0; p < len(rows.X); p += 2 {
		a, b := float64(rows.X[p]), float64(rows.X[p+1])
		y := []float64{a * b, math.Sin(5 * a), 1 - 2*b}
		for k, v := range y {
			if p/2%3 == k { // every row lacks a target
				v = math.NaN()
			}
			rows.Y = append(rows.Y, float32(v))
		}
	}
	known := func(f []float64, y []float32, slope []float64) (value float64) {
		for t, v := range f {
			if y[t] == y[t] {
				slope[t] = v - float64(y[t])
				value += slope[t] * slope[t] / 2
			}
		}
		return value
	}
	s := planes(t, 3)
	var ends [][]float32
	for _, workers := range []int{1, 3} {
		pool := simd.NewPool(workers)
		params := make([]float32, s.Size())
		Start(s.Group(0), params, 0.5, 0.1, rand.New(rand.NewPCG(1, 2)))
		o := Descent{Losses: known, Steps: 1500, Batch: 128, Rate: 0.02, Smoothness: 1e-3, Seed: 1, Step: func(float64) {}}
		if err := o.Run(context.Background(), s, rows.Only(upTo(1500)), params, pool); err != nil {
			t.Fatal(err)
		}
		pool.Close()
		ends = append(ends, params)
	}
	if !slices.Equal(ends[0], ends[1]) {
		t.Error("one worker and three end elsewhere")
	}
	var squares [3]float64
	for i, f := range outputsAt(t, s, ends[0], rows.X) {
		a, b := float64(rows.X[i/3*2]), float64(rows.X[i/3*2+1])
		squares[i%3] += math.Pow(f-[]float64{a * b, math.Sin(5 * a), 1 - 2*b}[i%3], 2) / 1500
	}
	for k, v := range squares {
		if math.Sqrt(v) > 0.02 {
			t.Errorf("output %d is wrong by %g", k, math.Sqrt(v))
		}
	}
}

// A loss of all outputs goes with no other.
func TestDescentTakesOneKindOfLoss(t *testing.T) {
	pool := simd.NewPool(1)
	defer pool.Close()
	for _, o := range []Descent{{Objective: elbo.NewMean, Losses: squaredOutputs}, {Loss: squared, Losses: squaredOutputs}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("two losses are accepted")
				}
			}()
			o.objective(planes(t, 1), pool)
		}()
	}
}

// Columns of outputs start at one sign each, and every weight has noise of its own.
func TestStartOfOutputsHasNoise(t *testing.T) {
	s := planes(t, 3)
	g, params := s.Group(0), make([]float32, s.Size())
	Start(g, params, 0.5, 0.1, rand.New(rand.NewPCG(1, 3)))
	for k := range g.Ensemble.Buttresses() {
		own := g.Ensemble.Weights(params, k)
		ordering := g.Ensemble.Orderings()[k]
		last := own[len(own)-3*g.Ensemble.Widths()[ordering[len(ordering)-1]]:]
		for i, w := range last {
			if w*last[i%3] <= 0 {
				t.Errorf("buttress %d, output %d: weights %g and %g", k, i%3, w, last[i%3])
			}
			if i > 0 && w*w == last[i-1]*last[i-1] {
				t.Errorf("buttress %d: weight %d is as large as the one before, %g", k, i, w)
			}
		}
	}
}

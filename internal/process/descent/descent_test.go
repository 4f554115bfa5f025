package descent

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// plane is a surface of four mean buttresses over two inputs.
func plane(t *testing.T) *surface.Surface {
	t.Helper()
	spline, err := basis.NewSpline(4)
	if err != nil {
		t.Fatal(err)
	}
	g := surface.Group{Bases: []basis.Basis{spline, spline}, Part: surface.MeanOnly}
	if g.Ensemble, err = buttress.New([]int{4, 4}, nil, [][]int{{0, 1}, {1, 0}, {0, 1}, {1, 0}}); err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// weights starts a descent.
func weights(s *surface.Surface) []float32 {
	params := make([]float32, s.Size())
	Start(s.Group(0), params, 0.5, 0.1, rand.New(rand.NewPCG(1, 2)))
	return params
}

// product is n rows of y = x₁ x₂.
func product(n int) Rows {
	rng, rows := rand.New(rand.NewPCG(1, 1)), Rows{Inputs: 2}
	for range n {
		a, b := rng.Float32(), rng.Float32()
		rows.X, rows.Y = append(rows.X, a, b), append(rows.Y, a*b)
	}
	return rows
}

func squared(f float64, y []float32) (value, slope float64) {
	r := f - float64(y[0])
	return 0.5 * r * r, r
}

// upTo returns 0 … n−1.
func upTo(n int) (numbers []int) {
	for j := range n {
		numbers = append(numbers, j)
	}
	return numbers
}

// A descent ends where the gradient of Σ losses + λ Smoothness is zero.
func TestDescentEndsAtTheMinimum(t *testing.T) {
	const n, lambda = 30, 0.5
	s, data, pool := plane(t), product(n), simd.NewPool(1)
	defer pool.Close()
	steps := 0
	o := Descent{Objective: elbo.NewMean, Loss: squared, Steps: 3000, Batch: n, Rate: 0.02, Smoothness: lambda, Step: func(float64) { steps++ }}
	params, gradient := weights(s), make([]float32, s.Size())
	norm := func() (sum float64) {
		clear(gradient)
		elbo.NewMean(s, squared, pool).Evaluate(params, lambda/n, data.Batch, gradient, nil)
		for _, g := range gradient {
			sum += float64(g) * float64(g)
		}
		return math.Sqrt(sum)
	}
	before := norm()
	if err := o.Run(context.Background(), s, data.Only(upTo(n)), params, pool); err != nil || steps != o.Steps {
		t.Fatalf("%d steps, %v", steps, err)
	}
	if after := norm(); after > 0.01*before {
		t.Errorf("the gradient goes from %g to %g", before, after)
	}
}

// Rows that are not named do not count, and the alteration of a batch does.
func TestDescentTakesTheRowsNamed(t *testing.T) {
	s, data, pool := plane(t), product(60), simd.NewPool(1)
	defer pool.Close()
	own, named := Rows{Inputs: 2}, []int(nil)
	for j := 1; j < 60; j += 3 {
		named = append(named, j)
		own.X, own.Y = append(own.X, data.Row(j)...), append(own.Y, data.Y[j])
	}
	run := func(data Rows, numbers []int, seed uint64, alter func(step int, x, y []float32)) []float32 {
		o := Descent{Objective: elbo.NewMean, Loss: squared, Steps: 20, Batch: 6, Rate: 0.02, Seed: seed, Step: func(float64) {}, Alter: alter}
		params := weights(s)
		if err := o.Run(context.Background(), s, data.Only(numbers), params, pool); err != nil {
			t.Fatal(err)
		}
		return params
	}
	want := run(own, upTo(20), 1, nil)
	if !slices.Equal(run(data, named, 1, nil), want) {
		t.Error("some rows of a table train otherwise than a table of these rows")
	}
	if slices.Equal(run(own, upTo(20), 2, nil), want) {
		t.Error("two seeds draw the same batches")
	}
	// Halving targets in each batch is halving them beforehand.
	next, halves := 0, own
	halves.Y = slices.Clone(own.Y)
	for j := range halves.Y {
		halves.Y[j] /= 2
	}
	altered := run(own, upTo(20), 1, func(step int, x, y []float32) {
		if step != next || len(x) != 12 || len(y) != 6 {
			t.Errorf("step %d for %d: %d coordinates, %d targets", step, next, len(x), len(y))
		}
		next++
		for j := range y {
			y[j] /= 2
		}
	})
	if !slices.Equal(altered, run(halves, upTo(20), 1, nil)) {
		t.Error("an altered batch trains otherwise than one of altered rows")
	}
}

// By hand: over 5 steps of 100 the rate rises, and then follows ½ (1 + cos πt).
func TestRate(t *testing.T) {
	o := Descent{Steps: 100, Rate: 2}
	for step, want := range map[int]float64{0: 0.2, 1: 0.6, 3: 1.4, 24: 1 + math.Cos(0.245*math.Pi), 49: 1 + math.Cos(0.495*math.Pi), 99: 1 + math.Cos(0.995*math.Pi)} {
		testkit.Close(t, "rate", o.rateAt(step), want, 1e-12, 0)
	}
}

func TestLossOfZeroIsAWeightedMean(t *testing.T) {
	o := Descent{Loss: squared}
	testkit.Close(t, "rows alike", o.lossOfZero(elbo.Batch{Y: []float32{1, 3}}, 1), 2.5, 1e-15, 0)
	testkit.Close(t, "weighted", o.lossOfZero(elbo.Batch{Y: []float32{1, 3}, Weights: []float32{0.5, 2}}, 1), 4.625, 1e-15, 0)
}

// What a first attempt spoils a second begins anew, at half the rate.
func TestDescentBeginsAnew(t *testing.T) {
	s, data, pool := plane(t), product(30), simd.NewPool(1)
	defer pool.Close()
	run := func(rate float64, spoilt bool) []float32 {
		attempt := 0
		o := Descent{Objective: elbo.NewMean, Loss: squared, Steps: 30, Batch: 10, Rate: rate, Step: func(float64) {}}
		o.Alter = func(step int, _, y []float32) {
			if step == 0 {
				attempt++
			}
			if spoilt && attempt < 3 && step == 5 {
				y[0] = float32(math.NaN())
			}
		}
		params := weights(s)
		if err := o.Run(context.Background(), s, data.Only(upTo(30)), params, pool); err != nil {
			t.Fatal(err)
		}
		return params
	}
	if !slices.Equal(run(0.04, true), run(0.01, false)) {
		t.Error("the third attempt is not one at a quarter of the rate")
	}
}

func TestDescentStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s, data, pool := plane(t), product(30), simd.NewPool(1)
	defer pool.Close()
	steps := 0
	o := Descent{Objective: elbo.NewMean, Loss: squared, Steps: 30, Batch: 10, Rate: 0.01, Step: func(float64) {
		if steps++; steps == 4 {
			stop()
		}
	}}
	if err := o.Run(ctx, s, data.Only(upTo(30)), weights(s), pool); !errors.Is(err, context.Canceled) || steps != 4 {
		t.Errorf("%d steps, %v", steps, err)
	}
}

// By hand: without noise buttresses are ±½ and cancel; noise has its deviation.
func TestStart(t *testing.T) {
	s := plane(t)
	g, params := s.Group(0), make([]float32, s.Size())
	Start(g, params, 0.5, 0, rand.New(rand.NewPCG(1, 1)))
	for k, first := range []float32{0.5, -0.5, 0.5, -0.5} {
		for i, w := range g.Ensemble.Weights(params, k) {
			if want := map[bool]float32{true: first, false: 1}[i < 4]; w != want {
				t.Errorf("weight %d of buttress %d is %g, want %g", i, k, w, want)
			}
		}
	}
	noisy, rng := make([]float32, s.Size()), rand.New(rand.NewPCG(1, 1))
	var sum, squares, n float64
	for range 100 {
		Start(g, noisy, 0.5, 0.1, rng)
		for i := range noisy {
			d := float64(noisy[i]/params[i]) - 1
			sum, squares, n = sum+d, squares+d*d, n+1
		}
	}
	testkit.Close(t, "mean of the noise", sum/n, 0, 0, 4*0.1/math.Sqrt(n))
	testkit.Close(t, "its deviation", math.Sqrt(squares/n), 0.1, 4/math.Sqrt(2*n), 0)
}

// A descent over a source learns from all rows but those left out, and ends where it cannot
// be read.
func TestDescentOverASource(t *testing.T) {
	s, pool := plane(t), simd.NewPool(1)
	defer pool.Close()
	broken := false
	data := Rows{Inputs: 2, Source: planar{failing{blocks{rows: 400, size: 5}, &broken}}}
	without := upTo(100) // the only ones of another law
	o := Descent{Objective: elbo.NewMean, Loss: squared, Steps: 600, Batch: 32, Rate: 0.02, Step: func(float64) {}}
	o.Alter = func(step int, _, y []float32) {
		for _, v := range y {
			if v < -1 {
				t.Fatalf("a row that is left out in step %d", step)
			}
		}
	}
	params := weights(s)
	if err := o.Run(context.Background(), s, data.Without(without, 8), params, pool); err != nil {
		t.Fatal(err)
	}
	var all elbo.Batch
	err := data.Each(context.Background(), 0, func(rows elbo.Batch) error {
		all.X, all.Y = append(all.X, rows.X...), append(all.Y, rows.Y...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rest := elbo.Batch{X: all.X[2*100:], Y: all.Y[100:]}
	if loss := elbo.NewMean(s, squared, pool).Evaluate(params, 0, rest, make([]float32, s.Size()), nil); !(loss < 1e-3) {
		t.Errorf("a loss of %g", loss)
	}
	broken = true
	if err := o.Run(context.Background(), s, data.Without(without, 8), params, pool); err == nil {
		t.Error("no error where there is no row")
	}
}

// planar is a source of two inputs and their product, of which the first 100 rows have a
// target of their own.
type planar struct{ failing }

func (s planar) Block(i int, b elbo.Batch) (int, error) {
	n, err := s.failing.Block(i, elbo.Batch{X: make([]float32, s.size), Y: make([]float32, s.size)})
	for p := range n {
		row := i*s.size + p
		rng := rand.New(rand.NewPCG(5, uint64(row)))
		b.X[2*p], b.X[2*p+1] = rng.Float32(), rng.Float32()
		if b.Y[p] = b.X[2*p] * b.X[2*p+1]; row < 100 {
			b.Y[p] = -5
		}
	}
	return n, err
}

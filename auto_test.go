package beziergp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/metric"
	"beziergp/train/auto"
)

var fast = beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast}}

// brief is for what does not hang on how far training goes: it is three times as quick.
var brief = auto.Recipe{Effort: auto.Fast, StepsFactor: 0.3}

// columnsOf turns rows into columns named x0, x1, … and, where there is one, y.
func columnsOf(t *testing.T, rows [][]float64, y []float64) *beziergp.Table {
	t.Helper()
	var columns []beziergp.Column
	for i := range rows[0] {
		values := make([]float64, len(rows))
		for row := range rows {
			values[row] = rows[row][i]
		}
		columns = append(columns, column(fmt.Sprint("x", i), values...))
	}
	if y != nil {
		columns = append(columns, column("y", y...))
	}
	return mustTable(t, columns...)
}

// The model knows where it has seen nothing: its deviation rises in a hole, in one
// input or in a pair of them, and beyond the box.
func TestDeviationRisesAwayFromRows(t *testing.T) {
	testkit.Long(t)
	for _, d := range []int{1, 2, 8} {
		rng := rand.New(rand.NewPCG(5, 5))
		// point draws the first two inputs, or the only one, from [lo, hi].
		point := func(lo, hi float64) []float64 {
			x := make([]float64, d)
			for i := range x {
				x[i] = rng.Float64()
				if i < 2 {
					x[i] = lo + (hi-lo)*x[i]
				}
			}
			return x
		}
		outside := func() []float64 {
			for {
				x := point(0, 1)
				for _, v := range x[:min(d, 2)] {
					if math.Abs(v-0.5) > 0.15 {
						return x
					}
				}
			}
		}
		var rows [][]float64
		var y []float64
		for range 2000 {
			x := outside()
			var sum float64
			for _, v := range x {
				sum += 3 * math.Sin(3*v) / float64(d)
			}
			rows, y = append(rows, x), append(y, sum+0.1*rng.NormFloat64())
		}
		m := fit(t, columnsOf(t, rows, y), fast)
		deviation := func(draw func() []float64) (average float64) {
			var points [][]float64
			for range 300 {
				points = append(points, draw())
			}
			p, err := m.Predict(context.Background(), columnsOf(t, points, nil), beziergp.PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for i, std := range p.StdF {
				average += std / 300
				if !(p.Std[i] > std) {
					t.Fatalf("deviation %g with noise, %g without", p.Std[i], std)
				}
			}
			return average
		}
		near := deviation(outside)
		hole := deviation(func() []float64 { return point(0.42, 0.58) })
		beyond := deviation(func() []float64 { return point(1.15, 1.3) })
		if hole < 3*near || beyond < 3*near {
			t.Errorf("%d inputs: deviation %g at rows, %g in a hole, %g beyond them", d, near, hole, beyond)
		}
	}
}

// Where a straight line is the truth, the recipe is about as good as one, however the
// inputs are distributed.
func TestAutoIsNoWorseThanAStraightLine(t *testing.T) {
	if testing.Short() {
		t.Skip("fits several models")
	}
	for name, draw := range map[string]func(*rand.Rand) float64{
		"uniform":    func(rng *rand.Rand) float64 { return rng.Float64() },
		"normal":     func(rng *rand.Rand) float64 { return rng.NormFloat64() },
		"log-normal": func(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) },
	} {
		rng := rand.New(rand.NewPCG(2, 3))
		sample := func(n int) (rows [][]float64, y []float64) {
			for range n {
				x := []float64{draw(rng), draw(rng), draw(rng), draw(rng)}
				rows, y = append(rows, x), append(y, x[0]-2*x[1]+0.5*x[2]+0.5*rng.NormFloat64())
			}
			return rows, y
		}
		rows, y := sample(400)
		m := fit(t, columnsOf(t, rows, y), fast)
		rows, y = sample(1000)
		p, err := m.Predict(context.Background(), columnsOf(t, rows, nil), beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var inside, means []float64 // beyond the box a line goes on and the model stops
		for i, in := range p.InBox {
			if in {
				inside, means = append(inside, y[i]), append(means, p.Mean[i])
			}
		}
		// The noise has deviation 0.5; least squares on 400 rows err 0.503.
		if rmse := metric.RMSE(inside, means); rmse > 0.6 {
			t.Errorf("%s inputs: RMSE %g, %s", name, rmse, m.Training().Options)
		}
		if coverage := metric.Coverage(y, p.Lower, p.Upper); coverage < 0.91 {
			t.Errorf("%s inputs: coverage %g", name, coverage)
		}
	}
}

// Whoever interrupts a fit has the best model so far beside the error, and can predict
// with it and save it.
func TestInterruptedAutoGivesAModel(t *testing.T) {
	var rows [][]float64
	var y []float64
	for i := range 200 {
		x := float64(i) / 200
		rows, y = append(rows, []float64{x}), append(y, math.Sin(6*x))
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := fast
	o.Workers = 2
	o.Progress = func(e beziergp.Event) {
		// A trial of a candidate takes 375 steps at most, so that of two under way one was
		// done before, whichever it was.
		if e.Step == 1000 {
			cancel()
		}
	}
	m, err := beziergp.Fit(ctx, columnsOf(t, rows, y), "y", o)
	if !errors.Is(err, context.Canceled) || m == nil {
		t.Fatalf("model %v, error %v", m, err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), columnsOf(t, rows, nil), beziergp.PredictOptions{Interval: "conformal"})
	if err != nil {
		t.Fatal(err)
	}
	if rmse := metric.RMSE(y, p.Mean); rmse > 0.2 {
		t.Errorf("RMSE %g", rmse)
	}
}

// A model with all that the recipe gives it, noise that varies among it, predicts the
// same from its file.
func TestAutoModelGoesToAFileAndBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var rows [][]float64
	var y []float64
	for range 600 {
		x := []float64{rng.NormFloat64(), rng.Float64()}
		rows, y = append(rows, x), append(y, x[0]+(0.05+math.Round(x[1]))*rng.NormFloat64())
	}
	m := fit(t, columnsOf(t, rows, y), fast)
	if m.Output().LogNoise == nil {
		t.Fatal("the noise is constant")
	}
	back := reread(t, m)
	points := columnsOf(t, append(rows, []float64{-9, 0.5}, []float64{9, 2}), nil)
	want, err := m.Predict(context.Background(), points, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := back.Predict(context.Background(), points, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("predictions differ")
	}
	lo, hi := slices.Min(y), slices.Max(y)
	for i, mean := range want.Mean {
		if margin := 0.101 * (hi - lo); mean < lo-margin || mean > hi+margin {
			t.Errorf("row %d: mean %g, far from the training targets", i, mean)
		}
	}
}

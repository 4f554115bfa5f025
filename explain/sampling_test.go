package explain_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
	"beziergp/model"
)

// plain is a function of single rows.
func plain(f func(x []float64) float64) explain.Function {
	return func(_ context.Context, columns [][]float64, dst []float64) error {
		for row := range dst {
			var x []float64
			for _, c := range columns {
				x = append(x, c[row])
			}
			dst[row] = f(x)
		}
		return nil
	}
}

func sample(t *testing.T, f explain.Function, names []string, background, rows [][]float64, o explain.SamplingOptions) *explain.Attributions {
	t.Helper()
	s, err := explain.NewSampler(context.Background(), f, names, background, o)
	if err != nil {
		t.Fatal(err)
	}
	var out explain.Attributions
	if err := s.Explain(context.Background(), rows, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// Of a linear function a value is β_j (x_j − mean of z_j), and nothing is left to chance.
func TestSampledValuesOfALinearFunctionAreExact(t *testing.T) {
	beta := []float64{3, -1, 0.5, 0}
	f := plain(func(x []float64) float64 {
		sum := 7.0
		for j, b := range beta {
			sum += b * x[j]
		}
		return sum
	})
	background := [][]float64{{1, 2, 6}, {0, 0, 3}, {-1, 5, 2}, {9, 8, 7}}
	x := [][]float64{{4, 5}, {-2, 1}, {0.5, 3}, {1, 1}}
	got := sample(t, f, []string{"a", "b", "c", "d"}, background, x, explain.SamplingOptions{Permutations: 2})
	for row := range 2 {
		for j, b := range beta {
			z := background[j]
			testkit.Close(t, "value", got.Values[4*row+j], b*(x[j][row]-(z[0]+z[1]+z[2])/3), 0, 1e-12)
			testkit.Close(t, "error", got.Errors[4*row+j], 0, 0, 1e-12)
		}
	}
	testkit.Close(t, "base", got.Base, 7+9-1+1, 0, 1e-12)
}

// Of two columns a pair of permutations is all that there are.
func TestSampledValuesOfAProduct(t *testing.T) {
	got := sample(t, plain(func(x []float64) float64 { return x[0] * x[1] }), []string{"a", "b"}, [][]float64{{1}, {2}}, [][]float64{{3}, {7}}, explain.SamplingOptions{})
	testkit.Close(t, "a", got.Values[0], (3-1)*(2+7)/2.0, 0, 1e-12)
	testkit.Close(t, "b", got.Values[1], (7-2)*(1+3)/2.0, 0, 1e-12)
	one := sample(t, plain(func(x []float64) float64 { return x[0] * x[0] }), []string{"a"}, [][]float64{{1, 2}}, [][]float64{{3}}, explain.SamplingOptions{})
	testkit.Close(t, "one column", one.Values[0], 9-2.5, 0, 1e-12)
}

// Estimates from the predictions of a Bézier Gaussian process lie around its exact values by the
// errors that they tell, add up exactly, and have the errors that other seeds show.
func TestSampledValuesLieAroundExactOnes(t *testing.T) {
	w := newWorld(t, shape{d: 10, dates: 2, splines: true, r: 3}, 3)
	x, z := w.rows(12, 6, 4), w.rows(5, 6, 5)
	p, err := w.NewPredictor(model.PredictOptions{MeanAlone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	f := func(ctx context.Context, columns [][]float64, dst []float64) error {
		var out model.Predictions
		err := p.Predict(ctx, columns, &out)
		copy(dst, out.Mean)
		return err
	}
	exact := explainAll(t, w.Model, x, explain.Options{Tolerance: 1e-13, Background: w.table(t, z)})
	const seeds = 16
	var squares, variances float64
	for seed := range uint64(seeds) {
		got := sample(t, f, exact.Columns, z, x, explain.SamplingOptions{Permutations: 12, Seed: seed})
		testkit.Close(t, "base", got.Base, exact.Base, 0, 1e-5*deviation)
		far := 0
		for i, v := range got.Values {
			off := v - exact.Values[i]
			squares, variances = squares+off*off, variances+got.Errors[i]*got.Errors[i]
			if math.Abs(off) > 4*got.Errors[i]+1e-5*deviation {
				far++
			}
		}
		if far > len(got.Values)/50 {
			t.Errorf("seed %d: %d of %d values lie more than four errors off", seed, far, len(got.Values))
		}
		for row, want := range got.Prediction {
			sum := got.Base
			for _, v := range got.Values[row*len(exact.Columns):][:len(exact.Columns)] {
				sum += v
			}
			testkit.Close(t, "sum", sum, want, 1e-12, 0)
		}
	}
	if ratio := squares / variances; ratio < 0.85 || ratio > 1.15 {
		t.Errorf("squared errors are %g of those told", ratio)
	}
}

func TestSampledValuesDoNotDependOnTheRowsBeside(t *testing.T) {
	f := plain(func(x []float64) float64 { return x[0]*x[1]*x[2] + math.Sin(x[3]) })
	background := [][]float64{{1, 2}, {0, 4}, {-1, 5}, {9, 8}}
	names, o := []string{"a", "b", "c", "d"}, explain.SamplingOptions{Seed: 9}
	both := sample(t, f, names, background, [][]float64{{4, 5}, {-2, 1}, {0.5, 3}, {1, 1}}, o)
	second := sample(t, f, names, background, [][]float64{{5}, {1}, {3}, {1}}, o)
	if !slices.Equal(both.Values[4:], second.Values) || !slices.Equal(both.Errors[4:], second.Errors) {
		t.Errorf("%v alone, and %v behind another", second.Values, both.Values[4:])
	}
	o.Seed++
	if other := sample(t, f, names, background, [][]float64{{5}, {1}, {3}, {1}}, o); slices.Equal(other.Values, second.Values) {
		t.Error("another seed draws the same")
	}
}

func TestWhatCannotBeSampled(t *testing.T) {
	ctx := context.Background()
	f := plain(func(x []float64) float64 { return 1 / (x[0] - 2) / (x[1] - 2) })
	names := []string{"a", "b"}
	var bad *limit.OptionError
	for _, o := range []explain.SamplingOptions{{Permutations: 1}, {Permutations: -1}, {Permutations: 2_000_000_000}} {
		if _, err := explain.NewSampler(ctx, f, names, [][]float64{{1}, {1}}, o); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := explain.NewSampler(ctx, f, names, [][]float64{{}, {}}, explain.SamplingOptions{}); !errors.As(err, &bad) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := explain.NewSampler(ctx, f, names, [][]float64{{1, 2}, {1, 1}}, explain.SamplingOptions{}); err == nil {
		t.Error("a background row without a prediction passes")
	}
	s, err := explain.NewSampler(ctx, plain(func(x []float64) float64 {
		switch {
		case x[0] == 1 && x[1] == 7:
			return math.Inf(1)
		case x[0] == 3 && x[1] == 9:
			return math.NaN()
		}
		return x[0]
	}), names, [][]float64{{1}, {1}}, explain.SamplingOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out explain.Attributions
	var row *model.RowError
	if err := s.Explain(ctx, [][]float64{{3}, {7}}, &out); !errors.As(err, &row) || row.Row != 1 {
		t.Errorf("a value between that is none: %v", err)
	}
	if err := s.Explain(ctx, [][]float64{{3, 3}, {9, 8}}, &out); err != nil || !math.IsNaN(out.Values[0]) || !math.IsNaN(out.Errors[1]) || math.IsNaN(out.Values[2]) {
		t.Errorf("a row without a prediction: %v, %v", out.Values, err)
	}
	if err := s.Explain(ctx, [][]float64{{4, 1}, {8, 7}}, &out); !errors.As(err, &row) || row.Row != 4 {
		t.Errorf("an infinite prediction of the second row, the fourth of all: %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Explain(done, [][]float64{{3}, {8}}, &out); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt ends with %v", err)
	}
}

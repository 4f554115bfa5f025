package method

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/testkit"
)

func TestStandardise(t *testing.T) {
	data := Data{X: []float64{3, 5, 1, 5, 2, 5, 9, 5}, Y: []float64{30, 10, 20, 90}, Inputs: 2}
	out, scaling, err := Standardise(data)
	if err != nil {
		t.Fatal(err)
	}
	mean, std := stat.PopMeanStdDev(data.Y, nil)
	for i, want := range []float64{10, 20, 30, 90} { // in the order of x
		testkit.Close(t, "y", out.Y[i], (want-mean)/std, 1e-14, 1e-15)
		if out.X[2*i+1] != 0 {
			t.Errorf("the constant input becomes %g", out.X[2*i+1])
		}
	}
	mean2, variance := []float64{0}, []float64{0}
	if err := scaling.Predict([]float64{2, 7}, mean2, variance, func(x, mean, variance []float64) error {
		if x[0] != out.X[2] || x[1] != 2 {
			t.Errorf("a new row becomes %g", x)
		}
		mean[0], variance[0] = out.Y[3], 4
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "mean", mean2[0], 90, 1e-14, 0)
	testkit.Close(t, "deviation", variance[0], 2*std, 1e-14, 0)
	for _, wrong := range []float64{-1e-9, math.NaN(), math.Inf(1)} {
		moments := func(_, _, variance []float64) error { variance[0] = wrong; return nil }
		if scaling.Predict([]float64{2, 7}, []float64{0}, []float64{0}, moments) == nil {
			t.Errorf("a variance of %g is passed on", wrong)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		data Data
		want string
	}{
		{Data{X: []float64{1, 2, 3, math.NaN()}, Y: []float64{1, 2}, Inputs: 2}, "row 2: input 2: NaN"},
		{Data{X: []float64{1, 2}, Y: []float64{math.Inf(1), 2}, Inputs: 1}, "row 1, target: +Inf"},
		{Data{X: []float64{1}, Y: []float64{1}, Inputs: 1}, "too few rows, 1"},
		{Data{Y: []float64{1, 2}}, "no inputs"},
		{Data{X: []float64{1e300, -1e300}, Y: []float64{1, 2}, Inputs: 1}, "input 1: values from -1e+300 to 1e+300"},
	} {
		if _, _, err := Standardise(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestBlocksCoverRowsOnce(t *testing.T) {
	for _, workers := range []int{1, 3, 20} {
		seen := make([]int, 103)
		err := Blocks(context.Background(), workers, len(seen), 10, func(worker, from, to int) error {
			if worker < 0 || worker >= workers || to-from > 10 {
				t.Errorf("worker %d has rows %d to %d", worker, from, to)
			}
			for i := from; i < to; i++ {
				seen[i]++
			}
			return nil
		})
		if err != nil || slices.ContainsFunc(seen, func(n int) bool { return n != 1 }) {
			t.Errorf("%d workers: %v, %v", workers, seen, err)
		}
	}
}

func TestShareReturnsTheFirstErrorByTask(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for _, workers := range []int{1, 4} {
		err := Share(context.Background(), workers, 50, func(_, i int) error {
			return map[int]error{20: first, 40: second}[i]
		})
		if err != first {
			t.Errorf("%d workers: %v", workers, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int64
		err = Share(ctx, workers, 1000, func(_, i int) error {
			switch n := calls.Add(1); {
			case n == 3:
				cancel()
			case n > 3: // begun before the third has come to that
				<-ctx.Done()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || calls.Load() > 3+int64(workers) {
			t.Errorf("%d workers: %v after %d calls", workers, err, calls.Load())
		}
	}
}

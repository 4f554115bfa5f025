package ascent

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// rosenbrock has its maximum, 0, at (1, 1) (Rosenbrock, Computer Journal 3, 1960).
func rosenbrock(x, gradient []float64) (float64, error) {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	gradient[0], gradient[1] = 2*a+400*x[0]*b, -200*b
	return -a*a - 100*b*b, nil
}

var options = Options{Steps: 200, Progress: 1e-14, Patience: 5}

func TestMaximumIsFound(t *testing.T) {
	x, steps := []float64{-1.2, 1}, 0
	o := options
	o.Report = func(int, float64) { steps++ }
	value, err := Maximise(context.Background(), x, o, rosenbrock)
	if err != nil || math.Abs(x[0]-1) > 1e-4 || math.Abs(x[1]-1) > 1e-4 || value > 0 || steps == 0 {
		t.Errorf("%g at %g after %d steps: %v", value, x, steps, err)
	}
}

func TestStepsAreCountedFromOne(t *testing.T) {
	var steps []int
	o := options
	o.Steps, o.Report = 3, func(step int, _ float64) { steps = append(steps, step) }
	if _, err := Maximise(context.Background(), []float64{-1.2, 1}, o, rosenbrock); err != nil || !slices.Equal(steps, []int{1, 2, 3}) {
		t.Errorf("steps %d, %v", steps, err)
	}
}

func TestPointsWithoutValueAreSteppedBackFrom(t *testing.T) {
	x := []float64{4}
	_, err := Maximise(context.Background(), x, options, func(x, gradient []float64) (float64, error) {
		if x[0] <= 0.5 {
			return 0, errors.New("outside")
		}
		gradient[0] = 1/x[0] - 1
		return math.Log(x[0]) - x[0], nil
	})
	if err != nil || math.Abs(x[0]-1) > 1e-4 {
		t.Errorf("%g, %v", x, err)
	}
}

func TestErrorsAtTheStartAndOfTheContext(t *testing.T) {
	wrong := errors.New("wrong")
	if _, err := Maximise(context.Background(), []float64{1}, options, func(_, _ []float64) (float64, error) { return 0, wrong }); !errors.Is(err, wrong) {
		t.Errorf("at the start: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Maximise(ctx, []float64{-1.2, 1}, options, func(x, gradient []float64) (float64, error) {
		if calls++; calls == 3 {
			cancel()
		}
		return rosenbrock(x, gradient)
	})
	if !errors.Is(err, context.Canceled) || calls > 4 {
		t.Errorf("cancelled: %v after %d calls", err, calls)
	}
}

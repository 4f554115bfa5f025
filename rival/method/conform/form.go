package conform

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"beziergp/rival/method"
)

// shapes: any number of rows, and each row's answer does not depend on the others'.
func (s *suite) shapes(t *testing.T) {
	r := s.usual(t)
	x := set(2, 300, 0).X
	whole := predict(t, r, x, 2)
	predict(t, r, nil, 2)
	for _, i := range []int{0, 137, 299} {
		alone := predict(t, r, x[2*i:2*i+2], 2)
		// 1e-5: a method may compute in float32.
		if !near(alone.mean[0], whole.mean[i], 1e-5) || !near(alone.std[0], whole.std[i], 1e-5) {
			t.Errorf("row %d: %g ± %g alone, %g ± %g among others", i, alone.mean[0], alone.std[0], whole.mean[i], whole.std[i])
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			mean, std := make([]float64, 300), make([]float64, 300)
			if err := r.Predict(context.Background(), x, mean, std); err != nil || !slices.Equal(mean, whole.mean) || !slices.Equal(std, whole.std) {
				t.Errorf("predictions in parallel differ: %v", err)
			}
		})
	}
	group.Wait()
}

func near(a, b, share float64) bool { return math.Abs(a-b) <= share*(1+math.Abs(b)) }

func (s *suite) misuse(t *testing.T) {
	data := set(1, rows, 0.1)
	r := s.usual(t)
	ctx := context.Background()
	for name, call := range map[string]func(){
		"Fit, x too short":     func() { _, _ = s.method.Fit(ctx, method.Data{X: data.X[1:], Y: data.Y, Inputs: 2}, environment) },
		"Fit, inputs":          func() { _, _ = s.method.Fit(ctx, method.Data{X: data.X, Y: data.Y, Inputs: 3}, environment) },
		"Predict, x too short": func() { _ = r.Predict(ctx, data.X[1:], make([]float64, rows), make([]float64, rows)) },
		"Predict, std":         func() { _ = r.Predict(ctx, data.X, make([]float64, rows), make([]float64, rows-1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func (s *suite) determinism(t *testing.T) {
	data, x := set(1, rows, 0.1), set(2, 100, 0).X
	var first moments
	for i, workers := range []int{1, 1, 2, 5} {
		m := predict(t, s.fit(t, data, method.Environment{Workers: workers, Seed: 7}), x, 2)
		if i == 0 {
			first = m
		} else if !slices.Equal(m.mean, first.mean) || !slices.Equal(m.std, first.std) {
			t.Errorf("%d workers: predictions differ by %g", workers, rmse(m.mean, first.mean))
		}
	}
}

func (s *suite) arguments(t *testing.T) {
	data, x := set(1, rows, 0.1), set(2, 20, 0).X
	inputs, targets, query := slices.Clone(data.X), slices.Clone(data.Y), slices.Clone(x)
	r := s.fit(t, data, environment)
	before := predict(t, r, x, 2)
	if !slices.Equal(inputs, data.X) || !slices.Equal(targets, data.Y) || !slices.Equal(query, x) {
		t.Error("an argument is changed")
	}
	clear(data.X)
	clear(data.Y)
	if after := predict(t, r, x, 2); !slices.Equal(before.mean, after.mean) {
		t.Error("training rows are kept without a copy")
	}
}

// cancellation: a context that is done before, and one that ends at the first report.
func (s *suite) cancellation(t *testing.T) {
	data := set(1, rows, 0.1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.method.Fit(ctx, data, environment); !errors.Is(err, context.Canceled) {
		t.Errorf("Fit: %v", err)
	}
	r := s.usual(t)
	if err := r.Predict(ctx, data.X, make([]float64, rows), make([]float64, rows)); !errors.Is(err, context.Canceled) {
		t.Errorf("Predict: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	env, reported := environment, false
	env.Progress = func(e method.Event) {
		if reported = true; e.Step < 1 || e.Step > e.Steps {
			t.Errorf("step %d of %d", e.Step, e.Steps)
		}
		cancel()
	}
	if _, err := s.method.Fit(ctx, data, env); reported && !errors.Is(err, context.Canceled) {
		t.Errorf("Fit, cancelled after a step: %v", err)
	}
}

package descent

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// scripted runs a descent of one row whose losses by the step are given, with slopes of
// zero: weights never move. It returns the steps that were taken, of all attempts.
func scripted(t *testing.T, o Descent, loss, ofZero func(step int) float64) (steps int, err error) {
	t.Helper()
	s, pool := plane(t), simd.NewPool(1)
	defer pool.Close()
	at := 0
	o.Objective = func(s *surface.Surface, _ elbo.Loss, pool *simd.Pool) *elbo.Mean {
		return elbo.NewMean(s, func(float64, []float32) (value, slope float64) { return loss(at), 0 }, pool)
	}
	o.Loss = func(float64, []float32) (value, slope float64) { return ofZero(at), 0 }
	o.Alter = func(step int, _, _ []float32) { at = step }
	o.Batch, o.Rate, o.Step = 1, 8, func(float64) { steps++ }
	params := weights(s)
	start := slices.Clone(params)
	err = o.Run(context.Background(), s, product(1).Only([]int{0}), params, pool)
	if !slices.Equal(params, start) {
		t.Error("the weights moved")
	}
	return steps, err
}

func TestWhenADescentHasDiverged(t *testing.T) {
	constant := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	jump := func(from, to float64, at int) func(int) float64 {
		return func(step int) float64 {
			if step < at {
				return from
			}
			return to
		}
	}
	// One step moves the average of 20 steps by a twentieth; three times 1 + 1 is the bound
	// where the loss began with 1.
	for name, c := range map[string]struct {
		loss, ofZero func(int) float64
		diverged     int // steps before
	}{
		"steady":                    {constant(1), constant(1), -1},
		"as high as may be":         {func(step int) float64 { return map[bool]float64{true: 101, false: 1}[step == 7] }, constant(1), -1},
		"higher":                    {jump(1, 102, 7), constant(1), 7},
		"higher, and so was zero":   {jump(1, 102, 7), constant(2), 8},
		"higher, and so is zero":    {jump(1, 102, 7), jump(1, 102, 7), -1},
		"higher, from a larger one": {jump(2, 102, 7), constant(1), 8},
		"higher, from below zero":   {jump(-2, 188, 7), constant(1), 8}, // to 7.5, and then beyond 9
		"no number":                 {jump(1, math.NaN(), 7), constant(1), 7},
		"infinite":                  {jump(1, math.Inf(1), 7), constant(1), 7},
	} {
		steps, err := scripted(t, Descent{Steps: 30}, c.loss, c.ofZero)
		if c.diverged < 0 {
			if err != nil || steps != 30 {
				t.Errorf("%s: %d steps, %v", name, steps, err)
			}
			continue
		}
		var diverged *DivergedError
		if !errors.As(err, &diverged) || *diverged != (DivergedError{Step: 30, Rate: 8. / 32, Tries: 6}) || steps != 6*c.diverged {
			t.Errorf("%s: %d steps in 6 attempts, %v", name, steps, err)
		}
	}
}

// A descent whose average ends above its lowest by more than half of that and a twentieth
// of the first loss begins again, once.
func TestWhenADescentHasNotSettled(t *testing.T) {
	// After the jump of one step the average stays, at 1 + by.
	stays := func(by float64, at int) func(int) float64 {
		return func(step int) float64 {
			switch {
			case step < at:
				return 1
			case step == at:
				return 1 + 20*by
			}
			return 1 + by
		}
	}
	for name, c := range map[string]struct {
		loss     func(int) float64
		steps    int
		attempts int
	}{
		"settled":              {stays(0.54, 70), 100, 1},
		"not settled":          {stays(0.56, 70), 100, 2},
		"four times as large":  {func(step int) float64 { return 4 * stays(0.54, 70)(step) }, 100, 1},
		"low at the beginning": {stays(0.56, 40), 100, 1}, // which does not count
		"low a step longer":    {stays(0.56, 41), 100, 2},
		"in a short run":       {stays(0.56, 35), 40, 1},
		"always zero":          {func(int) float64 { return 0 }, 100, 1},
		"below zero":           {func(step int) float64 { return stays(0.56, 70)(step) - 2 }, 100, 2}, // −1, −0.44: the bound is −0.45
		"less below zero":      {func(step int) float64 { return stays(0.54, 70)(step) - 2 }, 100, 1},
	} {
		steps, err := scripted(t, Descent{Steps: c.steps}, c.loss, func(int) float64 { return 1 })
		if err != nil || steps != c.attempts*c.steps {
			t.Errorf("%s: %d steps for %d attempts of %d, %v", name, steps, c.attempts, c.steps, err)
		}
	}
}

func TestDivergedErrorSaysWhen(t *testing.T) {
	const alike = "inputs that say nearly the same as others"
	for want, e := range map[string]*DivergedError{
		"training diverged at each of 6 learning rates, the last 0.25: leave out " + alike + ", or rows whose values lie far from all others": {Step: 30, Rate: 0.25, Tries: 6},

		"training cannot begin: the variance of f before the first step is beyond the range of numbers, as very many inputs that say nearly the same make it: leave out " + alike + ", or take the recipe auto": {Rate: 0.25},

		"training diverged at step 30 with learning rate 0.25: lower the learning rate or the order": {Step: 30, Rate: 0.25},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v: %s; want %s", *e, got, want)
		}
	}
}

// Package ascent maximises a function of a few thousand parameters: by L-BFGS, and one
// that is only known on samples by Adam.
package ascent

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// Options says when to stop.
type Options struct {
	Steps    int     // the most steps
	Progress float64 // less of it over Patience steps is none
	Patience int
	Report   func(step int, value float64) // after a step, but one that ends the search for want of progress; may be nil
}

// Maximise moves x to the best point found and returns the value there. value is f's
// at x, which also sets gradient; an error of f means that there is none at x, and
// the line search steps back, but at the start and once ctx is done it is returned.
func Maximise(ctx context.Context, x []float64, o Options, f func(x, gradient []float64) (float64, error)) (value float64, err error) {
	s := &search{ctx: ctx, f: f, options: o, best: math.Inf(-1), gradient: make([]float64, len(x))}
	value, err = f(x, s.gradient)
	if err != nil {
		return 0, err
	}
	if math.IsNaN(value) || math.IsInf(value, 0) || floats.HasNaN(s.gradient) {
		return 0, errors.New("ascent: no finite value or gradient at the start")
	}
	s.keep(x, value)
	if o.Steps == 0 || floats.Norm(s.gradient, math.Inf(1)) == 0 {
		return value, nil
	}
	problem := optimize.Problem{Func: s.value, Grad: s.slope, Status: func() (optimize.Status, error) {
		if err := ctx.Err(); err != nil {
			return optimize.Failure, err
		}
		return optimize.NotTerminated, nil
	}}
	settings := &optimize.Settings{
		Recorder:  s,
		Converger: &optimize.FunctionConverge{Absolute: o.Progress, Iterations: o.Patience},
	}
	// A search that ends because float64 has no better point is as good as one that
	// converges; which it was does not matter to the caller, ctx apart.
	_, _ = optimize.Minimize(problem, slices.Clone(x), settings, &optimize.LBFGS{})
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	copy(x, s.bestAt)
	return s.best, nil
}

// search is what gonum sees: −f, which is +Inf where f has no value.
type search struct {
	ctx      context.Context
	f        func(x, gradient []float64) (float64, error)
	options  Options
	at       []float64 // where gradient belongs to, with f's value there
	last     float64
	gradient []float64
	best     float64
	bestAt   []float64
}

func (s *search) keep(x []float64, value float64) {
	s.at, s.last = append(s.at[:0], x...), value
	if value > s.best {
		s.best, s.bestAt = value, append(s.bestAt[:0], x...)
	}
}

func (s *search) value(x []float64) float64 {
	if s.at != nil && slices.Equal(x, s.at) {
		return -s.last
	}
	value, err := s.f(x, s.gradient)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) || floats.HasNaN(s.gradient) {
		s.at = nil
		return math.Inf(1)
	}
	s.keep(x, value)
	return -value
}

func (s *search) slope(gradient, x []float64) {
	if s.at == nil || !slices.Equal(x, s.at) {
		if math.IsInf(s.value(x), 1) {
			floats.AddConst(math.NaN(), gradient)
			return
		}
	}
	floats.ScaleTo(gradient, -1, s.gradient)
}

func (s *search) Init() error { return nil }

// errEnough ends a search after its last step.
var errEnough = errors.New("ascent: enough steps")

// Record implements optimize.Recorder. What gonum counts as the first major iteration
// is the start; its own limit would end the last step without a word.
func (s *search) Record(l *optimize.Location, op optimize.Operation, stats *optimize.Stats) error {
	step := stats.MajorIterations - 1
	if op != optimize.MajorIteration || step < 1 {
		return s.ctx.Err()
	}
	if s.options.Report != nil {
		s.options.Report(step, -l.F)
	}
	if step >= s.options.Steps {
		return errEnough
	}
	return s.ctx.Err()
}

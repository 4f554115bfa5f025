package rival

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/table"
)

// Predict returns predictions for all rows of t, whose columns may stand in any
// order and be more than the model needs. It fails when t lacks a column, when a
// value is not finite, when the policy refuses a row, and when nothing can be said of
// one.
func (m *Model) Predict(ctx context.Context, t *table.Table, o model.PredictOptions) (*model.Predictions, error) {
	return m.kind().Predict(ctx, t, o)
}

// NewPredictor returns a predictor.
func (m *Model) NewPredictor(o model.PredictOptions) (*model.Predictor, error) {
	return model.NewPredictor(m.kind(), o)
}

func (m *Model) kind() model.Kind {
	return model.Kind{Box: &m.box, Target: m.target, Policy: m.policy, Family: m.family, Classes: m.classes(), Offset: m.offset, NewEvaluator: m.newEvaluator}
}

// classes returns the number of classes of the target, 0 where it has none.
func (m *Model) classes() int {
	switch n := likelihood.Latents(m.law); {
	case n > 1:
		return n
	case likelihood.Classifies(m.law):
		return 2
	}
	return 0
}

// evaluator is the [model.Evaluator] of a method.
type evaluator struct {
	*Model
	options model.PredictOptions
}

func (m *Model) newEvaluator(o model.PredictOptions, _ *simd.Pool) (model.Evaluator, error) {
	if err := checkPolicy(o.Policy); err != nil {
		return nil, err
	}
	switch o.Interval {
	case model.PredictiveInterval:
	case model.ConformalInterval:
		return nil, fmt.Errorf("the model has no conformal intervals: it is of the method %s, and only the recipe auto of the method bezier makes them", m.Method())
	default:
		return nil, fmt.Errorf("interval %q is unknown; choose %s", o.Interval, model.PredictiveInterval)
	}
	return evaluator{m, o}, nil
}

// sharedRows are predicted by one worker at a time.
const sharedRows = 256

// Evaluate is that of [model.Evaluator]. StdF is NaN where the method does not tell it.
func (e evaluator) Evaluate(ctx context.Context, columns [][]float64, outside []int, out *model.Predictions) error {
	out.Density = nil
	x, err := e.encoding.rows(columns, e.options.Policy, out.InBox, outside)
	if err != nil {
		return err
	}
	latents, means := likelihood.Latents(e.law), out.Location
	if latents > 1 {
		out.Classes = slices.Grow(out.Classes[:0], latents*len(out.InBox))[:latents*len(out.InBox)]
		means = out.Classes
	}
	err = method.Blocks(ctx, e.options.Workers, len(out.InBox), sharedRows, func(_, from, to int) error {
		err := e.regressor.Predict(ctx, x[from*e.width:to*e.width], means[from*latents:to*latents], out.Scale[from:to])
		var bad *method.RowError
		if errors.As(err, &bad) {
			return &model.RowError{Row: from + bad.Row, Err: bad.Err}
		}
		return err
	})
	if err != nil {
		return err
	}
	if !likelihood.IsGaussian(e.law) {
		e.settle(out)
		return nil
	}
	noise, latent := e.Noise()
	for row, std := range out.Scale {
		if !finite(std) || !finite(out.Location[row]) {
			return &model.RowError{Row: row + 1, Err: errors.New("the prediction overflows; mend the row")}
		}
		out.StdF[row] = math.NaN()
		if latent {
			out.StdF[row] = math.Sqrt(max(0, (std-noise)*(std+noise))) // rounding may leave less than 0
		}
	}
	return nil
}

// settle turns natural parameters and their deviations, both finite, into what is predicted
// under a law.
func (e evaluator) settle(out *model.Predictions) {
	copy(out.StdF, out.Scale)
	several, ok := e.law.(likelihood.Several)
	for row, std := range out.Scale {
		if ok {
			own := out.Probabilities(row)
			several.Probabilities(slices.Clone(own), std*std, own)
		} else {
			out.Location[row] += out.OffsetOf(row)
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

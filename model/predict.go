package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/predictive"
	"beziergp/table"
)

// Predict returns predictions for all rows of t, whose columns may stand in any
// order and be more than the model needs. It fails when t lacks a column, when a
// value is not finite, or when the policy refuses a row.
func (m *Model) Predict(ctx context.Context, t *table.Table, o PredictOptions) (*Predictions, error) {
	return m.kind().Predict(ctx, t, o)
}

// NewPredictor returns a predictor.
func (m *Model) NewPredictor(o PredictOptions) (*Predictor, error) { return NewPredictor(m.kind(), o) }

func (m *Model) kind() Kind {
	o := &m.outputs[0]
	return Kind{Box: &m.box, Target: o.Target, Policy: m.policy, Conformal: o.Conformal, Family: o.family, NewEvaluator: m.newEvaluator}
}

// evaluator is the [Evaluator] of a Bézier process.
type evaluator struct {
	*Output
	box       *box.Box
	policy    box.Policy
	x         []float32
	mean      *surface.Evaluator
	noise     *AuxiliaryEvaluator // nil where the noise is constant
	epistemic *AuxiliaryEvaluator // nil where the posterior holds Var f
	ratio     *AuxiliaryEvaluator // nil where distributions are those of the reference
}

func (m *Model) newEvaluator(o PredictOptions, pool *simd.Pool) (Evaluator, error) {
	if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
		return nil, err
	}
	own := &m.outputs[0]
	switch o.Interval {
	case PredictiveInterval:
	case ConformalInterval:
		if own.Conformal == 0 {
			return nil, errors.New("the model has no conformal intervals: the recipe auto makes them, of 19 rows or more; fit again")
		}
	default:
		return nil, fmt.Errorf("interval %q is unknown; choose %s or %s", o.Interval, PredictiveInterval, ConformalInterval)
	}
	e := &evaluator{Output: own, box: &m.box, policy: o.Policy, mean: surface.NewEvaluator(m.posterior, pool)}
	e.noise, e.epistemic, e.ratio = own.LogNoise.NewEvaluator(pool), own.Epistemic.NewEvaluator(pool), own.DensityRatio.NewEvaluator(pool)
	return e, nil
}

// Evaluate is that of [Evaluator].
func (e *evaluator) Evaluate(ctx context.Context, columns [][]float64, outside []int, out *Predictions) error {
	n := len(out.InBox)
	e.x = resize(e.x, n*len(e.box.Inputs))
	if err := e.box.Map(e.x, columns, e.policy, out.InBox, outside); err != nil {
		return err
	}
	if err := e.mean.Moments(ctx, e.x, out.Mean, out.StdF); err != nil {
		return err
	}
	for row := range out.Mean {
		free := out.Mean[row]
		e.Limits.Clamp(out.Mean[row : row+1])
		out.Clamped[row].mark(ClampedMean, free, out.Mean[row])
	}
	if err := e.variance(ctx, columns, out); err != nil {
		return err
	}
	if err := e.noiseFactors(ctx, out); err != nil {
		return err
	}
	if err := e.shape(ctx, out); err != nil {
		return err
	}
	for row, mean := range out.Mean {
		if !out.InBox[row] && e.policy == box.Flag {
			continue // it has no prediction
		}
		free, factor := e.VarianceScale*out.StdF[row], out.Std[row]
		variance := e.Limits.variance(free)
		out.Clamped[row].mark(ClampedStd, free, variance)
		if !isFinite(mean) || !isFinite(variance) {
			return &RowError{row + 1, errOverflow}
		}
		y := e.Likelihood.Predictive(mean, variance, e.Noise*factor)
		out.Location[row] = e.Target.Mean + e.Target.SD*y.Location
		out.StdF[row] = e.Target.SD * math.Sqrt(variance)
		out.Scale[row] = e.Target.SD * y.Scale
	}
	return nil
}

// variance writes Var f at all rows to StdF, where it is not the posterior's.
func (e *evaluator) variance(ctx context.Context, columns [][]float64, out *Predictions) error {
	if e.epistemic == nil {
		return nil
	}
	x, err := e.epistemic.rescaled(columns, len(out.Mean))
	if err != nil {
		return err
	}
	return e.epistemic.Values(ctx, x, out.Mean, out.StdF)
}

// noiseFactors writes the factors exp s by which the noise varies to Std, where the means
// are finite: where one is not, no row is predicted.
func (e *evaluator) noiseFactors(ctx context.Context, out *Predictions) error {
	for row := range out.Std {
		out.Std[row] = 1
		if !isFinite(out.Mean[row]) {
			return nil
		}
	}
	if e.noise == nil {
		return nil
	}
	if err := e.noise.Values(ctx, e.x, out.Mean, out.Std); err != nil {
		return err
	}
	for row := range out.Std {
		if e.noise.Limits.Clamp(out.Std[row : row+1]) {
			out.Clamped[row] |= ClampedStd
		}
		out.Std[row] = math.Exp(out.Std[row])
	}
	return nil
}

// shape writes the densities w of all rows, by [predictive.FromLog].
func (e *evaluator) shape(ctx context.Context, out *Predictions) error {
	if e.ratio == nil {
		out.Density = nil
		return nil
	}
	out.Density = resize(out.Density, len(out.Mean)*predictive.Nodes)
	if err := e.ratio.Values(ctx, e.x, out.Mean, out.Density); err != nil {
		return err
	}
	for row := range out.Mean {
		g := out.Density[row*predictive.Nodes:][:predictive.Nodes]
		if e.ratio.Limits.Clamp(g) {
			out.Clamped[row] |= ClampedShape
		}
		predictive.FromLog(g)
	}
	return nil
}

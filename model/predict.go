package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
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
	return Kind{
		Box: &m.box, Target: o.Target, Policy: m.policy, Conformal: o.Conformal, Family: o.family, Classes: o.classes(), Offset: m.offset,
		Means: o.Means(), NewEvaluator: m.newEvaluator,
	}
}

// Means returns where the mean of a transformed target can lie: between what the limits of f
// stand for, and within a tenth of the range of the targets beyond them. Of logarithms a tenth of their range is
// many times as far: where targets go up to 1000, a tenth of log 1001 beyond is 2000. It is nil for anywhere.
func (o *Output) Means() *predictive.Range {
	if o.Limits == nil || !o.family.Transformed() {
		return nil
	}
	back := func(f float64) float64 {
		return predictive.Distribution{Family: o.family}.Back(o.Target.Mean + o.Target.SD*f)
	}
	lo, hi := o.Limits.around()
	own := Around(back(lo), back(hi))
	return &predictive.Range{Lo: max(own.Lo, back(o.Limits.Lo)), Hi: min(own.Hi, back(o.Limits.Hi))}
}

// evaluator is the [Evaluator] of a Bézier process.
type evaluator struct {
	*Output
	box        *mapper
	policy     box.Policy
	meanAlone  bool
	x          []float32
	neighbours joined
	mean       *surface.Evaluator
	noise      *AuxiliaryEvaluator // nil where the noise is constant
	epistemic  *AuxiliaryEvaluator // nil where the posterior holds Var f
	ratio      *AuxiliaryEvaluator // nil where distributions are those of the reference
}

func (m *Model) newEvaluator(o PredictOptions, pool *simd.Pool) (Evaluator, error) {
	if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
		return nil, err
	}
	own := &m.outputs[0]
	if err := own.checkInterval(o.Interval); err != nil {
		return nil, err
	}
	e := &evaluator{Output: own, box: newMapper(&m.box, pool), policy: o.Policy, meanAlone: o.MeanAlone && own.family.Law() == nil && !own.family.Transformed(), neighbours: joined{tables: m.tables}, mean: surface.NewEvaluator(m.posterior, pool)}
	e.noise, e.epistemic, e.ratio = own.LogNoise.NewEvaluator(pool), own.Epistemic.NewEvaluator(pool), own.DensityRatio.NewEvaluator(pool)
	return e, nil
}

// checkInterval refuses intervals that the output does not have.
func (o *Output) checkInterval(i Interval) error {
	switch {
	case i == PredictiveInterval, i == ConformalInterval && o.Conformal > 0:
		return nil
	case i == ConformalInterval && (o.family == nil || o.family.Law() != nil):
		return fmt.Errorf("the model has no conformal intervals, for its likelihood is %s: take the predictive ones; classes have prediction sets", o.Likelihood.Name())
	case i == ConformalInterval:
		return errors.New("the model has no conformal intervals: the recipe auto makes them, of 19 rows or more; fit again")
	}
	return fmt.Errorf("interval %q is unknown; choose %s or %s", i, PredictiveInterval, ConformalInterval)
}

// Evaluate is that of [Evaluator].
func (e *evaluator) Evaluate(ctx context.Context, columns [][]float64, outside []int, out *Predictions) error {
	n := len(out.InBox)
	e.x = resize(e.x, n*len(e.box.box.Inputs))
	if err := e.box.Map(e.x, columns, e.policy, out.InBox, outside); err != nil {
		return err
	}
	x := e.neighbours.join(e.x, n)
	if several, ok := e.Likelihood.(likelihood.Several); ok {
		return e.classify(ctx, several, columns, x, out)
	}
	variance := out.StdF
	if e.meanAlone {
		variance = nil
	}
	if err := e.mean.Moments(ctx, x, out.Mean, variance); err != nil {
		return err
	}
	for row := range out.Mean {
		free := out.Mean[row]
		e.Limits.Clamp(out.Mean[row : row+1])
		out.Clamped[row].mark(ClampedMean, free, out.Mean[row])
	}
	if e.meanAlone {
		return e.settleMean(e.policy, out)
	}
	if err := e.variance(ctx, columns, out); err != nil {
		return err
	}
	if err := e.logNoise(ctx, x, out); err != nil {
		return err
	}
	if err := e.logRatio(ctx, x, out); err != nil {
		return err
	}
	return e.settle(e.Noise, e.policy, out)
}

// classify writes the probabilities of the classes of all rows.
func (e *evaluator) classify(ctx context.Context, law likelihood.Several, columns [][]float64, x []float32, out *Predictions) error {
	t, n := law.Latents(), len(out.InBox)
	out.Classes = resize(out.Classes, n*t)
	if err := e.mean.Moments(ctx, x, out.Classes, nil); err != nil {
		return err
	}
	clear(out.Mean) // which the variance does not depend on
	clear(out.StdF)
	if err := e.variance(ctx, columns, out); err != nil {
		return err
	}
	for row := range n {
		own := out.Classes[row*t : (row+1)*t]
		if e.Limits.ClampClasses(own) {
			out.Clamped[row] |= ClampedMean
		}
		if err := e.probabilities(law, row, own, out); err != nil {
			return err
		}
	}
	return nil
}

// probabilities turns the values of the processes of a row, within their limits, into those
// of the classes.
func (o *Output) probabilities(law likelihood.Several, row int, g []float64, out *Predictions) error {
	free := o.VarianceScale * out.StdF[row]
	variance := o.Limits.variance(free)
	out.Clamped[row].mark(ClampedStd, free, variance)
	for _, v := range append(slices.Clone(g), variance) {
		if !isFinite(v) {
			return &RowError{row + 1, errOverflow}
		}
	}
	p := make([]float64, len(g))
	law.Probabilities(g, variance, p)
	copy(g, p)
	return nil
}

// variance writes Var f at all rows to StdF, where it is not the posterior's.
func (e *evaluator) variance(ctx context.Context, columns [][]float64, out *Predictions) error {
	if e.epistemic == nil {
		return nil
	}
	x, err := e.epistemic.rescaled(e.neighbours.columns(columns), len(out.Mean))
	if err != nil {
		return err
	}
	return e.epistemic.Values(ctx, x, out.Mean, out.StdF)
}

// logNoise writes s, the logarithm of the factors by which the noise varies, to Std, where
// the means are finite: where one is not, no row is predicted.
func (e *evaluator) logNoise(ctx context.Context, x []float32, out *Predictions) error {
	clear(out.Std)
	if e.noise == nil || slices.ContainsFunc(out.Mean, func(v float64) bool { return !isFinite(v) }) {
		return nil
	}
	return e.noise.Values(ctx, x, out.Mean, out.Std)
}

// logRatio writes g at the nodes of all rows to Density.
func (e *evaluator) logRatio(ctx context.Context, x []float32, out *Predictions) error {
	if e.ratio == nil {
		out.Density = nil
		return nil
	}
	out.Density = resize(out.Density, len(out.Mean)*predictive.Nodes)
	return e.ratio.Values(ctx, x, out.Mean, out.Density)
}

package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/predictive"
	"beziergp/table"
)

// PredictOptions chooses how to predict. The zero value is the documented default.
type PredictOptions struct {
	// Workers is the number of goroutines, at most 1024, by default one a processor.
	// Results do not depend on it.
	Workers int
	// Policy says what becomes of rows outside the box, by default the model's.
	Policy box.Policy
	// Interval is how Lower and Upper are found, by default [PredictiveInterval].
	Interval Interval
	// Point is what is told where one number is, by default [MeanPoint].
	Point Point
	// Range is where the target can lie, by default the model's ([box.Target]); one
	// without ends is anywhere. Means, points, intervals and distributions lie within: a
	// mean beyond is held at the nearer end, and the distribution around it restricted to
	// the range, F(y) becoming (F(y) − F(lo)) / (F(hi) − F(lo)).
	Range *predictive.Range
}

// WithDefaults returns the options with defaults in the place of zeros, policy and the
// range of target among them; Range is nil where the target can lie anywhere. It fails
// with an OptionError where one is out of range.
func (o PredictOptions) WithDefaults(policy box.Policy, target box.Target) (PredictOptions, error) {
	if err := simd.Check(); err != nil {
		return o, &limit.OptionError{Option: "environment", Problem: err.Error()}
	}
	if err := limit.CheckWorkers(o.Workers); err != nil {
		return o, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Policy == "" {
		o.Policy = policy
	}
	if o.Interval == "" {
		o.Interval = PredictiveInterval
	}
	switch o.Point {
	case "":
		o.Point = MeanPoint
	case MeanPoint, MedianPoint:
	default:
		return o, &limit.OptionError{Option: "point", Problem: fmt.Sprintf("%q is unknown; choose %s or %s", o.Point, MeanPoint, MedianPoint)}
	}
	if o.Range == nil {
		o.Range = target.Range
	}
	if o.Range == nil || o.Range.Open() {
		o.Range = nil
		return o, nil
	}
	if err := o.Range.Check(); err != nil {
		return o, &limit.OptionError{Option: "range", Problem: err.Error()}
	}
	if target.Transform == box.Log1p && o.Range.Hi <= -1 {
		return o, &limit.OptionError{Option: "range", Problem: fmt.Sprintf("%v, and the target's transform %s takes numbers above −1", o.Range, target.Transform)}
	}
	return o, nil
}

// Point is a number of a distribution.
type Point string

const (
	// MeanPoint is the mean, for the least squared error.
	MeanPoint Point = "mean"
	// MedianPoint is the median, for the least absolute error.
	MedianPoint Point = "median"
)

// Interval is a way from a distribution to an interval.
type Interval string

const (
	// PredictiveInterval takes the quantiles of the predicted distribution.
	PredictiveInterval Interval = "predictive"
	// ConformalInterval takes as many scales as held the errors of rows that training had
	// not seen: it covers as promised whatever the errors' distribution, on average over
	// rows like those.
	ConformalInterval Interval = "conformal"
)

// Predict returns predictions for all rows of t, whose columns may stand in any
// order and be more than the model needs. It fails when t lacks a column, when a
// value is not finite, or when the policy refuses a row.
func (m *Model) Predict(ctx context.Context, t *table.Table, o PredictOptions) (*Predictions, error) {
	columns, err := m.box.Pick(t)
	if err != nil {
		return nil, err
	}
	p, err := m.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out Predictions
	return &out, box.NameLevel(p.Predict(ctx, columns, &out), t)
}

// Predictor predicts block after block of a stream with workers and memory that
// are made once. It serves one caller at a time; Close ends its workers.
type Predictor struct {
	model     *Model
	options   PredictOptions
	pool      *simd.Pool
	evaluator *surface.Evaluator
	noise     *NoiseEvaluator // nil where the noise is constant
	doubt     *doubter        // nil where the posterior holds the variance
	tilt      *TiltEvaluator  // nil where distributions have no shape of their own
	x         []float32
	outside   []int
	rows      int
}

// NewPredictor returns a predictor.
func (m *Model) NewPredictor(o PredictOptions) (*Predictor, error) {
	o, err := o.WithDefaults(m.policy, m.target)
	if err != nil {
		return nil, err
	}
	if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
		return nil, err
	}
	switch o.Interval {
	case PredictiveInterval:
	case ConformalInterval:
		if m.conformal == 0 {
			return nil, errors.New("the model has no conformal intervals: the recipe auto makes them, of 19 rows or more; fit again")
		}
	default:
		return nil, fmt.Errorf("interval %q is unknown; choose %s or %s", o.Interval, PredictiveInterval, ConformalInterval)
	}
	pool := simd.NewPool(o.Workers)
	p := &Predictor{
		model: m, options: o, pool: pool,
		evaluator: surface.NewEvaluator(m.posterior, pool),
		outside:   make([]int, len(m.box.Inputs)),
	}
	if m.varying != nil {
		p.noise = m.varying.NewEvaluator(pool)
	}
	if m.doubt != nil {
		p.doubt = m.doubt.evaluator(pool)
	}
	if m.tilt != nil {
		p.tilt = m.tilt.NewEvaluator(pool)
	}
	return p, nil
}

// Close ends the workers.
func (p *Predictor) Close() { p.pool.Close() }

// Predict fills out with a row for every row of columns, those of [Model.Columns] with
// n values each. Rows in errors are counted over all blocks.
func (p *Predictor) Predict(ctx context.Context, columns [][]float64, out *Predictions) error {
	m, n := p.model, len(columns[0])
	out.Resize(n)
	out.Family = m.family
	p.x = resize(p.x, n*len(m.box.Inputs))
	if err := m.box.Map(p.x, columns, p.options.Policy, out.InBox, p.outside); err != nil {
		return box.Offset(err, p.rows)
	}
	if err := p.evaluator.Moments(ctx, p.x, out.Mean, out.StdF); err != nil {
		return err
	}
	for row, v := range out.Mean {
		out.Mean[row] = m.limits.mean(v)
		out.Held[row].mark(HeldMean, v, out.Mean[row])
	}
	if p.doubt != nil {
		if err := p.doubt.variance(ctx, columns, out.StdF); err != nil {
			return box.Offset(err, p.rows)
		}
	}
	if err := p.noiseFactors(ctx, out); err != nil {
		return box.Offset(err, p.rows)
	}
	if err := p.shape(ctx, out); err != nil {
		return box.Offset(err, p.rows)
	}
	for row := range n {
		if !out.InBox[row] {
			switch p.options.Policy {
			case box.Flag:
				out.Location[row], out.StdF[row], out.Scale[row], out.Held[row] = math.NaN(), math.NaN(), math.NaN(), 0
				continue
			case box.Clip:
				out.Held[row] |= HeldInputs
			}
		}
		mean, free, factor := out.Mean[row], m.scale*out.StdF[row], out.Std[row]
		variance := m.limits.variance(free)
		out.Held[row].mark(HeldStd, free, variance)
		if !isFinite(mean) || !isFinite(variance) {
			return &RowError{p.rows + row + 1, errOverflow}
		}
		y := likelihood.Gaussian{}.Predictive(mean, variance, m.noise*factor)
		out.Location[row] = m.target.Mean + m.target.SD*y.Location
		out.StdF[row] = m.target.SD * math.Sqrt(variance)
		out.Scale[row] = m.target.SD * y.Scale
	}
	half := 0.0
	if p.options.Interval == ConformalInterval {
		half = m.conformal
	}
	if err := out.Finish(p.pool, p.options, half, p.rows); err != nil {
		return err
	}
	p.rows += n
	return nil
}

// shape writes the densities of all rows.
func (p *Predictor) shape(ctx context.Context, out *Predictions) error {
	if p.tilt == nil {
		out.Density = nil
		return nil
	}
	n := len(out.Mean)
	out.Density = resize(out.Density, n*predictive.Nodes)
	return p.tilt.Densities(ctx, p.x, out.Mean, out.Density, out.Held)
}

// noiseFactors writes the factors by which the noise varies to out.Std, where the means
// are finite: where one is not, no row is predicted.
func (p *Predictor) noiseFactors(ctx context.Context, out *Predictions) error {
	for row := range out.Std {
		out.Std[row] = 1
		if !isFinite(out.Mean[row]) {
			return nil
		}
	}
	if p.noise == nil {
		return nil
	}
	return p.noise.Factors(ctx, p.x, out.Mean, out.Std, out.Held)
}

// Rows returns the number of rows predicted so far.
func (p *Predictor) Rows() int { return p.rows }

// Outside returns, for every input, how many values lay outside its bounds so far.
// It must not be changed.
func (p *Predictor) Outside() []int { return p.outside }

// Covariance returns the posterior covariances of f between the rows of a and
// those of b, [a.Rows, b.Rows], in squared units of the (transformed) target, not held by
// [Limits]. Rows outside the box are clipped to its face unless the model refuses them.
func (m *Model) Covariance(ctx context.Context, a, b *table.Table) (*mat.Dense, error) {
	mapping, process, policy := m.box, m.posterior, m.policy
	if m.doubt != nil {
		mapping, process, policy = box.New(m.doubt.Inputs), m.doubt.Surface, box.Clip
	}
	xa, err := m.coordinates(a, mapping, policy)
	if err != nil {
		return nil, err
	}
	xb, err := m.coordinates(b, mapping, policy)
	if err != nil {
		return nil, err
	}
	d, n := m.posterior.Inputs(), b.Rows()
	pool := simd.NewPool(1)
	defer pool.Close()
	e := surface.NewEvaluator(process, pool)
	cov := mat.NewDense(a.Rows(), n, nil)
	repeated := make([]float32, len(xb))
	for row := range a.Rows() {
		for p := range n {
			copy(repeated[p*d:(p+1)*d], xa[row*d:(row+1)*d])
		}
		own := cov.RawRowView(row)
		if err := e.Covariance(ctx, repeated, xb, own); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(own, func(v float64) bool { return !isFinite(v) }) {
			return nil, &RowError{row + 1, errOverflow}
		}
	}
	cov.Scale(m.scale*m.target.SD*m.target.SD, cov)
	return cov, nil
}

// coordinates maps a table's rows to a unit box, [n, d] by rows.
func (m *Model) coordinates(t *table.Table, mapping box.Box, policy box.Policy) ([]float32, error) {
	columns, err := m.box.Pick(t)
	if err != nil {
		return nil, err
	}
	d := len(mapping.Inputs)
	x := make([]float32, t.Rows()*d)
	return x, mapping.Map(x, columns, policy, make([]bool, t.Rows()), make([]int, d))
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

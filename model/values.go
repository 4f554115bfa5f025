package model

import (
	"context"
	"math"

	"beziergp/box"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/predictive"
)

// Values are those of the surfaces of an [Output] at n rows, of surfaces in the place of
// its own: out of fold, those that were trained without the rows.
type Values struct {
	Mean     []float64 // E f, [n, T] of a law of several processes, offsets included
	Variance []float64 // Var f
	LogNoise []float64 // s; nil where the noise is constant
	LogRatio []float64 // g at the nodes of u, [n, predictive.Nodes]; nil where w is 1
	Noise    float64   // σ²
	// Likelihood is the law of targets given such values, of the kind of the model's; nil for the model's.
	Likelihood likelihood.Likelihood
}

// Rows returns n.
func (v Values) Rows() int { return len(v.Variance) }

// PredictValues returns the predictions that the model would make if its surfaces had
// these values and its noise this variance: limits, law, scaling, range and interval are
// its own. All rows count as in the box. It fails as Predict does, and panics on values of
// other shapes, or of surfaces that the model has not.
func (m *Model) PredictValues(v Values, o PredictOptions) (*Predictions, error) {
	output := m.outputs[0]
	v.check(&output)
	if v.Likelihood != nil {
		output.Likelihood = v.Likelihood
		var err error
		if output.family, err = output.newFamily(); err != nil {
			return nil, err
		}
	}
	k := m.kind()
	k.Family, k.NewEvaluator = output.family, func(o PredictOptions, _ *simd.Pool) (Evaluator, error) {
		return &given{&output, v}, output.checkInterval(o.Interval)
	}
	p, err := NewPredictor(k, o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out Predictions
	return &out, p.predict(context.Background(), nil, v.Rows(), &out)
}

const errValues = "model: values that are not those of the model's surfaces at one number of rows"

func (v Values) check(o *Output) {
	n := v.Rows()
	fits := func(values []float64, have bool, each int) bool {
		return values == nil && !have || have && len(values) == n*each
	}
	if !fits(v.Mean, true, likelihood.Latents(o.Likelihood)) || !fits(v.LogNoise, o.LogNoise != nil, 1) || !fits(v.LogRatio, o.DensityRatio != nil, predictive.Nodes) {
		panic(errValues)
	}
}

// given is an [Evaluator] that knows the values.
type given struct {
	*Output
	values Values
}

func (e *given) Evaluate(_ context.Context, _ [][]float64, _ []int, out *Predictions) error {
	for row := range out.InBox {
		out.InBox[row] = true
	}
	copy(out.StdF, e.values.Variance)
	if law, ok := e.Likelihood.(likelihood.Several); ok {
		t := law.Latents()
		out.Classes = append(out.Classes[:0], e.values.Mean...)
		for row := range out.InBox {
			if err := e.probabilities(law, row, out.Classes[row*t:(row+1)*t], out); err != nil {
				return err
			}
		}
		return nil
	}
	copy(out.Mean, e.values.Mean)
	clear(out.Std)
	copy(out.Std, e.values.LogNoise)
	out.Density = append(out.Density[:0], e.values.LogRatio...)
	if e.values.LogRatio == nil {
		out.Density = nil
	}
	return e.settle(e.values.Noise, box.Clip, out)
}

// settle makes distributions of the target of the values of surfaces: E f, which is in
// Mean, Var f in StdF, s in Std, and g in Density. Under the policy [box.Flag] rows outside
// the box are passed over.
func (o *Output) settle(noise float64, policy box.Policy, out *Predictions) error {
	for row := range out.Mean {
		if o.LogNoise != nil && o.LogNoise.Limits.Clamp(out.Std[row:row+1]) {
			out.Clamped[row] |= ClampedStd
		}
		out.Std[row] = math.Exp(out.Std[row])
		if out.Density == nil {
			continue
		}
		g := out.Density[row*predictive.Nodes:][:predictive.Nodes]
		if o.DensityRatio.Limits.Clamp(g) {
			out.Clamped[row] |= ClampedShape
		}
		predictive.FromLog(g)
	}
	for row, mean := range out.Mean {
		if !out.InBox[row] && policy == box.Flag {
			continue // it has no prediction
		}
		free, factor := o.VarianceScale*out.StdF[row], out.Std[row]
		variance := o.Limits.variance(free)
		out.Clamped[row].mark(ClampedStd, free, variance)
		if !isFinite(mean) || !isFinite(variance) {
			return &RowError{row + 1, errOverflow}
		}
		y := o.Likelihood.Predictive(mean, variance, noise*factor)
		y.Location += out.OffsetOf(row)
		out.Location[row] = o.Target.Mean + o.Target.SD*y.Location
		out.StdF[row] = o.Target.SD * math.Sqrt(variance)
		out.Scale[row] = o.Target.SD * y.Scale
	}
	return nil
}

// settleMean is settle where the mean alone is asked for.
func (o *Output) settleMean(policy box.Policy, out *Predictions) error {
	out.Density = nil
	for row, mean := range out.Mean {
		if !out.InBox[row] && policy == box.Flag {
			continue
		}
		if !isFinite(mean) {
			return &RowError{row + 1, errOverflow}
		}
		out.Location[row] = o.Target.Mean + o.Target.SD*mean
	}
	return nil
}

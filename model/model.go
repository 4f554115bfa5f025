// Package model is a fitted Bézier Gaussian process: it predicts, and it goes to
// and comes from a file. It needs neither the training rows nor an optimiser.
package model

import (
	"encoding/json"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/dataset/seen"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/predictive"
	"beziergp/table"
)

// Model is a fitted process with the scalings around it. It is immutable and safe
// for concurrent use.
type Model struct {
	posterior *surface.Posterior
	box       box.Box
	target    box.Target
	noise     float64
	varying   *Noise  // nil where the noise is constant
	limits    *Limits // nil where the mean has none
	doubt     *Doubt  // nil where the posterior holds the variance
	scale     float64 // of Var f
	family    *predictive.Family
	tilt      *Tilt   // nil where distributions are the family's reference
	conformal float64 // half of a conformal interval, in scales; 0 for none
	policy    box.Policy
	training  Training
	seen      *seen.Rows
	origin    Origin
}

// Training tells how a model was made. Predictions do not depend on it.
type Training struct {
	Recipe  string          `json:"recipe"`
	Options json.RawMessage `json:"options"` // the recipe's own
	Rows    int             `json:"rows"`
	Dropped int             `json:"dropped,omitempty"` // rows without a target
	// Sampled is the number of rows that were learned from, drawn by lot out of Rows,
	// where memory does not hold all; else 0.
	Sampled   int     `json:"sampled,omitempty"`
	Steps     int     `json:"steps"`
	RMSE      float64 `json:"rmse"`      // over the training rows, in the target's units
	Objective float64 `json:"objective"` // of the last mini-batch: σ² (−ELBO) less its constant
}

// Learned returns the number of rows that were learned from.
func (t Training) Learned() int {
	if t.Sampled > 0 {
		return t.Sampled
	}
	return t.Rows
}

// Parts is what a model is made of.
type Parts struct {
	Posterior *surface.Posterior
	Inputs    []box.Input // in the order of the posterior's inputs
	Target    box.Target
	Noise     float64 // σ², in squared deviations of the target
	// Varying makes the noise a function of the inputs; nil where it is constant.
	Varying *Noise
	// Limits hold the mean; nil for none.
	Limits *Limits
	// Doubt holds the variance of f; nil where Posterior does.
	Doubt *Doubt
	// VarianceScale multiplies Var f in the variance of a prediction; 0 stands for 1.
	VarianceScale float64
	// Tails are the degrees of freedom of the Student's t that predictions are, whose
	// scale is the root of the variance; 0 for a Gaussian.
	Tails float64
	// Tilt shapes the predictions; nil where it does not.
	Tilt *Tilt
	// Conformal is half of a conformal interval of probability Level, in scales of the
	// prediction; 0 for none.
	Conformal float64
	Policy    box.Policy
	Training  Training
	// Seen are the rows that it was trained on; nil where nobody remembers.
	Seen *seen.Rows
}

// New returns the model of these parts, or an error that says which part is out
// of order.
func New(p Parts) (*Model, error) {
	if len(p.Inputs) != p.Posterior.Inputs() {
		return nil, fmt.Errorf("%d inputs for a surface of %d", len(p.Inputs), p.Posterior.Inputs())
	}
	mapping := box.New(p.Inputs)
	if err := mapping.Check(p.Target.Name); err != nil {
		return nil, err
	}
	for g := range p.Posterior.Groups() {
		for i, b := range p.Posterior.Group(g).Bases {
			if err := fits(b, p.Inputs[i]); err != nil {
				return nil, err
			}
		}
	}
	if err := p.Target.Check(); err != nil {
		return nil, err
	}
	if !(p.Noise > 0) || math.IsInf(p.Noise, 0) {
		return nil, fmt.Errorf("noise variance %g: it must be positive", p.Noise)
	}
	if _, err := box.ParsePolicy(string(p.Policy)); err != nil {
		return nil, err
	}
	if err := checkWeights(p.Posterior); err != nil {
		return nil, err
	}
	if p.Varying != nil {
		if err := p.Varying.check(len(p.Inputs)); err != nil {
			return nil, err
		}
	}
	if p.Doubt != nil {
		if err := p.Doubt.check(p.Inputs); err != nil {
			return nil, err
		}
	}
	if err := p.Limits.check(); err != nil {
		return nil, err
	}
	if p.VarianceScale == 0 {
		p.VarianceScale = 1
	}
	if !(p.VarianceScale > 0) || math.IsInf(p.VarianceScale, 0) {
		return nil, fmt.Errorf("variance scale %g: it must be positive", p.VarianceScale)
	}
	if !(p.Conformal >= 0) || math.IsInf(p.Conformal, 0) {
		return nil, fmt.Errorf("conformal score %g: it must not be negative", p.Conformal)
	}
	if p.Tilt != nil {
		if err := p.Tilt.check(len(p.Inputs)); err != nil {
			return nil, err
		}
	}
	if p.Seen != nil {
		if err := p.Seen.Check(); err != nil {
			return nil, err
		}
	}
	family, err := predictive.NewFamily(p.Tails, p.Target.Transform == box.Log1p)
	if err != nil {
		return nil, err
	}
	return &Model{
		posterior: p.Posterior, box: mapping, target: p.Target, noise: p.Noise,
		varying: p.Varying, doubt: p.Doubt, limits: p.Limits, scale: p.VarianceScale,
		family: family, tilt: p.Tilt, conformal: p.Conformal, policy: p.Policy, training: p.Training, seen: p.Seen,
		origin: Origin{FormatVersion, true},
	}, nil
}

// fits returns an error unless a basis takes every coordinate that the box makes of
// an input: the basis would otherwise panic.
func fits(b basis.Basis, in box.Input) error {
	spec := b.Spec()
	switch indicator := spec.Kind == basis.KindIndicator; {
	case indicator != (in.Kind == table.Category):
		return fmt.Errorf("input %q of kind %q does not go with a basis of kind %q", in.Name, in.Kind, spec.Kind)
	case indicator && b.Nodes() != in.Nodes():
		return fmt.Errorf("input %q has %d nodes, its basis %d", in.Name, in.Nodes(), b.Nodes())
	case spec.Average == nil: // any value may be missing in a prediction
		return fmt.Errorf("input %q: its basis has no averages", in.Name)
	}
	return nil
}

// Inputs returns the inputs' names and scalings in the model's order. It must not
// be changed.
func (m *Model) Inputs() []box.Input { return m.box.Inputs }

// Columns returns the columns that a prediction needs, with the levels that the
// model knows. They must not be changed.
func (m *Model) Columns() []table.Field { return m.box.Columns() }

// Target returns the target's name and scaling.
func (m *Model) Target() box.Target { return m.target }

// Noise returns the deviation of the observation noise in the units of the target,
// or of the transformed target where it has a transform: where it varies, a typical
// one.
func (m *Model) Noise() float64 { return math.Sqrt(m.noise) * m.family.Deviation() * m.target.SD }

// Varying returns how the noise varies with the inputs, nil where it does not.
func (m *Model) Varying() *Noise { return m.varying }

// Limits returns what predictions are held in, nil for nothing. It must not be changed.
func (m *Model) Limits() *Limits { return m.limits }

// Tails returns the degrees of freedom of the Student's t that a prediction is before
// it is shaped, 0 for a Gaussian.
func (m *Model) Tails() float64 { return m.family.Tails() }

// Shaped reports whether the shape of predictions depends on the inputs.
func (m *Model) Shaped() bool { return m.tilt != nil }

// Policy returns what becomes of rows outside the box unless a prediction asks
// otherwise.
func (m *Model) Policy() box.Policy { return m.policy }

// Training tells how the model was made.
func (m *Model) Training() Training { return m.training }

// Seen returns the rows that the model was trained on, as far as it remembers: nil where
// it comes from a file of a former version.
func (m *Model) Seen() *seen.Rows { return m.seen }

// Posterior returns the process itself, on the unit box and in deviations of the
// target.
func (m *Model) Posterior() *surface.Posterior { return m.posterior }

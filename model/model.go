// Package model is a fitted Bézier Gaussian process: it predicts, and it goes to
// and comes from a file. It needs neither the training rows nor an optimiser.
package model

import (
	"encoding/json"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/likelihood"
	"beziergp/table"
	"beziergp/table/cell"
)

// Model is a fitted process with the scalings around it. It is immutable and safe
// for concurrent use.
type Model struct {
	posterior *surface.Posterior
	box       box.Box
	tables    []neighbour.Table // of inputs beside those of the box
	outputs   []Output
	policy    box.Policy
	training  Training
	seen      *seen.Rows
	missing   *cell.Words
	profile   *profile.Profile
	offset    *box.OffsetColumn
	origin    Origin
}

// Training tells how a model was made. Predictions do not depend on it.
type Training struct {
	Recipe  string          `json:"recipe"`
	Options json.RawMessage `json:"options"` // the recipe's own
	Rows    int             `json:"rows"`
	Dropped int             `json:"dropped,omitempty"` // rows without a target
	// LeftOut is the number of inputs that the model lacks because they tell nothing of the target beside the others.
	LeftOut int `json:"left_out,omitempty"`
	// Sampled is the number of rows that were learned from, drawn at random out of Rows,
	// where memory does not hold all; else 0.
	Sampled int `json:"sampled,omitempty"`
	// Streamed is the number of rows that every member of the mean has learned from, of all,
	// where the sample served to learn the rest alone; else 0.
	Streamed int `json:"streamed,omitempty"`
	Steps    int `json:"steps"`
	// RMSE is over the training rows, in the target's units: of a law other than a Gaussian
	// the root of the mean deviance.
	RMSE      float64 `json:"rmse"`
	Objective float64 `json:"objective"` // of the last mini-batch: σ² (−ELBO) less its constant
	// OutOfFold are scores of rows that the predictions were made without; nil where the
	// recipe makes none, and in files before they were there.
	OutOfFold *Scores `json:"out_of_fold,omitempty"`
	// Classes are in its place where the target has classes.
	Classes *ClassScores `json:"out_of_fold_classes,omitempty"`
	// Residuals are those of all rows that a member lacks; nil where the recipe makes none,
	// and in files before they were there.
	Residuals *Residuals `json:"residuals,omitempty"`
}

// Scores are those of predictions of some rows, all of one weight, in the target's units as
// package metric has them.
type Scores struct {
	Rows       int     `json:"rows"`
	RMSE       float64 `json:"rmse"`
	NLPD       float64 `json:"nlpd"`
	CRPS       float64 `json:"crps"`
	Coverage95 float64 `json:"coverage95"`
	// Deviance is that of counts and amounts; nil for others.
	Deviance *float64 `json:"deviance,omitempty"`
}

// ClassScores are those of probabilities of classes, of rows of one weight, as
// [beziergp/metric.Classes] has them.
type ClassScores struct {
	Rows     int     `json:"rows"`
	LogLoss  float64 `json:"log_loss"`
	Brier    float64 `json:"brier"`
	Accuracy float64 `json:"accuracy"`
	// AUC is nil where all rows are of one class.
	AUC *float64 `json:"auc,omitempty"`
	ECE float64  `json:"ece"`
}

// Learned returns the number of rows that were learned from.
func (t Training) Learned() int {
	if t.Sampled > 0 {
		return max(t.Sampled, t.Streamed)
	}
	return t.Rows
}

// Parts is what a model is made of.
type Parts struct {
	Posterior *surface.Posterior
	Inputs    []box.Input // in the order of the posterior's inputs
	// Neighbours are the tables of further inputs, after these in surfaces: what training rows
	// nearby have for a target.
	Neighbours []neighbour.Table
	// Outputs are what the model has of every target: of one, so far.
	Outputs  []Output
	Policy   box.Policy
	Training Training
	// Seen are the rows that it was trained on; nil where they are not known.
	Seen *seen.Rows
	// Profile is what these looked like; nil where it is not known.
	Profile *profile.Profile
	// Missing are the texts that stood for a missing value where the rows were read; nil for
	// the default ones.
	Missing *cell.Words
	// Offset is where the offsets of rows come from; nil for none.
	Offset *box.OffsetColumn
}

// New returns the model of these parts, or an error that says which part is out
// of order.
func New(p Parts) (*Model, error) {
	if len(p.Outputs) != 1 {
		return nil, fmt.Errorf("%d outputs: a model has one", len(p.Outputs))
	}
	inputs, err := withNeighbours(p.Inputs, p.Neighbours)
	if err != nil {
		return nil, err
	}
	if len(inputs) != p.Posterior.Inputs() {
		return nil, fmt.Errorf("%d inputs for a surface of %d", len(inputs), p.Posterior.Inputs())
	}
	m := &Model{
		posterior: p.Posterior, box: box.New(p.Inputs), tables: p.Neighbours, outputs: slices.Clone(p.Outputs), policy: p.Policy,
		training: p.Training, seen: p.Seen, missing: p.Missing, profile: p.Profile, offset: p.Offset,
	}
	m.origin = Origin{m.format(), true}
	for g := range p.Posterior.Groups() {
		for i, b := range p.Posterior.Group(g).Bases {
			if err := fits(b, inputs[i]); err != nil {
				return nil, err
			}
		}
	}
	if err := m.checkOffset(); err != nil {
		return nil, err
	}
	for t := range m.outputs {
		if err := m.box.Check(m.outputs[t].Target.Name); err != nil {
			return nil, err
		}
		if err := m.outputs[t].complete(inputs); err != nil {
			return nil, err
		}
		if have, want := p.Posterior.Outputs(), likelihood.Latents(m.outputs[t].Likelihood); have != want {
			return nil, fmt.Errorf("a process of %d outputs for the likelihood %s, which has %d", have, m.outputs[t].Likelihood.Name(), want)
		}
	}
	if _, err := box.ParsePolicy(string(p.Policy)); err != nil {
		return nil, err
	}
	if err := p.Training.Residuals.check(); err != nil {
		return nil, err
	}
	if p.Seen != nil {
		if err := p.Seen.Check(); err != nil {
			return nil, err
		}
	}
	if p.Profile != nil {
		if err := p.Profile.Check(p.Inputs, len(p.Outputs)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// fits returns an error unless a basis takes every coordinate that the box makes of
// an input: the basis would otherwise panic.
func fits(b basis.Basis, in box.Input) error {
	spec := b.Spec()
	switch category, indicator := basis.Bare(b).(basis.Category); {
	case spec.Kind == basis.KindKnown && spec.Average != nil:
	case indicator != (in.Kind == table.Category):
		return fmt.Errorf("input %q of kind %q does not go with a basis of kind %q", in.Name, in.Kind, spec.Kind)
	case indicator && category.Levels() != in.Functions():
		return fmt.Errorf("input %q has %d levels, its basis %d", in.Name, in.Functions(), category.Levels())
	case spec.Average == nil: // any value may be missing in a prediction
		return fmt.Errorf("input %q: its basis has no averages", in.Name)
	}
	return nil
}

// Inputs returns the inputs' names and scalings in the model's order. It must not
// be changed.
func (m *Model) Inputs() []box.Input { return m.box.Inputs }

// Columns returns the columns that a prediction needs, with the levels that the
// model knows: those of the inputs and, where there is one, the offset's after them. They
// must not be changed.
func (m *Model) Columns() []table.Field { return m.kind().columns() }

// Offset returns where the offsets of rows come from, nil for none.
func (m *Model) Offset() *box.OffsetColumn { return m.offset }

func (m *Model) checkOffset() error {
	switch o := m.offset; {
	case o == nil:
		return nil
	case slices.ContainsFunc(m.box.Columns(), func(f table.Field) bool { return f.Name == o.Column }) || o.Column == "":
		return fmt.Errorf("the offset %q is an input", o.Column)
	case !likelihood.TakesOffset(likelihood.OrGaussian(m.outputs[0].Likelihood)):
		return fmt.Errorf("an offset %q, which the likelihood does not take", o.Column)
	}
	return nil
}

// Numbers returns the columns that a prediction needs out of a table, in their order and as the
// model numbers levels. It fails where one is missing or of another kind.
func (m *Model) Numbers(t *table.Table) ([][]float64, error) { return m.kind().pick(t) }

// Target returns the target's name and scaling.
func (m *Model) Target() box.Target { return m.outputs[0].Target }

// Output returns what the model has of its target. What it points to must not be changed.
func (m *Model) Output() Output { return m.outputs[0] }

// Noise returns the deviation of the observation noise in the units of the target,
// or of the transformed target where it has a transform: where it varies, a typical
// one.
func (m *Model) Noise() float64 { return m.outputs[0].noise() }

// Policy returns what becomes of rows outside the box unless a prediction asks
// otherwise.
func (m *Model) Policy() box.Policy { return m.policy }

// Training tells how the model was made.
func (m *Model) Training() Training { return m.training }

// Seen returns the rows that the model was trained on, as far as it remembers: nil where
// it comes from a file of a former version.
func (m *Model) Seen() *seen.Rows { return m.seen }

// Missing returns the texts that stood for a missing value where the training rows were
// read, nil for the default ones: rows to predict are read alike.
func (m *Model) Missing() *cell.Words { return m.missing }

// Profile returns what the rows looked like that the model was trained on, which must not
// be changed: nil where it comes from a file of a former version.
func (m *Model) Profile() *profile.Profile { return m.profile }

// Posterior returns the process itself, on the unit box and in deviations of the
// target.
func (m *Model) Posterior() *surface.Posterior { return m.posterior }

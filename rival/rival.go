// Package rival puts a table around a method of [beziergp/rival/method]: a model that
// encodes rows, predicts distributions of the target in its units, and goes to and
// comes from a file, as one of [beziergp/model] does.
package rival

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/limit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/rival/method"
	"beziergp/table"
	"beziergp/table/cell"
)

const errNumber = "rival: a row has fewer numbers"

// Model is a fitted method with the table around it. It is immutable and safe for
// concurrent use.
type Model struct {
	*encoding
	regressor method.Storable
	method    string
	learned   json.RawMessage
	kept      int // numbers in the regressor's tensors
	target    box.Target
	policy    box.Policy
	family    *predictive.Family // nil of three classes or more
	law       likelihood.Likelihood
	offset    *box.OffsetColumn // nil for none
	training  Training
	seen      *seen.Rows
	missing   *cell.Words
	profile   *profile.Profile
	origin    model.Origin
}

// Training tells what a model was made of.
type Training struct {
	Rows    int `json:"rows"`
	Dropped int `json:"dropped,omitempty"` // rows without a target
}

// Rows are a training set.
type Rows struct {
	Inputs  []box.Input
	Columns [][]float64 // those of the inputs' box, [n] each
	Target  box.Target
	Y       []float64 // [n], in the target's units
	Dropped int
	// Likelihood is the law of the targets, nil for a Gaussian, and Offset where the offsets of
	// rows come from, of which Offsets are those of the training rows; nil for none.
	Likelihood likelihood.Likelihood
	Offset     *box.OffsetColumn
	Offsets    []float64        // [n]
	Seen       *seen.Rows       // what the model is to remember of them: which they are
	Profile    *profile.Profile // and what they look like; nil for nothing
	// Missing are the texts that stood for a missing value where they were read; nil for the
	// default ones.
	Missing *cell.Words
}

// Fit learns from rows. What lies outside the inputs' bounds when the model predicts is
// treated by the policy. It fails as m does, with the names of inputs in the place of
// their numbers, and with an error of [box] where a value is none.
func Fit(ctx context.Context, m method.Method, rows Rows, policy box.Policy, env method.Environment) (*Model, error) {
	if err := limit.CheckWorkers(env.Workers); err != nil {
		return nil, err
	}
	b := box.New(rows.Inputs)
	e := newEncoding(b, means(b, rows.Columns))
	n := len(rows.Y)
	x, err := e.rows(rows.Columns, box.Extrapolate, make([]bool, n), make([]int, len(rows.Inputs)))
	if err != nil {
		return nil, err
	}
	y := make([]float64, n)
	for i, v := range rows.Y {
		if y[i], err = rows.Target.Apply(v, i+1); err != nil {
			return nil, err
		}
	}
	law, err := NewLaw(rows.Likelihood)
	if err != nil {
		return nil, err
	}
	r, err := m.Fit(ctx, method.Data{X: x, Y: y, Inputs: e.width, Law: law, Offset: rows.Offsets}, env)
	if errors.Is(err, method.ErrLaw) {
		return nil, &method.DataError{Err: fmt.Errorf("target %q has the likelihood %s, and %w; choose one of %s%s", rows.Target.Name, rows.Likelihood.Name(), err, names(true), orNumbers(rows.Target))}
	}
	var bad *method.DataError
	if errors.As(err, &bad) && bad.Input > 0 {
		return nil, &method.DataError{Err: fmt.Errorf("column %q: %w", e.input(bad.Input).Source(), bad.Err)}
	}
	if err != nil {
		return nil, err
	}
	storable, ok := r.(method.Storable)
	if !ok {
		return nil, fmt.Errorf("%T cannot be stored: its regressors have no State", m)
	}
	state, err := storable.State()
	if err != nil {
		return nil, err
	}
	fitted, err := assemble(e, storable, state, rows.Target, policy, Training{n, rows.Dropped}, rows.Seen, rows.Profile)
	if err == nil {
		fitted.missing = rows.Missing
		err = fitted.setOffset(rows.Offset)
	}
	return fitted, err
}

// orNumbers is what else there is to do about a target that a method cannot learn.
func orNumbers(t box.Target) string {
	if t.Kind == table.Boolean {
		return ", or the likelihood gaussian, to which truth values are 0 and 1"
	}
	return ""
}

// assemble makes a model of parts that may come from anywhere; the regressor, nil where
// it is still to be restored, of the state.
func assemble(e *encoding, regressor method.Storable, state method.State, target box.Target, policy box.Policy, training Training, rows *seen.Rows, looks *profile.Profile) (*Model, error) {
	if err := errors.Join(e.box.Check(target.Name), e.check(), target.Check()); err != nil {
		return nil, err
	}
	if err := checkPolicy(policy); err != nil {
		return nil, err
	}
	if looks != nil {
		if err := looks.Check(e.box.Inputs, 1); err != nil {
			return nil, err
		}
	}
	method, ok := Find(state.Method)
	if !ok {
		return nil, fmt.Errorf("the method %.40q is unknown; this version knows %s", state.Method, names(false))
	}
	if state.Scaling == nil || len(state.Scaling.Inputs) != e.width {
		return nil, fmt.Errorf("%s: its scalings are not those of %d numbers a row", method.Name, e.width)
	}
	if regressor == nil {
		var err error
		if regressor, err = method.restore(state); err != nil {
			return nil, err
		}
	}
	law := stored(state.Law)
	family, err := familyOf(law, target)
	if err != nil {
		return nil, err
	}
	m := &Model{
		encoding: e, regressor: regressor, method: state.Method, learned: state.Learned, law: law,
		target: target, policy: policy, family: family, training: training, seen: rows, profile: looks,
	}
	m.origin = model.Origin{Format: m.format(), Sealed: true}
	for _, t := range state.Tensors {
		m.kept += len(t.Data)
	}
	return m, nil
}

// familyOf returns the family of the predictions of a target, nil where its law has several
// natural parameters.
func familyOf(law likelihood.Likelihood, target box.Target) (*predictive.Family, error) {
	if likelihood.IsGaussian(law) {
		return predictive.NewFamily(0, target.Transform == box.Log1p)
	}
	n := likelihood.Latents(law)
	switch {
	case target.Transform != "" || target.Range != nil:
		return nil, fmt.Errorf("target %q: a transform or a range goes with the likelihood gaussian alone, and it is %s", target.Name, law.Name())
	case n > 1 && len(target.Levels) != n:
		return nil, fmt.Errorf("target %q of %d classes for a likelihood of %d", target.Name, len(target.Levels), n)
	case n > 1:
		return nil, nil
	}
	return law.Predictive(0, 0, 1).Family, nil
}

// setOffset takes in where the offsets of rows come from.
func (m *Model) setOffset(o *box.OffsetColumn) error {
	if o == nil {
		return nil
	}
	if !likelihood.TakesOffset(m.law) {
		return fmt.Errorf("an offset %q, which the likelihood %s does not take", o.Column, m.law.Name())
	}
	for _, f := range m.box.Columns() {
		if f.Name == o.Column {
			return fmt.Errorf("%q is an input and the offset", o.Column)
		}
	}
	m.offset = o
	return nil
}

// checkPolicy takes [box.Extrapolate] too.
func checkPolicy(policy box.Policy) error {
	if policy == box.Extrapolate {
		return nil
	}
	_, err := box.ParsePolicy(string(policy))
	return err
}

// Method returns the name of the method.
func (m *Model) Method() string { return m.method }

// Learned returns what the method learned that is no long list of numbers, an object:
// its options first of all.
func (m *Model) Learned() json.RawMessage { return m.learned }

// Numbers returns how many numbers the method keeps, and how many a row is encoded as.
func (m *Model) Numbers() (kept, row int) { return m.kept, m.width }

// Noise returns the deviation of the target about the function, in the units of the
// target, or of the transformed target where it has a transform, and whether the
// method tells the two apart.
func (m *Model) Noise() (float64, bool) {
	if latent, ok := m.regressor.(method.Latent); ok {
		return latent.Noise(), true
	}
	return 0, false
}

// Inputs returns the inputs' names and bounds. They must not be changed.
func (m *Model) Inputs() []box.Input { return m.box.Inputs }

// Columns returns the columns that a prediction needs, with the levels that the
// model knows. They must not be changed.
func (m *Model) Columns() []table.Field {
	if m.offset == nil {
		return m.box.Columns()
	}
	return append(slices.Clip(m.box.Columns()), m.offset.Field())
}

// Offset returns where the offsets of rows come from, nil for none.
func (m *Model) Offset() *box.OffsetColumn { return m.offset }

// WithoutOffset returns the model of rows that all have an exposure of 1, or an offset of 0, whose
// column it does not need.
func (m *Model) WithoutOffset() *Model {
	own := *m
	own.offset = nil
	return &own
}

// Classes returns the names of the classes that predictions have probabilities of, as
// [model.Model.Classes] does; nil where the target has none.
func (m *Model) Classes() []string {
	switch names := m.target.Classes(); {
	case m.classes() == 0:
		return nil
	case names == nil:
		return []string{"0", "1"}
	default:
		return names
	}
}

// Likelihood returns the law of the target.
func (m *Model) Likelihood() likelihood.Likelihood { return m.law }

// Target returns the target's name and scaling.
func (m *Model) Target() box.Target { return m.target }

// Policy returns what becomes of rows outside the box unless a prediction asks
// otherwise.
func (m *Model) Policy() box.Policy { return m.policy }

// Seen returns the rows that the model was trained on, as far as it remembers: nil where
// it comes from a file of a former version.
func (m *Model) Seen() *seen.Rows { return m.seen }

// Missing returns the texts that stood for a missing value where the training rows were
// read, nil for the default ones.
func (m *Model) Missing() *cell.Words { return m.missing }

// Profile returns what the rows looked like that the model was trained on, as
// [model.Model.Profile] does.
func (m *Model) Profile() *profile.Profile { return m.profile }

// Origin returns where the model comes from, as [model.Model.Origin] does.
func (m *Model) Origin() model.Origin { return m.origin }

// Training tells what the model was made of.
func (m *Model) Training() Training { return m.training }

// Package rival puts a table around a method of [beziergp/rival/method]: a model that
// encodes rows, predicts distributions of the target in its units, and goes to and
// comes from a file, as one of [beziergp/model] does.
package rival

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/limit"
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
	family    *predictive.Family
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
	Seen    *seen.Rows       // what the model is to remember of them: which they are
	Profile *profile.Profile // and what they look like; nil for nothing
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
	r, err := m.Fit(ctx, method.Data{X: x, Y: y, Inputs: e.width}, env)
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
	}
	return fitted, err
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
		return nil, fmt.Errorf("the method %.40q is unknown; this version knows %s", state.Method, names())
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
	family, err := predictive.NewFamily(0, target.Transform == box.Log1p)
	if err != nil {
		return nil, err
	}
	m := &Model{
		encoding: e, regressor: regressor, method: state.Method, learned: state.Learned,
		target: target, policy: policy, family: family, training: training, seen: rows, profile: looks,
		origin: model.Origin{Format: FormatVersion, Sealed: true},
	}
	for _, t := range state.Tensors {
		m.kept += len(t.Data)
	}
	return m, nil
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
func (m *Model) Columns() []table.Field { return m.box.Columns() }

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

// Package serve is what a program needs that predicts with models of any kind: a model
// from a file, a row from a map or a JSON object by the model's columns, and predictions of
// single rows for many callers at once.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/dataset/seen"
	"beziergp/internal/printable"
	"beziergp/internal/safetensors"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/table"
	"beziergp/table/cell"
)

// Model is a fitted model of any kind, a [*model.Model] or a [*rival.Model]. It is
// immutable and safe for concurrent use.
type Model interface {
	// Predict returns predictions for all rows of a table, whose columns may stand in any
	// order and be more than the model needs.
	Predict(ctx context.Context, t *table.Table, o model.PredictOptions) (*model.Predictions, error)
	// NewPredictor returns a predictor of rows that come in blocks.
	NewPredictor(o model.PredictOptions) (*model.Predictor, error)
	// Columns returns the columns that a prediction needs, with the levels that the
	// model knows. They must not be changed.
	Columns() []table.Field
	// Inputs returns the inputs that the columns become. They must not be changed.
	Inputs() []box.Input
	// Target returns the target's name and scaling.
	Target() box.Target
	// Classes returns the names of the classes that predictions have probabilities of, in the
	// order of [model.Marginal.Classes]; nil where the target has none. They must not be changed.
	Classes() []string
	// Offset returns where the offsets of rows come from, the last of the columns; nil for none.
	Offset() *box.OffsetColumn
	// Policy returns what becomes of rows outside the box unless a prediction asks
	// otherwise.
	Policy() box.Policy
	// Seen returns the rows that the model was trained on, nil where it does not remember.
	Seen() *seen.Rows
	// Profile returns what these looked like, nil where the model does not remember. It must
	// not be changed.
	Profile() *profile.Profile
	// Missing returns the texts that stood for a missing value where the training rows were
	// read, nil for the default ones.
	Missing() *cell.Words
	// Origin tells of the file that the model comes from.
	Origin() model.Origin
	// Save writes the model to a file, whole or not at all.
	Save(path string) error
	// Write writes the model.
	Write(w io.Writer) error
}

// Load reads a model of any kind from a file. Errors about its content hold a
// [model.FileError], that of a file of several targets a [model.SeveralError] besides: [LoadOutputs]
// reads it.
func Load(path string) (Model, error) { return ofOneTarget(model.LoadAs(path, decode)) }

// Read reads a model of any kind. It allocates no more than a multiple of the bytes that
// r really has. All its errors hold a [model.FileError].
func Read(r io.Reader) (Model, error) { return ofOneTarget(model.ReadAs(r, decode)) }

// ofOneTarget adds what to do about several targets where a caller cannot name one.
func ofOneTarget(m Model, err error) (Model, error) {
	var several *model.SeveralError
	if errors.As(err, &several) {
		err = fmt.Errorf("%w, or fit a model of each target alone", err)
	}
	return m, err
}

// NumberOnly returns what [Load] or [Read] did, and refuses a model of classes: callers that take
// means and intervals alone have no place for what it predicts.
func NumberOnly(m Model, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	if classes := m.Classes(); classes != nil {
		return nil, fmt.Errorf("the target %s has %d classes, and only models of numbers are predicted here: take the program, its server, or the package for Python or Go",
			printable.Quoted(m.Target().Name), len(classes))
	}
	return m, nil
}

// LoadOutputs reads the models of all targets from a file: one, or those of a [model.Bundle].
// Errors about its content are [model.FileError]s.
func LoadOutputs(path string) ([]Model, error) { return model.LoadAs(path, decodeOutputs) }

// ReadOutputs is LoadOutputs of what r has. All its errors are [model.FileError]s.
func ReadOutputs(r io.Reader) ([]Model, error) { return model.ReadAs(r, decodeOutputs) }

func decodeOutputs(f *safetensors.File) (all []Model, err error) {
	if !model.HoldsBundle(f.Metadata) {
		m, err := decode(f)
		return []Model{m}, err
	}
	b, err := model.DecodeBundle(f)
	if err != nil {
		return nil, err
	}
	for _, m := range b.Models() {
		all = append(all, m)
	}
	return all, nil
}

// decode is where the kinds of models are told apart: by the metadata of a file.
func decode(f *safetensors.File) (Model, error) {
	if rival.Holds(f.Metadata) {
		return of(rival.Decode(f))
	}
	return of(model.Decode(f))
}

// of returns no model where there is an error, instead of a nil pointer in an interface.
func of[M Model](m M, err error) (Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

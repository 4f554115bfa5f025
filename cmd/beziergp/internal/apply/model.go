package apply

import (
	"context"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/wait"
	"beziergp/dataset/seen"
	"beziergp/internal/safetensors"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/table"
)

// Model is a fitted model, of this program's method or of another.
type Model struct {
	Fitted
	newPredictor func(model.PredictOptions) (predictor, error)
}

// Fitted is what a model tells of itself: a [*model.Model] or a [*rival.Model].
type Fitted interface {
	Columns() []table.Field
	Inputs() []box.Input
	Target() box.Target
	Policy() box.Policy
	Seen() *seen.Rows
	Origin() model.Origin
}

type predictor interface {
	Predict(ctx context.Context, columns [][]float64, out *model.Predictions) error
	Rows() int
	Outside() []int
	Close()
}

// fitted is a [Fitted] that predicts through a P.
type fitted[P predictor] interface {
	Fitted
	NewPredictor(model.PredictOptions) (P, error)
}

// Of returns the model that m is.
func Of[P predictor](m fitted[P]) Model {
	return Model{m, func(o model.PredictOptions) (predictor, error) { return m.NewPredictor(o) }}
}

// Load reads a model of either kind from a file, which its metadata tell, and notes that
// a file of an older version has no digest. Errors about its content are
// [model.FileError]s. A done ctx ends waiting for a pipe.
func Load(ctx context.Context, s streams.Streams, path string) (Model, error) {
	m, err := wait.For(ctx, func() (Model, error) { return load(path) })
	if err == nil && !m.Origin().Sealed {
		s.Console.NoteUnsealed(path)
	}
	return m, err
}

func load(path string) (Model, error) {
	return model.LoadAs(path, func(f *safetensors.File) (Model, error) {
		if rival.Holds(f.Metadata) {
			m, err := rival.Decode(f)
			return Of(m), err
		}
		m, err := model.Decode(f)
		return Of(m), err
	})
}

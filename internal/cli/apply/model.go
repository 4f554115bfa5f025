package apply

import (
	"context"

	"beziergp/box"
	"beziergp/internal/cli/wait"
	"beziergp/internal/safetensors"
	"beziergp/internal/seen"
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

// Load reads a model of either kind from a file, which its metadata tell. Errors about
// its content are [model.FileError]s. A done ctx ends waiting for a pipe.
func Load(ctx context.Context, path string) (Model, error) {
	return wait.For(ctx, func() (Model, error) { return load(path) })
}

func load(path string) (Model, error) {
	return model.LoadAs(path, func(tensors map[string]safetensors.Tensor, metadata map[string]string) (Model, error) {
		if rival.Holds(metadata) {
			m, err := rival.Decode(tensors, metadata)
			return Of(m), err
		}
		m, err := model.Decode(tensors, metadata)
		return Of(m), err
	})
}

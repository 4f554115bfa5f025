package beziergp_test

import (
	"context"
	"fmt"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/rival/method"
	"beziergp/rival/method/conform"
	"beziergp/table"
	"beziergp/train/auto"
)

// recipe is the default recipe, by effort fast and so many times its steps, behind the rivals' interface.
type recipe struct{ stepsFactor float64 }

type regressor struct {
	model   *beziergp.Model
	inputs  int
	workers int
}

func (m recipe) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	if len(data.X) != len(data.Y)*data.Inputs {
		panic("beziergp_test: X is not [n, d]")
	}
	t, err := columns(data.X, data.Inputs, table.Column{Name: "y", Values: data.Y})
	if err != nil {
		return nil, err
	}
	o := beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, StepsFactor: m.stepsFactor, Seed: env.Seed}, Workers: env.Workers}
	if env.Progress != nil {
		o.Progress = func(e beziergp.Event) {
			if e.Step > 0 { // or else it says how long the run will take
				env.Progress(method.Event{Step: e.Step, Steps: e.Steps})
			}
		}
	}
	fitted, err := beziergp.Fit(ctx, t, "y", o)
	if err != nil {
		return nil, err
	}
	return &regressor{fitted, data.Inputs, env.Workers}, nil
}

func (r *regressor) Predict(ctx context.Context, x, mean, std []float64) error {
	if len(x) != len(mean)*r.inputs || len(std) != len(mean) {
		panic("beziergp_test: x, mean and std differ in rows")
	}
	if len(mean) == 0 {
		return ctx.Err()
	}
	t, err := columns(x, r.inputs)
	if err != nil {
		return err
	}
	p, err := r.model.Predict(ctx, t, beziergp.PredictOptions{Workers: r.workers})
	if err != nil {
		return err
	}
	copy(mean, p.Mean)
	copy(std, p.Std)
	return nil
}

// columns is a table of the rows x [n, d] and further columns.
func columns(x []float64, inputs int, more ...table.Column) (*table.Table, error) {
	for j := range inputs {
		column := table.Column{Name: fmt.Sprint("x", j), Values: make([]float64, len(x)/inputs)}
		for i := range column.Values {
			column.Values[i] = x[i*inputs+j]
		}
		more = append(more, column)
	}
	return table.New(more...)
}

// Folds are drawn by a row's place, and float32 rounds targets of another unit another
// way, hence the drift.
func TestDefaultRecipeConforms(t *testing.T) {
	testkit.Long(t)
	conform.Run(t, recipe{0.3}, conform.Traits{Learns: 0.1, Interpolates: 0.05, DistanceAware: true, Drift: 0.1})
}

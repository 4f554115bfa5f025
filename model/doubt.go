package model

import (
	"context"
	"fmt"
	"reflect"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Doubt is the variance of f as a process of its own, on a box that is wider than
// that of the mean: gaps between training rows, and what lies beyond them, have a
// width there, and the variance rises to the prior's.
type Doubt struct {
	Inputs  []box.Input // in the model's order
	Surface *surface.Posterior
}

func (d *Doubt) check(inputs []box.Input) error {
	if len(d.Inputs) != len(inputs) || d.Surface.Inputs() != len(inputs) {
		return fmt.Errorf("a process of %d inputs for the variance of a model of %d", d.Surface.Inputs(), len(inputs))
	}
	for i, in := range d.Inputs {
		if err := in.Check(); err != nil {
			return fmt.Errorf("variance: %w", err)
		}
		if !reflect.DeepEqual(unscaled(in, inputs[i]), in) {
			return fmt.Errorf("variance: input %d, %q, is not %q in another scaling", i, in.Name, inputs[i].Name)
		}
	}
	return checkWeights(d.Surface)
}

// doubter computes the variance of f. It serves one caller at a time.
type doubter struct {
	box       box.Box
	evaluator *surface.Evaluator
	x         []float32
}

func (d *Doubt) evaluator(pool *simd.Pool) *doubter {
	return &doubter{box: box.New(d.Inputs), evaluator: surface.NewEvaluator(d.Surface, pool)}
}

// coordinates maps rows, those of the model's columns with n values each. Values outside go to the nearer face.
func (d *doubter) coordinates(columns [][]float64, n int) ([]float32, error) {
	inputs := len(d.box.Inputs)
	d.x = resize(d.x, n*inputs)
	return d.x, d.box.Map(d.x, columns, box.Clip, make([]bool, n), make([]int, inputs))
}

// variance writes Var f at the rows to dst, [n].
func (d *doubter) variance(ctx context.Context, columns [][]float64, dst []float64) error {
	x, err := d.coordinates(columns, len(dst))
	if err != nil {
		return err
	}
	return d.evaluator.Moments(ctx, x, make([]float64, len(dst)), dst)
}

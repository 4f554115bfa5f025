// Package constant predicts the mean and the deviation of the training targets,
// whatever the inputs: what every method has to beat.
package constant

import (
	"context"

	"beziergp/baseline"
)

// Method has no options.
type Method struct{}

type regressor struct {
	scaling  *baseline.Scaling
	variance float64
}

// Fit implements [baseline.Method].
func (Method) Fit(ctx context.Context, data baseline.Data, _ baseline.Environment) (baseline.Regressor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	standard, scaling, err := baseline.Standardise(data)
	if err != nil {
		return nil, err
	}
	// Σ y²/(n − 1) is the unbiased variance; the mean is no better known than that
	// divided by n.
	var square float64
	for _, y := range standard.Y {
		square += y * y
	}
	n := float64(data.Rows())
	return &regressor{scaling, square / (n - 1) * (1 + 1/n)}, nil
}

func (r *regressor) Predict(ctx context.Context, x, mean, std []float64) error {
	if _, err := r.scaling.Rows(x, mean, std); err != nil {
		return err
	}
	for i := range mean {
		mean[i], std[i] = 0, r.variance
	}
	if err := r.scaling.Restore(mean, std); err != nil {
		return err
	}
	return ctx.Err()
}

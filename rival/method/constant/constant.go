// Package constant predicts the mean and the deviation of the training targets,
// whatever the inputs, and under a law the likeliest natural parameters: of classes their
// frequencies. It is what every method has to beat.
package constant

import (
	"context"
	"fmt"

	"beziergp/rival/method"
)

// Method has no options.
type Method struct{}

type regressor struct {
	scaling *method.Scaling
	learned learned
}

// learned is of the standardised target.
type learned struct {
	Noise float64 `json:"noise"` // variance
	Rows  float64 `json:"rows"`
}

// Fit implements [method.Method].
func (Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if data.Law != nil {
		return fitLaw(ctx, data, env)
	}
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	// The unbiased variance; the mean is no better known than that divided by n.
	var square float64
	for _, y := range standard.Y {
		square += y * y
	}
	n := float64(data.Rows())
	return &regressor{scaling, learned{square / (n - 1), n}}, nil
}

// State implements [method.Storable].
func (r *regressor) State() (method.State, error) {
	return method.NewState("constant", r.scaling, r.learned, nil)
}

// Restore returns the regressor of a state.
func Restore(s method.State) (method.Storable, error) {
	if s.Law != nil {
		return restoreLaw(s)
	}
	r := &regressor{scaling: s.Scaling}
	if _, err := s.Open("constant", &r.learned); err != nil {
		return nil, err
	}
	if !(r.learned.Noise >= 0) || !(r.learned.Rows >= 1) {
		return nil, fmt.Errorf("constant: noise %g of %g rows", r.learned.Noise, r.learned.Rows)
	}
	return r, nil
}

// Noise implements [method.Latent].
func (r *regressor) Noise() float64 { return r.scaling.Deviation(r.learned.Noise) }

func (r *regressor) Predict(ctx context.Context, x, mean, std []float64) error {
	return r.scaling.Predict(x, mean, std, func(_, mean, variance []float64) error {
		for i := range mean {
			mean[i], variance[i] = 0, r.learned.Noise*(1+1/r.learned.Rows)
		}
		return ctx.Err()
	})
}

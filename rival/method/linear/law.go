package linear

import (
	"context"

	"beziergp/rival/method"
	"beziergp/rival/method/natural"
)

// Penalty is half of what a squared weight costs, in nats: that of a Gaussian prior of
// deviation 1 of each weight of a standardised input. It keeps weights finite where classes
// can be separated.
const Penalty = 1

// generalised are natural parameters that are linear in the inputs.
type generalised struct {
	scaling *method.Scaling
	law     method.Law
	weights []float64 // [K, 1 + d], the constants first
	learned options
}

type options struct {
	Penalty float64 `json:"penalty"`
}

func fitLaw(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	standard, scaling, err := method.StandardiseInputs(data)
	if err != nil {
		return nil, err
	}
	weights, law, err := natural.Fit(ctx, standard, Penalty, env)
	if err != nil {
		return nil, err
	}
	return &generalised{scaling, law, weights, options{Penalty}}, nil
}

// Law implements [method.Lawful].
func (r *generalised) Law() method.Law { return r.law }

// State implements [method.Storable].
func (r *generalised) State() (method.State, error) {
	s, err := method.NewState("linear", r.scaling, r.learned, map[string]method.Tensor{weights: method.Rows(r.weights, 1+len(r.scaling.Inputs))})
	return s.Of(r.law), err
}

func restoreLaw(s method.State) (method.Storable, error) {
	r := &generalised{scaling: s.Scaling, law: s.Law}
	d, err := s.Open("linear", &r.learned)
	if err != nil {
		return nil, err
	}
	t, err := s.Tensor(weights, s.Law.Latents(), 1+d)
	if err != nil {
		return nil, err
	}
	r.weights = t.Data
	return r, nil
}

func (r *generalised) Predict(ctx context.Context, x, mean, std []float64) error {
	return r.scaling.PredictNatural(x, mean, std, r.law.Latents(), func(rows, f []float64) error {
		natural.Evaluate(r.weights, rows, f, len(r.scaling.Inputs))
		return ctx.Err()
	})
}

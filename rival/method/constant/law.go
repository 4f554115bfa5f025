package constant

import (
	"context"
	"errors"

	"beziergp/rival/method"
	"beziergp/rival/method/natural"
)

// common are the natural parameters of a law that all rows have, offsets apart: of classes
// those of their frequencies.
type common struct {
	scaling *method.Scaling
	law     method.Law
	learned shared
}

type shared struct {
	Natural []float64 `json:"natural"` // [K]
}

func fitLaw(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	_, scaling, err := method.StandardiseInputs(data)
	if err != nil {
		return nil, err
	}
	f, law, err := natural.Constant(ctx, data, env)
	if err != nil {
		return nil, err
	}
	return &common{scaling, law, shared{f}}, nil
}

// Law implements [method.Lawful].
func (r *common) Law() method.Law { return r.law }

// State implements [method.Storable].
func (r *common) State() (method.State, error) {
	s, err := method.NewState("constant", r.scaling, r.learned, nil)
	return s.Of(r.law), err
}

func restoreLaw(s method.State) (method.Storable, error) {
	r := &common{scaling: s.Scaling, law: s.Law}
	if _, err := s.Open("constant", &r.learned); err != nil {
		return nil, err
	}
	if len(r.learned.Natural) != s.Law.Latents() {
		return nil, errors.New("constant: the natural parameters are not as many as those of the law")
	}
	return r, nil
}

func (r *common) Predict(ctx context.Context, x, mean, std []float64) error {
	return r.scaling.PredictNatural(x, mean, std, r.law.Latents(), func(_, f []float64) error {
		for i := range f {
			f[i] = r.learned.Natural[i%len(r.learned.Natural)]
		}
		return ctx.Err()
	})
}

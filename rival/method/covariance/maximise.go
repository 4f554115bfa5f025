package covariance

import (
	"context"

	"beziergp/rival/method"
	"beziergp/rival/method/ascent"
)

// Objective returns a value of a process with parameters h and inducing points z, which
// may be nil, and adds its gradient to g and, unless nil, to dz.
type Objective func(h *Hyper, z []float64, g *HyperGradient, dz []float64) (float64, error)

// Maximise moves h and z, if there is any, to where the value, a row of n, is largest,
// by steps of L-BFGS.
func Maximise(ctx context.Context, h *Hyper, z []float64, n, steps int, env method.Environment, objective Objective) error {
	own := h.Len()
	at := make([]float64, own, own+len(z))
	h.Pack(at)
	at = append(at, z...)
	_, err := ascent.Maximise(ctx, at, ascent.Options{
		Steps: steps, Progress: 1e-6, Patience: 5,
		Report: func(step int, value float64) {
			env.Report(method.Event{Step: step, Steps: steps, Objective: value})
		},
	}, func(x, gradient []float64) (float64, error) {
		if err := h.Unpack(x); err != nil {
			return 0, err
		}
		g := NewHyperGradient(len(h.Lengths))
		dz := gradient[own:]
		clear(dz)
		value, err := objective(h, x[own:], &g, dz)
		g.Pack(gradient, h)
		for i := range gradient {
			gradient[i] /= float64(n)
		}
		return value / float64(n), err
	})
	if err != nil {
		return err
	}
	copy(z, at[own:])
	return h.Unpack(at)
}

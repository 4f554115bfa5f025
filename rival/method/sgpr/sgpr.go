// Package sgpr is sparse Gaussian process regression by Titsias' collapsed bound: M
// inducing points, O(n M²) a step, O(n d + M²) memory.
package sgpr

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"beziergp/internal/limit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
)

// Method's zero value is its default.
type Method struct {
	Family   covariance.Family `json:"kernel"`   // by default covariance.Matern52
	Inducing int               `json:"inducing"` // points M at most, by default 500, never above 16384; there are never more than distinct rows
	Fixed    bool              `json:"fixed"`    // inducing points stay where k-means puts them
	Steps    int               `json:"steps"`    // of L-BFGS at most, by default 200
	Jitter   float64           `json:"jitter"`   // on the diagonal of K_uu relative to v, raised if need be; by default 1e-6
}

func (m Method) options() (Method, error) {
	m.Inducing, m.Steps, m.Jitter = cmp.Or(m.Inducing, inducing.Points), cmp.Or(m.Steps, 200), cmp.Or(m.Jitter, inducing.Jitter)
	if !(m.Jitter > 0 && m.Jitter < 1) {
		return m, fmt.Errorf("sgpr: jitter %g; give a number between 0 and 1", m.Jitter)
	}
	return m, errors.Join(limit.Check("inducing", m.Inducing, limit.Inducing), limit.Check("steps", m.Steps, limit.Count), m.Family.Check())
}

// Process is a sparse process given its training rows.
type Process struct {
	*inducing.Posterior
	learned learned
}

type learned struct {
	Options Method           `json:"options"`
	Hyper   covariance.Hyper `json:"process"`
	Bound   float64          `json:"bound"`
}

// Bound returns the bound on the log marginal likelihood of the standardised target.
func (p *Process) Bound() float64 { return p.learned.Bound }

// State implements [method.Storable].
func (p *Process) State() (method.State, error) { return p.Posterior.State("sgpr", p.learned) }

// Restore returns the process of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	p := &Process{}
	var err error
	if p.Posterior, err = inducing.Restore(s, "sgpr", &p.learned, &p.learned.Hyper); err != nil {
		return nil, err
	}
	return p, nil
}

// Fit maximises the bound over parameters and inducing points. It implements
// [method.Method].
func (m Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	m, err := m.options()
	if err != nil {
		return nil, err
	}
	p, err := inducing.Begin(ctx, data, m.Family, m.Inducing, env)
	if err != nil {
		return nil, err
	}
	b := &bound{ctx: ctx, workers: env.Pool(), data: p.Data, first: m.Jitter}
	free, objective := p.Inputs, covariance.Objective(b.value)
	if m.Fixed {
		free, objective = nil, func(h *covariance.Hyper, _ []float64, g *covariance.HyperGradient, _ []float64) (float64, error) {
			return b.value(h, p.Inputs, g, nil)
		}
	}
	if err := covariance.Maximise(ctx, &p.Hyper, free, data.Rows(), m.Steps, env, objective); err != nil {
		return nil, fmt.Errorf("sgpr: %w", err)
	}
	value, err := b.value(&p.Hyper, p.Inputs, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("sgpr: %w", err)
	}
	return &Process{p.Posterior(b.inverse, b.mean, b.root), learned{m, p.Hyper, value}}, nil
}

// Package svgp is stochastic variational Gaussian process regression: M inducing
// points and a Gaussian over the process there, learned on mini-batches, O(B M² + M³)
// a step whatever the number of rows.
package svgp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"beziergp/internal/limit"
	"beziergp/rival/method"
	"beziergp/rival/method/ascent"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
)

// Method's zero value is its default.
type Method struct {
	Family   covariance.Family `json:"kernel"`   // by default covariance.Matern52
	Inducing int               `json:"inducing"` // points M at most, by default 500, never above 16384; there are never more than distinct rows
	Batch    int               `json:"batch"`    // rows of a mini-batch B at most, by default 512
	Steps    int               `json:"steps"`    // by default 3000
	Rate     float64           `json:"rate"`     // of Adam, for parameters and inducing points, by default 0.02, falling to 0 by a cosine
	Natural  float64           `json:"natural"`  // size of the natural steps at the start, in (0, 1], by default 0.2, falling likewise to a hundredth
	Jitter   float64           `json:"jitter"`   // on the diagonal of K_uu relative to v, raised if need be; by default 1e-6
}

func (m Method) options() (Method, error) {
	m.Inducing, m.Batch, m.Steps = cmp.Or(m.Inducing, inducing.Points), cmp.Or(m.Batch, 512), cmp.Or(m.Steps, 3000)
	m.Rate, m.Natural, m.Jitter = cmp.Or(m.Rate, 0.02), cmp.Or(m.Natural, 0.2), cmp.Or(m.Jitter, inducing.Jitter)
	if !(m.Rate > 0 && m.Rate < 1 && m.Natural > 0 && m.Natural <= 1 && m.Jitter > 0 && m.Jitter < 1) {
		return m, fmt.Errorf("svgp: rate %g, natural steps %g, jitter %g; give numbers between 0 and 1", m.Rate, m.Natural, m.Jitter)
	}
	return m, errors.Join(limit.Check("inducing", m.Inducing, limit.Inducing), limit.Check("batch", m.Batch, limit.Count),
		limit.Check("steps", m.Steps, limit.Count), m.Family.Check())
}

// Process is a sparse process given its training rows.
type Process struct {
	*inducing.Posterior
	learned learned
}

type learned struct {
	Options Method           `json:"options"`
	Hyper   covariance.Hyper `json:"process"`
}

// State implements [method.Storable].
func (p *Process) State() (method.State, error) { return p.Posterior.State("svgp", p.learned) }

// Restore returns the process of a state, which predicts on one goroutine a call.
func Restore(s method.State) (method.Storable, error) {
	p := &Process{}
	var err error
	if p.Posterior, err = inducing.Restore(s, "svgp", &p.learned, &p.learned.Hyper); err != nil {
		return nil, err
	}
	return p, nil
}

// Fit raises the bound by turns: a natural step of the Gaussian, then a step of Adam
// of the parameters and inducing points, on the same mini-batch. It implements
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
	q := inducing.NewGaussian(len(p.Inputs) / data.Inputs)
	if err := m.train(ctx, p.Data, env, &p.Hyper, p.Inputs, q); err != nil {
		return nil, fmt.Errorf("svgp: %w", err)
	}
	prior, err := inducing.NewPrior(ctx, env.Pool(), &p.Hyper.Kernel, p.Inputs, m.Jitter)
	if err != nil {
		return nil, fmt.Errorf("svgp: %w", err)
	}
	return &Process{p.Posterior(prior.Inverse, q.Mean, q.Root), learned{m, p.Hyper}}, nil
}

// train moves hyper, z and q.
func (m Method) train(ctx context.Context, data method.Data, env method.Environment, hyper *covariance.Hyper, z []float64, q *inducing.Gaussian) error {
	n, d, own := data.Rows(), data.Inputs, hyper.Len()
	rows := inducing.NewSampler(data, m.Batch, rand.New(rand.NewPCG(env.Seed, 2)))
	at, gradient := make([]float64, own+len(z)), make([]float64, own+len(z))
	hyper.Pack(at)
	copy(at[own:], z)
	var climb ascent.Adam
	for step := range m.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := inducing.NewBatch(ctx, env.Pool(), hyper, z, m.Jitter, rows.Draw(), n)
		if err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		fall := (1 + math.Cos(math.Pi*float64(step)/float64(m.Steps))) / 2
		if err := b.Step(q, m.Natural*max(fall, 0.01)); err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		g := covariance.NewHyperGradient(d)
		clear(gradient)
		value, err := b.Value(q, &g, gradient[own:], nil)
		if err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		g.Pack(gradient, hyper)
		for i := range gradient {
			gradient[i] /= float64(n)
		}
		climb.Step(at, gradient, m.Rate*fall)
		hyper.Clamp(at)
		if err := hyper.Unpack(at); err != nil {
			return fmt.Errorf("step %d, bound %g: %w; take a smaller rate", step+1, value, err)
		}
		copy(z, at[own:])
		env.Report(method.Event{Step: step + 1, Steps: m.Steps, Objective: value / float64(n)})
	}
	return nil
}

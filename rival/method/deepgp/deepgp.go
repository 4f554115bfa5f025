// Package deepgp is doubly stochastic variational inference for deep Gaussian processes:
// up to three layers of sparse processes, each of those before the last with a linear mean,
// learned on mini-batches and samples. With one layer it is package svgp.
package deepgp

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
	"beziergp/rival/method/dense"
	"beziergp/rival/method/inducing"
)

// Method's zero value is its default.
type Method struct {
	Family   covariance.Family `json:"kernel"`   // of all layers, by default covariance.Matern52
	Layers   int               `json:"layers"`   // 1 to 3, by default 2
	Inducing int               `json:"inducing"` // points M of a layer at most, by default 100, never above 16384; there are never more than distinct rows
	Batch    int               `json:"batch"`    // rows of a mini-batch B at most, by default 512
	Steps    int               `json:"steps"`    // by default 10000
	Rate     float64           `json:"rate"`     // of Adam, for all but the last layer's Gaussian, by default 0.02, falling to 0 by a cosine
	Natural  float64           `json:"natural"`  // size of the natural steps of that Gaussian at the start, in (0, 1], by default 0.1, falling likewise to a hundredth
	Samples  int               `json:"samples"`  // of the inner layers in predictions, by default 64
	Jitter   float64           `json:"jitter"`   // on the diagonal of K_uu relative to v, raised if need be; by default 1e-6
}

const (
	// MostLayers is the largest number of layers.
	MostLayers  = 3
	mostWidth   = 30   // of an inner layer, the authors' number
	mostSamples = 4096 // a prediction takes their number times that of one layer
)

func (m Method) options() (Method, error) {
	m.Layers, m.Inducing, m.Batch, m.Steps = cmp.Or(m.Layers, 2), cmp.Or(m.Inducing, 100), cmp.Or(m.Batch, 512), cmp.Or(m.Steps, 10000)
	m.Rate, m.Natural, m.Samples, m.Jitter = cmp.Or(m.Rate, 0.02), cmp.Or(m.Natural, 0.1), cmp.Or(m.Samples, 64), cmp.Or(m.Jitter, inducing.Jitter)
	if !(m.Rate > 0 && m.Rate < 1 && m.Natural > 0 && m.Natural <= 1 && m.Jitter > 0 && m.Jitter < 1) {
		return m, fmt.Errorf("deepgp: rate %g, natural steps %g, jitter %g; give numbers between 0 and 1", m.Rate, m.Natural, m.Jitter)
	}
	return m, errors.Join(limit.Check("layers", m.Layers, MostLayers), limit.Check("inducing", m.Inducing, limit.Inducing), limit.Check("batch", m.Batch, limit.Count),
		limit.Check("steps", m.Steps, limit.Count), limit.Check("samples", m.Samples, mostSamples), m.Family.Check())
}

// Fit raises the bound by turns: a natural step of the last layer's Gaussian, then a step
// of Adam of all else, on the same mini-batch and sample. It implements [method.Method].
func (m Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	m, err := m.options()
	if err != nil {
		return nil, err
	}
	p, err := inducing.Begin(ctx, data, m.Family, m.Inducing, env)
	if err != nil {
		return nil, err
	}
	w, err := m.start(ctx, p, env.Pool())
	if err == nil {
		err = m.train(ctx, p.Data, env, w)
	}
	if err != nil {
		return nil, fmt.Errorf("deepgp: %w", err)
	}
	r, err := newProcess(ctx, env, m, w, p)
	if err != nil {
		return nil, fmt.Errorf("deepgp: %w", err)
	}
	return r, nil
}

// start makes the layers: the inducing points of each are those of the layer before, moved
// by its linear mean.
func (m Method) start(ctx context.Context, p *inducing.Problem, workers int) (*network, error) {
	w := &network{inputs: p.Inputs, last: p.Hyper, jitter: m.Jitter}
	d := p.Data.Inputs
	points := len(p.Inputs) / d
	width := min(d, mostWidth)
	for i := range m.Layers - 1 {
		l := newLayer(m.Family, w.inputs, d, width, identity)
		if i == 0 && width < d {
			var err error
			if l.project, err = principal(ctx, workers, p.Data, width); err != nil {
				return nil, err
			}
		}
		next := dense.New(points, width)
		if err := l.linear(ctx, workers, w.inputs, next); err != nil {
			return nil, err
		}
		w.layers, w.inputs, d = append(w.layers, l), next.Data, width
	}
	if m.Layers > 1 {
		w.last = covariance.Start(m.Family, width)
	}
	w.q = inducing.NewGaussian(points)
	return w, nil
}

// train moves all of w.
func (m Method) train(ctx context.Context, data method.Data, env method.Environment, w *network) error {
	n := data.Rows()
	rows := inducing.NewSampler(data, m.Batch, rand.New(rand.NewPCG(env.Seed, 2)))
	noise := rand.New(rand.NewPCG(env.Seed, 3))
	parameters, _ := w.sizes()
	at, gradient := make([]float64, parameters), make([]float64, parameters)
	w.pack(at)
	var climb ascent.Adam
	for step := range m.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		fall := (1 + math.Cos(math.Pi*float64(step)/float64(m.Steps))) / 2
		batch := rows.Draw()
		value, err := w.bound(ctx, env.Pool(), batch, n, w.normals(noise, batch.Rows()), m.Natural*max(fall, 0.01), gradient)
		if err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		for i := range gradient {
			gradient[i] /= float64(n)
		}
		climb.Step(at, gradient, m.Rate*fall)
		w.clamp(at)
		if err := w.unpack(at); err != nil {
			return fmt.Errorf("step %d, bound %g: %w; take a smaller rate", step+1, value, err)
		}
		env.Report(method.Event{Step: step + 1, Steps: m.Steps, Objective: value / float64(n)})
	}
	return nil
}

// normals draws the noise of the inner layers for so many rows.
func (w *network) normals(random *rand.Rand, rows int) [][]float64 {
	all := make([][]float64, len(w.layers))
	for i, l := range w.layers {
		all[i] = make([]float64, rows*l.means.Rows)
		for j := range all[i] {
			all[i][j] = random.NormFloat64()
		}
	}
	return all
}

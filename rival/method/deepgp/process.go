package deepgp

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
)

// Process is a deep process given its training rows. It may be used by several
// goroutines.
type Process struct {
	scaling *method.Scaling
	workers int
	learned learned
	layers  []known
	last    *inducing.Posterior
	draws   []float64 // ε [S, W a layer], the same for all rows; nil with one layer
}

type learned struct {
	Options Method              `json:"options"`
	Layers  []covariance.Kernel `json:"layers,omitempty"` // but for the last
	Hyper   covariance.Hyper    `json:"process"`
}

// known is a layer with what it takes of its prior.
type known struct {
	*layer
	prior *inducing.Prior
}

// newProcess keeps what training has made of w.
func newProcess(ctx context.Context, env method.Environment, m Method, w *network, p *inducing.Problem) (*Process, error) {
	out := &Process{scaling: p.Scaling, workers: env.Pool(), learned: learned{Options: m, Hyper: w.last}}
	for _, l := range w.layers {
		prior, err := inducing.NewPrior(ctx, env.Pool(), &l.kernel, l.inputs, m.Jitter)
		if err != nil {
			return nil, err
		}
		out.layers = append(out.layers, known{l, prior})
		out.learned.Layers = append(out.learned.Layers, l.kernel)
	}
	prior, err := inducing.NewPrior(ctx, env.Pool(), &w.last.Kernel, w.inputs, m.Jitter)
	if err != nil {
		return nil, err
	}
	out.last = inducing.NewPosterior(p.Scaling, out.workers, w.last, w.inputs, prior.Inverse, w.q.Mean, w.q.Root)
	if _, normals := w.sizes(); normals > 0 {
		out.draws = draw(m.Samples, normals, env.Seed)
	}
	return out, nil
}

// draw returns samples [count, d] of the normal distribution, a Latin hypercube: along
// every coordinate they are quantiles at equal distances, in an order of their own, of
// deviation 1.
func draw(count, d int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 4))
	quantiles, square := make([]float64, count), 0.0
	for i := range quantiles {
		quantiles[i] = distuv.UnitNormal.Quantile((float64(i) + 0.5) / float64(count))
		square += quantiles[i] * quantiles[i] / float64(count)
	}
	out := make([]float64, count*d)
	for j := range d {
		for i, from := range random.Perm(count) {
			if count > 1 { // one sample is the mean
				out[i*d+j] = quantiles[from] / math.Sqrt(square)
			}
		}
	}
	return out
}

// Noise implements [method.Latent].
func (p *Process) Noise() float64 { return p.last.Noise() }

// Predict implements [method.Regressor]: O(S W M²) a row and layer.
func (p *Process) Predict(ctx context.Context, x, mean, std []float64) error {
	return p.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		if len(p.layers) == 0 {
			return p.last.Moments(ctx, rows, mean, variance)
		}
		const block = 32
		d := len(p.scaling.Inputs)
		return method.Blocks(ctx, p.workers, len(mean), block, func(_, from, to int) error {
			return p.mixture(ctx, rows[from*d:to*d], mean[from:to], variance[from:to])
		})
	})
}

// mixture sets mean and variance of the standardised target to those of the mixture of
// Gaussians that samples of the inner layers lead to: the mean of the means, and the mean
// of variance and squared mean less the squared mean.
func (p *Process) mixture(ctx context.Context, x, mean, variance []float64) error {
	n, samples := len(mean), p.learned.Options.Samples
	normals := len(p.draws) / samples // of a sample
	offset := 0
	for i, l := range p.layers {
		rows, err := l.prior.Project(ctx, 1, &l.kernel, x)
		if err != nil {
			return err
		}
		at, err := l.moments(ctx, 1, x, rows.Rows)
		if err != nil {
			return err
		}
		width := l.means.Rows
		next := make([]float64, samples*n*width)
		for s := range samples {
			noise := p.draws[s*normals+offset:][:width]
			for row := range n {
				from := row // the first layer has the same moments for all samples
				if i > 0 {
					from += s * n
				}
				to := next[(s*n+row)*width:][:width]
				copy(to, sample(at.mean.Data[from*width:(from+1)*width], at.variance.Data[from*width:(from+1)*width], noise))
			}
		}
		x, offset = next, offset+width
	}
	means, variances := make([]float64, samples*n), make([]float64, samples*n)
	if err := p.last.Moments(ctx, x, means, variances); err != nil {
		return err
	}
	for row := range n {
		var first, second float64
		for s := range samples {
			first += means[s*n+row] / float64(samples)
		}
		for s := range samples {
			off := means[s*n+row] - first
			second += (variances[s*n+row] + off*off) / float64(samples)
		}
		mean[row], variance[row] = first, second
	}
	return nil
}

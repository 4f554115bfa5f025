// Package natural finds the natural parameters of a law as linear functions of inputs.
package natural

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/ascent"
)

// Steps are the most that [Fit] takes.
const Steps = 500

// block is how many rows are summed up apart from others, so that sums do not depend on
// the number of workers.
const block = 1024

// rounds are how often the law and the weights are learned in turn.
const rounds = 3

// Fit returns weights w, [K, 1 + d] by natural parameters, the constant first, at the least
//
//	Σ_i −log p(y_i | f_i) + ½ λ Σ_k,j w_kj²,  f_ik = w_k0 + offset_i + Σ_j w_kj x_ij
//
// of data whose inputs are standardised, and the law with the parameters of its own. The
// penalty λ leaves the constants out. It fails when ctx is done.
func Fit(ctx context.Context, data method.Data, penalty float64, env method.Environment) (weights []float64, law method.Law, err error) {
	k, d := data.Law.Latents(), data.Inputs
	p := &problem{Data: data, penalty: penalty, workers: env.Pool(), k: k, with: make([]float64, k*(d+1))}
	p.start()
	for range rounds {
		if _, err := ascent.Maximise(ctx, p.with, ascent.Options{Steps: Steps, Progress: 1e-13, Patience: 5, Report: func(step int, value float64) {
			env.Report(method.Event{Step: min(step, Steps), Steps: Steps, Objective: value})
		}}, func(w, gradient []float64) (float64, error) { return p.value(ctx, w, gradient) }); err != nil {
			return nil, nil, err
		}
		var another bool
		if p.Law, another = p.Law.Refit(data.Rows(), p.at); !another {
			break
		}
	}
	return p.with, p.Law, ctx.Err()
}

type problem struct {
	method.Data
	penalty float64
	workers int
	k       int
	with    []float64 // weights [K, 1 + d]
}

// start sets the constants to those of the average target, and the other weights to 0.
func (p *problem) start() {
	mean, f := make([]float64, p.k), make([]float64, p.k)
	p.Mean(mean)
	p.Law.Link(mean, f)
	for k, v := range f {
		p.with[k*(p.Inputs+1)] = v
	}
}

// at writes the natural parameters of a row, its offset included, and returns its target.
func (p *problem) at(i int, f []float64) float64 {
	Evaluate(p.with, p.X[i*p.Inputs:(i+1)*p.Inputs], f, p.Inputs)
	for k := range f {
		f[k] += p.OffsetOf(i)
	}
	return p.Y[i]
}

// Evaluate writes the natural parameters of rows x, [m, d], to f, [m, K], by the weights,
// [K, 1 + d], offsets apart.
func Evaluate(weights, x, f []float64, d int) {
	k := len(weights) / (d + 1)
	m := len(f) / k
	for i := range m {
		for c := range k {
			f[i*k+c] = weights[c*(d+1)]
		}
	}
	if d > 0 && m > 0 {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, general(x, m, d, d), general(weights[1:], k, d, d+1), 1, general(f, m, k, k))
	}
}

func general(data []float64, rows, columns, stride int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: stride, Data: data}
}

// value returns minus the objective a row, and its gradient.
func (p *problem) value(ctx context.Context, w, gradient []float64) (float64, error) {
	n, d := p.Rows(), p.Inputs
	blocks := (n + block - 1) / block
	sums, slopes := make([]float64, blocks), make([][]float64, blocks)
	err := method.Share(ctx, p.workers, blocks, func(_, b int) error {
		sums[b], slopes[b] = p.block(w, b*block, min((b+1)*block, n))
		return nil
	})
	if err != nil {
		return 0, err
	}
	clear(gradient)
	var sum float64
	for b, part := range slopes {
		sum += sums[b]
		for j, v := range part {
			gradient[j] += v
		}
	}
	for j, v := range w {
		if j%(d+1) != 0 {
			sum += p.penalty * v * v / 2
			gradient[j] += p.penalty * v
		}
	}
	for j := range gradient {
		gradient[j] /= -float64(n)
	}
	if math.IsNaN(sum) {
		sum = math.Inf(1)
	}
	return -sum / float64(n), nil
}

// block returns the losses of rows and their derivatives by the weights.
func (p *problem) block(w []float64, from, to int) (sum float64, slope []float64) {
	m, d, k := to-from, p.Inputs, p.k
	f, x := make([]float64, m*k), p.X[from*d:to*d]
	Evaluate(w, x, f, d)
	own := make([]float64, k)
	slope = make([]float64, len(w))
	for i := range m {
		row := f[i*k : (i+1)*k]
		for c := range row {
			row[c] += p.OffsetOf(from + i)
		}
		sum += p.Law.Loss(p.Y[from+i], row, own)
		copy(row, own)
		for c, v := range own {
			slope[c*(d+1)] += v
		}
	}
	if d > 0 {
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, general(f, m, k, k), general(x, m, d, d), 1, general(slope[1:], k, d, d+1))
	}
	return sum, slope
}

// Constant is [Fit] of data whose inputs do not count: [K] natural parameters.
func Constant(ctx context.Context, data method.Data, env method.Environment) ([]float64, method.Law, error) {
	data.X, data.Inputs = nil, 0
	return Fit(ctx, data, 0, env)
}

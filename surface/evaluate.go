package surface

import (
	"context"

	"beziergp/buttress"
	"beziergp/internal/kernel"
)

// Evaluator computes moments of f. It holds the memory of a number of workers and
// serves one caller at a time.
type Evaluator struct {
	q       *Posterior
	pool    *kernel.Pool
	workers []worker
}

type worker struct {
	strips []*Strip           // by group
	states []*buttress.States // by group
	value  []float32          // [MaxStrip]
}

// NewEvaluator returns an evaluator on the workers of pool.
func NewEvaluator(q *Posterior, pool *kernel.Pool) *Evaluator {
	return &Evaluator{q: q, pool: pool, workers: make([]worker, pool.Workers())}
}

// worker returns the memory of worker i, made when it is first needed.
func (e *Evaluator) worker(i int) *worker {
	w := &e.workers[i]
	if w.value == nil {
		for g := range e.q.groups {
			w.strips = append(w.strips, e.q.NewStrip(g))
			w.states = append(w.states, e.q.groups[g].Ensemble.NewStates(false))
		}
		w.value = make([]float32, MaxStrip)
	}
	return w
}

// Moments computes the mean and the variance of f at the points x, [n, d] by
// rows, into mean and variance, [n]. With variance nil it computes the mean only.
// Results do not depend on the number of workers nor on a point's neighbours. It
// stops early, with ctx's error, when ctx is done.
func (e *Evaluator) Moments(ctx context.Context, x []float32, mean, variance []float64) error {
	return e.eachStrip(ctx, len(x)/e.q.inputs, func(w *worker, from, to int) {
		part := x[from*e.q.inputs : to*e.q.inputs]
		for _, strip := range w.strips {
			strip.fill(part)
		}
		e.sumMean(w, mean[from:to])
		if variance != nil {
			e.sumVariance(w, variance[from:to])
		}
	})
}

// Covariance computes the covariances of f at pairs of points, cov[p] that of x[p]
// and z[p], for x and z of shape [n, d].
func (e *Evaluator) Covariance(ctx context.Context, x, z []float32, cov []float64) error {
	d := e.q.inputs
	return e.eachStrip(ctx, len(x)/d, func(w *worker, from, to int) {
		for g, strip := range w.strips {
			other := e.q.NewStrip(g)
			strip.fill(x[from*d : to*d])
			other.fill(z[from*d : to*d])
			strip.multiply(other)
		}
		e.sumVariance(w, cov[from:to])
	})
}

func (e *Evaluator) eachStrip(ctx context.Context, n int, run func(w *worker, from, to int)) error {
	e.pool.Do((n+MaxStrip-1)/MaxStrip, func(i, part int) {
		if ctx.Err() == nil {
			run(e.worker(i), part*MaxStrip, min((part+1)*MaxStrip, n))
		}
	})
	return ctx.Err()
}

// sumMean writes the sum of all mean buttresses at the worker's strips to dst.
func (e *Evaluator) sumMean(w *worker, dst []float64) {
	clear(dst)
	for g, own := range e.q.groups {
		weights := e.q.Mean(e.q.params, g)
		for k := range own.Ensemble.Buttresses() {
			own.Ensemble.Forward(k, own.Ensemble.Weights(weights, k), &w.strips[g].Mean, w.states[g], w.value)
			for p := range dst {
				dst[p] += float64(w.value[p])
			}
		}
	}
}

// sumVariance writes the sum of all variance buttresses at the worker's strips to
// dst.
func (e *Evaluator) sumVariance(w *worker, dst []float64) {
	clear(dst)
	for g, own := range e.q.groups {
		for k := range own.Ensemble.Buttresses() {
			own.Ensemble.Forward(k, own.Ensemble.Weights(e.q.expV[g], k), &w.strips[g].Variance, w.states[g], w.value)
			for p := range dst {
				dst[p] += float64(w.value[p])
			}
		}
	}
	scale := e.q.PriorScale()
	for p := range dst {
		dst[p] *= scale
	}
}

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
	call    call
	strip   func(worker, part int) // made once, so that no call allocates
}

type worker struct {
	strips []*Strip           // by group
	others []*Strip           // by group, of a covariance's second points
	states []*buttress.States // by group
	value  []float32          // [StripPoints]
}

// call is what the evaluator is asked for.
type call struct {
	ctx            context.Context
	x, z           []float32
	mean, variance []float64 // or, where there is a z, the covariance
}

// NewEvaluator returns an evaluator on the workers of pool.
func NewEvaluator(q *Posterior, pool *kernel.Pool) *Evaluator {
	e := &Evaluator{q: q, pool: pool, workers: make([]worker, pool.Workers())}
	e.strip = e.evaluate
	return e
}

// worker returns the memory of worker i, made when it is first needed.
func (e *Evaluator) worker(i int) *worker {
	w := &e.workers[i]
	if w.value == nil {
		for g := range e.q.groups {
			w.strips = append(w.strips, e.q.NewStrip(g))
			w.states = append(w.states, e.q.groups[g].Ensemble.NewStates(e.q.strip, false))
		}
		w.value = make([]float32, e.q.strip)
	}
	if e.call.z != nil && w.others == nil {
		for g := range e.q.groups {
			w.others = append(w.others, e.q.NewStrip(g))
		}
	}
	return w
}

// Moments computes the mean and the variance of f at the points x, [n, d] by
// rows, into mean and variance, [n]. With variance nil it computes the mean only.
// Results do not depend on the number of workers nor on a point's neighbours. It
// stops early, with ctx's error, when ctx is done.
func (e *Evaluator) Moments(ctx context.Context, x []float32, mean, variance []float64) error {
	return e.run(call{ctx: ctx, x: x, mean: mean, variance: variance})
}

// Covariance computes the covariances of f at pairs of points, cov[p] that of x[p]
// and z[p], for x and z of shape [n, d].
func (e *Evaluator) Covariance(ctx context.Context, x, z []float32, cov []float64) error {
	return e.run(call{ctx: ctx, x: x, z: z, variance: cov})
}

func (e *Evaluator) run(c call) error {
	e.call = c
	n := len(c.x) / e.q.inputs
	e.pool.Do((n+e.q.strip-1)/e.q.strip, e.strip)
	e.call = call{} // what it holds on to is the caller's
	return c.ctx.Err()
}

// evaluate does one strip of what is asked for.
func (e *Evaluator) evaluate(i, part int) {
	c, w, d := &e.call, e.worker(i), e.q.inputs
	if c.ctx.Err() != nil {
		return
	}
	from, to := part*e.q.strip, min((part+1)*e.q.strip, len(c.x)/d)
	for g, strip := range w.strips {
		strip.Fill(c.x[from*d : to*d])
		if c.z != nil {
			w.others[g].Fill(c.z[from*d : to*d])
			strip.multiply(w.others[g])
		}
	}
	if c.mean != nil {
		e.sumMean(w, c.mean[from:to])
	}
	if c.variance != nil {
		e.sumVariance(w, c.variance[from:to])
	}
}

// sumMean writes the sum of all mean buttresses at the worker's strips to dst.
func (e *Evaluator) sumMean(w *worker, dst []float64) {
	clear(dst)
	for g, own := range e.q.groups {
		if !own.HasMean() {
			continue
		}
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
		if !own.HasVariance() {
			continue
		}
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

package surface

import (
	"context"

	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Evaluator computes moments of f. It holds the memory of a number of workers and
// serves one caller at a time.
type Evaluator struct {
	q       *Posterior
	pool    *simd.Pool
	workers [][sizes]worker
	call    call
	tile    func(worker, part int) // made once, so that no call allocates
}

// worker is memory for one tile of one group, or of several of equal bases, whichever is
// at work: a model may have many groups, and memory for all at once would be a multiple of
// its weights.
type worker struct {
	tile   *Tile
	other  *Tile // of a covariance's second points; nil until there are some
	states *buttress.States
	value  []float32 // [T, TilePoints]
}

// call is what the evaluator is asked for.
type call struct {
	ctx            context.Context
	x, z           []float32
	mean, variance []float64 // or, where there is a z, the covariance
	size, points   int       // of tiles
}

// NewEvaluator returns an evaluator on the workers of pool.
func NewEvaluator(q *Posterior, pool *simd.Pool) *Evaluator {
	e := &Evaluator{q: q, pool: pool, workers: make([][sizes]worker, pool.Workers())}
	e.tile = e.evaluate
	return e
}

// worker returns the memory of worker i, made when it is first needed.
func (e *Evaluator) worker(i int) *worker {
	w, points := &e.workers[i][e.call.size], e.call.points
	if w.tile == nil {
		var ensembles []*buttress.Ensemble
		for _, own := range e.q.groups {
			ensembles = append(ensembles, own.Ensemble)
		}
		w.tile = newTile(points, e.q.groups...)
		w.states = buttress.NewStates(points, ensembles...)
		w.value = make([]float32, e.q.outputs*points)
	}
	if e.call.z != nil && w.other == nil {
		w.other = newTile(points, e.q.groups...)
	}
	return w
}

// Moments computes the mean and the variance of f at the points x, [n, d] by
// rows, into mean and variance, [n], or [n, T] by rows where there are T > 1 outputs. With
// variance nil it computes the mean only.
// Results do not depend on the number of workers nor on a point's neighbours. It
// stops early, with ctx's error, when ctx is done.
func (e *Evaluator) Moments(ctx context.Context, x []float32, mean, variance []float64) error {
	return e.run(call{ctx: ctx, x: x, mean: mean, variance: variance})
}

// Covariance computes the covariances of f at pairs of points, cov[p] that of x[p]
// and z[p], for x and z of shape [n, d]. Of several outputs cov is [n, T], each output's own:
// a posteriori those of different outputs are independent.
func (e *Evaluator) Covariance(ctx context.Context, x, z []float32, cov []float64) error {
	return e.run(call{ctx: ctx, x: x, z: z, variance: cov})
}

func (e *Evaluator) run(c call) error {
	n := len(c.x) / e.q.inputs
	c.size, c.points = e.q.tileFor(n)
	e.call = c
	e.pool.Do((n+c.points-1)/c.points, e.tile)
	e.call = call{} // what it holds on to is the caller's
	return c.ctx.Err()
}

// evaluate does one tile of what is asked for.
func (e *Evaluator) evaluate(i, part int) {
	c, w, d := &e.call, e.worker(i), e.q.inputs
	if c.ctx.Err() != nil {
		return
	}
	from, to := part*c.points, min((part+1)*c.points, len(c.x)/d)
	mean, variance := c.mean, c.variance
	if mean != nil {
		mean = mean[from*e.q.outputs : to*e.q.outputs]
		clear(mean)
	}
	if variance != nil {
		variance = variance[from*e.q.outputs : to*e.q.outputs]
		clear(variance)
	}
	for _, alike := range e.q.alike() {
		own := e.q.groups[alike[0]]
		forMean, forVariance := mean != nil && own.HasMean(), variance != nil && own.HasVariance()
		if !forMean && !forVariance {
			continue
		}
		w.tile.group = own
		w.tile.Fill(c.x[from*d : to*d])
		if c.z != nil {
			w.other.group = own
			w.other.Fill(c.z[from*d : to*d])
			w.tile.multiply(w.other, c.x[from*d:to*d], c.z[from*d:to*d])
		}
		for _, g := range alike {
			ensemble := e.q.groups[g].Ensemble
			if forMean {
				w.add(mean, ensemble, e.q.Mean(e.q.params, g), &w.tile.Mean)
			}
			if forVariance {
				w.add(variance, ensemble, e.q.expV[g], &w.tile.Variance)
			}
		}
	}
	scale := e.q.PriorScale()
	for p := range variance {
		variance[p] *= scale
	}
}

// add adds the sum of all buttresses of an ensemble at a tile to dst.
func (w *worker) add(dst []float64, ensemble *buttress.Ensemble, weights []float32, tile *buttress.Tile) {
	for k := range ensemble.Buttresses() {
		ensemble.Forward(k, ensemble.Weights(weights, k), tile, w.states, w.value)
		t := ensemble.Outputs()
		for i := range t {
			own := w.value[i*tile.Stride:][:tile.Points]
			for p, v := range own {
				dst[p*t+i] += float64(v)
			}
		}
	}
}

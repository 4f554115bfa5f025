package elbo

import (
	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// tilePass is the memory of a tile on its way through all buttresses.
type tilePass struct {
	bound            *Bound
	from, to         int // rows of the batch that it holds
	means, variances passes
	weights          []float64 // of the rows
	mean, variance   []float64 // moments of f at the rows, and then E[ℓ]'s derivatives by them; a known one stays
	byMean           []float32 // cotangents of the mean buttresses' values
	byVariance       []float32 // and of the variance buttresses'
	share            *share

	forward, backward func(worker, part int)
}

// sharer runs the parts of a job, as [simd.Pool.Do].
type sharer interface {
	Do(n int, run func(worker, part int))
}

// alone is the sharer that leaves every part to one worker.
type alone int

func (w alone) Do(n int, run func(worker, part int)) {
	for part := range n {
		run(int(w), part)
	}
}

var _ sharer = (*simd.Pool)(nil)

func newTilePass(b *Bound) *tilePass {
	points := b.surface.TilePoints()
	l := &tilePass{
		bound: b, means: newPasses(b.surface, b.own, true), variances: newPasses(b.surface, b.own, !b.linear),
		weights: make([]float64, points), mean: make([]float64, points), variance: make([]float64, points),
		byMean: make([]float32, points), byVariance: make([]float32, points),
	}
	for p := range l.variance {
		l.variance[p] = b.slope
	}
	l.forward, l.backward = l.forwardButtress, l.backwardButtress
	return l
}

// pass takes the tile that begins with row from, sets what it adds to the bound
// and adds its part of the gradient.
func (l *tilePass) pass(from int, own *share, workers sharer) {
	l.ahead(from, workers)
	l.back(own, workers)
	own.variance = l.linearTerm()
}

// ahead takes the tile that begins with row from through the buttresses, forward.
func (l *tilePass) ahead(from int, workers sharer) {
	b := l.bound
	l.from, l.to = from, min(from+b.surface.TilePoints(), b.call.rows.Len())
	jobs := 2 * b.own.Len()
	if b.linear {
		jobs = b.own.Len()
	}
	workers.Do(jobs, l.forward)
}

// back takes the tile backward, given the values of all buttresses.
func (l *tilePass) back(own *share, workers sharer) {
	l.share = own
	l.expectation()
	workers.Do(2*l.bound.own.Len(), l.backward)
}

// bases returns those of a group at the tile, in a worker's own memory.
func (l *tilePass) bases(worker, group int) *surface.Tile {
	d := l.bound.surface.Inputs()
	return l.bound.workers[worker].at(l.from, l.bound.surface.TilePoints(), l.bound.call.rows.X[l.from*d:l.to*d])[group]
}

// forwardButtress sends the tile through one buttress, that of a mean or of a variance.
func (l *tilePass) forwardButtress(worker, part int) {
	b := l.bound
	index, variance := b.job(part)
	own, t := &b.workers[worker], b.tasks[index]
	if variance {
		l.variances.forward(own, index, b.expWeights(t), &l.bases(worker, t.group).Variance)
	} else {
		l.means.forward(own, index, t.mean(b.surface, b.call.params), &l.bases(worker, t.group).Mean)
	}
}

// expectation sets Σ w E[ℓ] over the tile and fills the cotangents of means and
// variances. Where E[ℓ] is linear in Var f, which is then not known yet, it is E[ℓ] at
// Var f = 0.
func (l *tilePass) expectation() {
	b, c := l.bound, &l.bound.call
	n := l.to - l.from
	weights, mean, y := l.weigh(), l.mean[:n], c.rows.Targets(l.from, l.to)
	b.likelihood.Offset(y, mean)
	l.means.addTo(mean, 0)
	var variance []float64
	if !b.linear {
		variance = l.variance[:n]
		clear(variance)
		l.variances.addTo(variance, 0)
		floats.Scale(b.surface.PriorScale(), variance)
	}
	l.share.loss = b.likelihood.Expectation(y, weights, mean, variance)
	l.share.normaliser = b.likelihood.LogNormaliser(y, weights, b.terms.LogDispersion)
	for p, w := range weights {
		l.byMean[p] = float32(c.scale * w * mean[p])
		l.byVariance[p] = float32(l.variance[p] * c.scale * b.surface.PriorScale() * w)
	}
}

// weigh returns the weights of the tile's rows.
func (l *tilePass) weigh() []float64 {
	weights := l.weights[:l.to-l.from]
	for p := range weights {
		weights[p] = l.bound.call.rows.Weight(l.from + p)
	}
	return weights
}

// backwardButtress adds the tile's part of the gradient by the weights of one
// buttress, by W or by exp(V).
func (l *tilePass) backwardButtress(worker, part int) {
	b := l.bound
	index, variance := b.job(part)
	own, t := &b.workers[worker], b.tasks[index]
	if bases := l.bases(worker, t.group); variance {
		l.variances.backward(own, index, b.expWeights(t), &bases.Variance, l.byVariance, t.variance(b.surface, l.share.gradient))
	} else {
		l.means.backward(own, index, t.mean(b.surface, b.call.params), &bases.Mean, l.byMean, t.mean(b.surface, l.share.gradient))
	}
}

// linearTerm returns Σ w Var f ∂E[ℓ]/∂Var f over the tile where E[ℓ] is linear in Var f,
// and else 0.
func (l *tilePass) linearTerm() float64 {
	if !l.bound.linear {
		return 0
	}
	var sum float64
	for _, variance := range l.variances.values {
		for p, v := range variance[:l.to-l.from] {
			sum += l.weights[p] * float64(v)
		}
	}
	return l.bound.slope * sum * l.bound.surface.PriorScale()
}

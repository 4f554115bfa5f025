package elbo

import (
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// tilePass is the memory of a tile on its way through all buttresses.
type tilePass struct {
	bound     *Bound
	from, to  int // rows of the batch that it holds
	means     passes
	variances [][]float32 // by buttress
	residual  []float32   // cotangent of the means
	constant  []float32   // cotangent of the variances
	weights   []float64   // of the rows
	share     *share

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
		bound: b, means: newPasses(b.surface),
		residual: make([]float32, points), constant: make([]float32, points), weights: make([]float64, points),
	}
	for range b.tasks {
		l.variances = append(l.variances, make([]float32, points))
	}
	l.forward, l.backward = l.forwardButtress, l.backwardButtress
	return l
}

// pass takes the tile that begins with row from, sets what it adds to the bound
// and adds its part of the gradient.
func (l *tilePass) pass(from int, own *share, workers sharer) {
	b := l.bound
	l.from, l.to, l.share = from, min(from+b.surface.TilePoints(), len(b.call.rows.Y)), own
	workers.Do(len(b.tasks), l.forward)
	l.weigh()
	own.squaredError = l.residuals()
	workers.Do(2*len(b.tasks), l.backward)
	own.variance = l.variance()
}

// bases returns those of a group at the tile, in a worker's own memory.
func (l *tilePass) bases(worker, group int) *surface.Tile {
	d := l.bound.surface.Inputs()
	return l.bound.workers[worker].at(l.from, l.bound.call.rows.X[l.from*d:l.to*d])[group]
}

// weigh sets the weights of the tile's points and the cotangent of the variances.
func (l *tilePass) weigh() {
	b := l.bound
	for p := range l.to - l.from {
		l.weights[p] = b.call.rows.Weight(l.from + p)
		l.constant[p] = float32(0.5 * b.call.scale * b.surface.PriorScale() * l.weights[p])
	}
}

// forwardButtress sends the tile through one mean buttress.
func (l *tilePass) forwardButtress(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	l.means.forward(&b.workers[worker], part, t.mean(b.surface, b.call.params), &l.bases(worker, t.group).Mean)
}

// residuals fills the cotangent of the means, scale · w (μ − y), and returns
// Σ w (y − μ)².
func (l *tilePass) residuals() float64 {
	var sum float64
	for p, target := range l.bound.call.rows.Y[l.from:l.to] {
		r := -float64(target)
		for _, mean := range l.means.values {
			r += float64(mean[p])
		}
		sum += l.weights[p] * r * r
		l.residual[p] = float32(l.bound.call.scale * l.weights[p] * r)
	}
	return sum
}

// backwardButtress adds the tile's part of the gradient by the weights of one
// buttress, by W or by exp(V).
func (l *tilePass) backwardButtress(worker, part int) {
	if index, variance := l.bound.job(part); variance {
		l.backwardVariance(worker, index)
	} else {
		l.backwardMean(worker, index)
	}
}

func (l *tilePass) backwardMean(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	w, dw := t.mean(b.surface, b.call.params), t.mean(b.surface, l.share.gradient)
	l.means.backward(&b.workers[worker], part, w, &l.bases(worker, t.group).Mean, l.residual, dw)
}

func (l *tilePass) backwardVariance(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	e := b.surface.Group(t.group).Ensemble
	bases := &l.bases(worker, t.group).Variance
	states, expV := b.workers[worker].states[t.group], e.Weights(b.expV[t.group], t.index)
	e.Forward(t.index, expV, bases, states, l.variances[part])
	e.Backward(t.index, expV, bases, states, l.constant, t.variance(b.surface, l.share.gradient))
}

// variance returns Σ w Var f over the tile.
func (l *tilePass) variance() float64 {
	var sum float64
	for _, variance := range l.variances {
		for p, v := range variance[:l.to-l.from] {
			sum += l.weights[p] * float64(v)
		}
	}
	return sum * l.bound.surface.PriorScale()
}

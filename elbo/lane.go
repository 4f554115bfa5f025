package elbo

import (
	"beziergp/internal/kernel"
	"beziergp/surface"
)

// lane is the memory of a strip on its way through all buttresses.
type lane struct {
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

// sharer runs the parts of a job, as [kernel.Pool.Do].
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

var _ sharer = (*kernel.Pool)(nil)

func newLane(b *Bound) *lane {
	points := b.surface.StripPoints()
	l := &lane{
		bound: b, means: newPasses(b.surface),
		residual: make([]float32, points), constant: make([]float32, points), weights: make([]float64, points),
	}
	for range b.tasks {
		l.variances = append(l.variances, make([]float32, points))
	}
	l.forward, l.backward = l.forwardButtress, l.backwardButtress
	return l
}

// pass takes the strip that begins with row from, sets what it adds to the bound
// and adds its part of the gradient.
func (l *lane) pass(from int, own *share, workers sharer) {
	b := l.bound
	l.from, l.to, l.share = from, min(from+b.surface.StripPoints(), len(b.call.rows.Y)), own
	workers.Do(len(b.tasks), l.forward)
	l.weigh()
	own.squaredError = l.residuals()
	workers.Do(2*len(b.tasks), l.backward)
	own.variance = l.variance()
}

// bases returns those of a group at the strip, in a worker's own memory.
func (l *lane) bases(worker, group int) *surface.Strip {
	d := l.bound.surface.Inputs()
	return l.bound.workers[worker].at(l.from, l.bound.call.rows.X[l.from*d:l.to*d])[group]
}

// weigh sets the weights of the strip's points and the cotangent of the variances.
func (l *lane) weigh() {
	b := l.bound
	for p := range l.to - l.from {
		l.weights[p] = b.call.rows.Weight(l.from + p)
		l.constant[p] = float32(0.5 * b.call.scale * b.surface.PriorScale() * l.weights[p])
	}
}

// forwardButtress sends the strip through one mean buttress.
func (l *lane) forwardButtress(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	l.means.forward(&b.workers[worker], part, t.mean(b.surface, b.call.params), &l.bases(worker, t.group).Mean)
}

// residuals fills the cotangent of the means, scale · w (μ − y), and returns
// Σ w (y − μ)².
func (l *lane) residuals() float64 {
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

// backwardButtress adds the strip's part of the gradient by the weights of one
// buttress, by W or by exp(V).
func (l *lane) backwardButtress(worker, part int) {
	if index, variance := l.bound.job(part); variance {
		l.backwardVariance(worker, index)
	} else {
		l.backwardMean(worker, index)
	}
}

func (l *lane) backwardMean(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	w, dw := t.mean(b.surface, b.call.params), t.mean(b.surface, l.share.gradient)
	l.means.backward(&b.workers[worker], part, w, &l.bases(worker, t.group).Mean, l.residual, dw)
}

func (l *lane) backwardVariance(worker, part int) {
	b, t := l.bound, l.bound.tasks[part]
	e := b.surface.Group(t.group).Ensemble
	bases := &l.bases(worker, t.group).Variance
	states, expV := b.workers[worker].states[t.group], e.Weights(b.expV[t.group], t.index)
	e.Forward(t.index, expV, bases, states, l.variances[part])
	e.Backward(t.index, expV, bases, states, l.constant, t.variance(b.surface, l.share.gradient))
}

// variance returns Σ w Var f over the strip.
func (l *lane) variance() float64 {
	var sum float64
	for _, variance := range l.variances {
		for p, v := range variance[:l.to-l.from] {
			sum += l.weights[p] * float64(v)
		}
	}
	return sum * l.bound.surface.PriorScale()
}

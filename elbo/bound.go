package elbo

import (
	"beziergp/buttress"
	"beziergp/internal/kernel"
	"beziergp/surface"
)

// fillParts is the number of parts, at most, that the inputs of a group are shared
// out in: few inputs take less time than sharing them out.
const fillParts = 16

// Bound evaluates the bound and its gradient on mini-batches, strip by strip: the
// bases once for all buttresses, all mean buttresses forward, the residuals, then
// all buttresses backward. Workers share out inputs and buttresses, so whatever is
// added up is added in a fixed order and results do not depend on their number.
// It holds the memory of all its workers and serves one caller at a time.
type Bound struct {
	surface    *surface.Surface
	pool       *kernel.Pool
	rows       float64
	inputs     []inputs           // of a group, shared out
	buttresses []task             // a buttress of a group
	strips     []*surface.Strip   // by group
	kept       []*buttress.States // by mean buttress; nil where computed again
	keptAhead  []*buttress.States // by variance buttress; nil where computed again
	ahead      bool               // whether variance buttresses go forward along with the mean ones: few would leave workers without work
	workers    []scratch
	means      [][]float32 // by buttress: its mean at the strip, [StripPoints]
	variances  [][]float32 // by buttress: its variance at the strip
	residual   []float32   // cotangent of the means, [StripPoints]
	constant   []float32   // cotangent of the variances
	weights    []float64   // of the rows, [StripPoints]
	expV       [][]float32 // by group
	kl         []buttress.KL
	terms      Terms

	call     call // what Evaluate is working on
	begin    func(worker, part int)
	fill     func(worker, part int)
	forward  func(worker, part int)
	backward func(worker, part int)
}

// task names the work on one buttress.
type task struct{ group, index int }

// inputs names the work on the bases of some inputs.
type inputs struct{ group, from, to int }

// scratch is the memory of one worker, by group.
type scratch struct {
	values []*buttress.States // of a forward pass alone
	states []*buttress.States
	paths  []*buttress.Paths
}

// call holds the arguments of an evaluation and the strip that it is at.
type call struct {
	params, gradient []float32
	x                []float32 // of the strip
	last             bool      // whether it is the batch's last strip
}

// NewBound returns the bound of a surface given a training set of n rows.
func NewBound(s *surface.Surface, rows int, pool *kernel.Pool) *Bound {
	b := &Bound{
		surface: s, pool: pool, rows: float64(rows),
		residual: make([]float32, s.StripPoints()), constant: make([]float32, s.StripPoints()), weights: make([]float64, s.StripPoints()),
		workers: make([]scratch, pool.Workers()),
	}
	for g := range s.Groups() {
		e := s.Group(g).Ensemble
		b.strips = append(b.strips, s.NewStrip(g))
		b.expV = append(b.expV, make([]float32, e.Size()))
		b.terms.KL = append(b.terms.KL, KL{LogPaths: e.LogPaths()})
		b.inputs = append(b.inputs, shareInputs(g, e.Inputs())...)
		for k := range e.Buttresses() {
			b.buttresses = append(b.buttresses, task{g, k})
			b.means = append(b.means, make([]float32, s.StripPoints()))
			b.variances = append(b.variances, make([]float32, s.StripPoints()))
		}
		for i := range b.workers {
			b.workers[i].values = append(b.workers[i].values, e.NewStates(s.StripPoints(), false))
			b.workers[i].states = append(b.workers[i].states, e.NewStates(s.StripPoints(), true))
			b.workers[i].paths = append(b.workers[i].paths, e.NewPaths())
		}
	}
	b.kl = make([]buttress.KL, len(b.buttresses))
	b.kept, b.keptAhead = make([]*buttress.States, len(b.buttresses)), make([]*buttress.States, len(b.buttresses))
	b.ahead = s.KeepsPasses() && len(b.buttresses) < 2*pool.Workers()
	for i, t := range b.buttresses {
		if s.KeepsPasses() {
			b.kept[i] = s.Group(t.group).Ensemble.NewStates(s.StripPoints(), true)
		}
		if b.ahead {
			b.keptAhead[i] = s.Group(t.group).Ensemble.NewStates(s.StripPoints(), true)
		}
	}
	// Made once, because a function value made for each call would be allocated.
	b.begin, b.fill, b.forward, b.backward = b.beginBatch, b.fillInputs, b.forwardButtress, b.backwardButtress
	return b
}

// Batch is a mini-batch of rows.
type Batch struct {
	X       []float32 // [B, d] by rows
	Y       []float32 // [B]
	Weights []float32 // of the rows in the data term, [B]; nil for 1 each
}

// Evaluate returns the terms of the bound at params and log σ² on a mini-batch and
// writes the gradient of [Terms.Objective] to gradient, of the length of params. The
// terms' KL is valid until the next call.
func (b *Bound) Evaluate(params []float32, logNoise float64, rows Batch, gradient []float32) Terms {
	scale := b.rows / float64(len(rows.Y)) // of the mini-batch to all rows
	t := &b.terms
	t.Rows, t.LogNoise, t.SquaredError, t.Variance = b.rows, logNoise, 0, 0
	b.call = call{params: params, gradient: gradient}
	d, strip := b.surface.Inputs(), b.surface.StripPoints()
	for from := 0; from < len(rows.Y); from += strip {
		to := min(from+strip, len(rows.Y))
		b.call.x, b.call.last = rows.X[from*d:to*d], to == len(rows.Y)
		if from == 0 {
			b.pool.Do(len(b.buttresses)+len(b.inputs), b.begin)
		} else {
			b.pool.Do(len(b.inputs), b.fill)
		}
		for _, s := range b.strips {
			s.SetPoints(to - from)
		}
		b.pool.Do(b.forwards(), b.forward)
		b.weigh(rows.Weights, from, to)
		t.SquaredError += scale * b.residuals(rows.Y[from:to], scale)
		for p, w := range b.weights[:to-from] {
			b.constant[p] = float32(0.5 * scale * b.surface.PriorScale() * w)
		}
		b.pool.Do(2*len(b.buttresses), b.backward)
		t.Variance += scale * b.variance(to-from)
	}
	for g := range t.KL {
		t.KL[g].PerPath = 0
	}
	for part, own := range b.buttresses {
		t.KL[own.group].PerPath += b.kl[part].PerPath()
	}
	return *t
}

// weigh sets the weights of the strip's points, 1 where there are none.
func (b *Bound) weigh(weights []float32, from, to int) {
	for p := range to - from {
		b.weights[p] = 1
		if weights != nil {
			b.weights[p] = float64(weights[from+p])
		}
	}
}

// beginBatch is the work that a batch begins with: on the buttresses, and on the
// inputs at its first strip.
func (b *Bound) beginBatch(worker, part int) {
	if n := len(b.buttresses); part < n {
		b.prepareButtress(part)
	} else {
		b.fillInputs(worker, part-n)
	}
}

// prepareButtress clears one buttress's gradient and computes exp(V).
func (b *Bound) prepareButtress(part int) {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	clear(e.Weights(b.surface.Mean(b.call.gradient, t.group), t.index))
	clear(e.Weights(b.surface.Variance(b.call.gradient, t.group), t.index))
	kernel.Exp(e.Weights(b.expV[t.group], t.index), e.Weights(b.surface.Variance(b.call.params, t.group), t.index))
}

// fillInputs evaluates the bases of some inputs at the strip.
func (b *Bound) fillInputs(_, part int) {
	t := b.inputs[part]
	b.strips[t.group].Fill(t.from, t.to, b.call.x)
}

// forwards returns the number of passes before the residuals are known.
func (b *Bound) forwards() int {
	if b.ahead {
		return 2 * len(b.buttresses)
	}
	return len(b.buttresses)
}

// pass returns the buttress that a part of a job is about and whether its variance or
// its mean: the means of all first, for they have the bases in common, or each beside
// its variance where a worker has but one of them.
func (b *Bound) pass(part int) (index int, variance bool) {
	if b.ahead {
		return part / 2, part%2 == 1
	}
	return part % len(b.buttresses), part >= len(b.buttresses)
}

// forwardButtress sends the strip through one buttress.
func (b *Bound) forwardButtress(worker, part int) {
	index, variance := b.pass(part)
	if variance {
		b.forwardVariance(index, b.keptAhead[index])
		return
	}
	states := b.kept[index]
	if states == nil {
		states = b.workers[worker].values[b.buttresses[index].group]
	}
	b.forwardMean(index, states)
}

func (b *Bound) forwardMean(part int, states *buttress.States) {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	w := e.Weights(b.surface.Mean(b.call.params, t.group), t.index)
	e.Forward(t.index, w, &b.strips[t.group].Mean, states, b.means[part])
}

// residuals fills the cotangent of the means, scale · w (μ − y), and returns
// Σ w (y − μ)².
func (b *Bound) residuals(y []float32, scale float64) float64 {
	var sum float64
	for p, target := range y {
		r := -float64(target)
		for _, mean := range b.means {
			r += float64(mean[p])
		}
		sum += b.weights[p] * r * r
		b.residual[p] = float32(scale * b.weights[p] * r)
	}
	return sum
}

// backwardButtress adds the strip's share of the gradient by the weights of one
// buttress, by W or by exp(V), and after the last strip that of its divergence.
func (b *Bound) backwardButtress(worker, part int) {
	index, variance := b.pass(part)
	if variance {
		b.backwardVariance(worker, index)
	} else {
		b.backwardMean(worker, index)
	}
	if b.call.last {
		b.divergence(worker, index, variance)
	}
}

func (b *Bound) backwardMean(worker, part int) {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	states := b.kept[part]
	if states == nil {
		states = b.workers[worker].states[t.group]
		b.forwardMean(part, states)
	}
	w := e.Weights(b.surface.Mean(b.call.params, t.group), t.index)
	dw := e.Weights(b.surface.Mean(b.call.gradient, t.group), t.index)
	e.Backward(t.index, w, &b.strips[t.group].Mean, states, b.residual, dw)
}

func (b *Bound) backwardVariance(worker, part int) {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	states := b.keptAhead[part]
	if states == nil {
		states = b.workers[worker].states[t.group]
		b.forwardVariance(part, states)
	}
	dv := e.Weights(b.surface.Variance(b.call.gradient, t.group), t.index)
	e.Backward(t.index, e.Weights(b.expV[t.group], t.index), &b.strips[t.group].Variance, states, b.constant, dv)
}

func (b *Bound) forwardVariance(part int, states *buttress.States) {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	e.Forward(t.index, e.Weights(b.expV[t.group], t.index), &b.strips[t.group].Variance, states, b.variances[part])
}

// variance returns Σ w Var f over the n points of the strip.
func (b *Bound) variance(n int) float64 {
	var sum float64
	for _, variance := range b.variances {
		for p, v := range variance[:n] {
			sum += b.weights[p] * float64(v)
		}
	}
	return sum * b.surface.PriorScale()
}

// divergence computes terms of one buttress's KL, those of its mean or those of its
// variance, and completes their gradient.
func (b *Bound) divergence(worker, index int, variance bool) {
	t, kl := b.buttresses[index], &b.kl[index]
	e := b.surface.Group(t.group).Ensemble
	q := buttress.Posterior{
		W:    e.Weights(b.surface.Mean(b.call.params, t.group), t.index),
		V:    e.Weights(b.surface.Variance(b.call.params, t.group), t.index),
		ExpV: e.Weights(b.expV[t.group], t.index),
	}
	gradient := &buttress.KLGradient{
		Weight: b.terms.klWeight(b.terms.KL[t.group]),
		W:      e.Weights(b.surface.Mean(b.call.gradient, t.group), t.index),
		V:      e.Weights(b.surface.Variance(b.call.gradient, t.group), t.index),
	}
	prior, paths := b.surface.Prior(t.group), b.workers[worker].paths[t.group]
	if variance {
		e.VarianceKL(kl, t.index, q, prior, paths, gradient)
	} else {
		e.MeanKL(kl, t.index, q, prior, paths, gradient)
	}
}

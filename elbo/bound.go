package elbo

import (
	"beziergp/buttress"
	"beziergp/internal/kernel"
	"beziergp/surface"
)

// keepBytes is the memory up to which the states of all buttresses at a strip are
// kept between forward and backward pass; beyond it they are computed again.
const keepBytes = 64 << 20

// Bound evaluates the bound and its gradient on mini-batches. It holds the memory
// of all its workers and serves one caller at a time. Results do not depend on
// the number of workers: whatever is added up is added in a fixed order.
type Bound struct {
	surface *surface.Surface
	pool    *kernel.Pool
	rows    float64

	strips     []*surface.Strip // by group
	bases      []task           // an input of a group
	buttresses []task           // a buttress of a group
	kept       []*buttress.States
	workers    [][]*buttress.States // by worker and group
	paths      [][]*buttress.Paths  // by worker and group

	value     [][]float32 // by buttress: mean, then variance, [MaxStrip]
	cotangent []float32   // of the mean, [MaxStrip]
	constant  []float32   // cotangent of the variance, [MaxStrip]
	expV      [][]float32 // by group
	kl        []buttress.KL
}

// task names the work on one input's basis or on one buttress.
type task struct{ group, index int }

// NewBound returns the bound of a surface given a training set of n rows.
func NewBound(s *surface.Surface, rows int, pool *kernel.Pool) *Bound {
	b := &Bound{surface: s, pool: pool, rows: float64(rows)}
	bytes := 0
	for g := range s.Groups() {
		e := s.Group(g).Ensemble
		b.strips = append(b.strips, s.NewStrip(g))
		b.expV = append(b.expV, make([]float32, e.Size()))
		for input, m := range e.Widths() {
			b.bases = append(b.bases, task{g, input})
			bytes += 4 * m * surface.MaxStrip * e.Buttresses()
		}
		for k := range e.Buttresses() {
			b.buttresses = append(b.buttresses, task{g, k})
		}
	}
	b.kept = make([]*buttress.States, len(b.buttresses))
	if bytes <= keepBytes {
		for i, t := range b.buttresses {
			b.kept[i] = s.Group(t.group).Ensemble.NewStates(true)
		}
	}
	for range pool.Workers() {
		var states []*buttress.States
		var paths []*buttress.Paths
		for g := range s.Groups() {
			states = append(states, s.Group(g).Ensemble.NewStates(true))
			paths = append(paths, s.Group(g).Ensemble.NewPaths())
		}
		b.workers, b.paths = append(b.workers, states), append(b.paths, paths)
	}
	for range 2 * len(b.buttresses) {
		b.value = append(b.value, make([]float32, surface.MaxStrip))
	}
	b.cotangent = make([]float32, surface.MaxStrip)
	b.constant = make([]float32, surface.MaxStrip)
	b.kl = make([]buttress.KL, len(b.buttresses))
	return b
}

// Evaluate returns the terms of the bound at params and log σ² on a mini-batch x,
// [B, d] by rows, and y, [B], and writes the gradient of [Terms.Objective] to
// gradient, of the length of params.
func (b *Bound) Evaluate(params []float32, logNoise float64, x, y, gradient []float32) Terms {
	clear(gradient)
	for g := range b.expV {
		kernel.Exp(b.expV[g], b.surface.Variance(params, g))
	}
	t := Terms{Rows: b.rows, LogNoise: logNoise}
	scale := b.rows / float64(len(y)) // of the mini-batch to all rows
	for p := range b.constant {
		b.constant[p] = float32(0.5 * scale * b.surface.PriorScale())
	}
	d := b.surface.Inputs()
	for from := 0; from < len(y); from += surface.MaxStrip {
		to := min(from+surface.MaxStrip, len(y))
		b.fill(x[from*d : to*d])
		b.forward(params)
		t.SquaredError += scale * b.residual(y[from:to], scale)
		b.backward(params, gradient)
		t.Variance += scale * b.variance(to-from)
	}
	b.divergence(params, gradient, &t)
	return t
}

// fill evaluates all bases at the points of a strip.
func (b *Bound) fill(x []float32) {
	b.pool.Do(len(b.bases), func(_, part int) {
		t := b.bases[part]
		b.strips[t.group].Fill(t.index, x)
	})
	for _, s := range b.strips {
		s.SetPoints(len(x) / b.surface.Inputs())
	}
}

// forward sends the strip through all mean buttresses.
func (b *Bound) forward(params []float32) {
	b.pool.Do(len(b.buttresses), func(worker, part int) {
		b.forwardMean(worker, part, params)
	})
}

func (b *Bound) forwardMean(worker, part int, params []float32) *buttress.States {
	t := b.buttresses[part]
	e := b.surface.Group(t.group).Ensemble
	states := b.kept[part]
	if states == nil {
		states = b.workers[worker][t.group]
	}
	w := e.Weights(b.surface.Mean(params, t.group), t.index)
	e.Forward(t.index, w, &b.strips[t.group].Mean, states, b.value[part])
	return states
}

// residual fills the cotangent of the mean, scale · (μ − y), and returns Σ (y−μ)².
func (b *Bound) residual(y []float32, scale float64) float64 {
	var sum float64
	for p, target := range y {
		r := -float64(target)
		for _, value := range b.value[:len(b.buttresses)] {
			r += float64(value[p])
		}
		sum += r * r
		b.cotangent[p] = float32(scale * r)
	}
	return sum
}

// backward adds the strip's share of the gradient by the weights W and exp(V).
func (b *Bound) backward(params, gradient []float32) {
	n := len(b.buttresses)
	b.pool.Do(2*n, func(worker, part int) {
		t := b.buttresses[part%n]
		e, strip := b.surface.Group(t.group).Ensemble, b.strips[t.group]
		if part < n {
			states := b.kept[part]
			if states == nil {
				states = b.forwardMean(worker, part, params)
			}
			w := e.Weights(b.surface.Mean(params, t.group), t.index)
			dw := e.Weights(b.surface.Mean(gradient, t.group), t.index)
			e.Backward(t.index, w, &strip.Mean, states, b.cotangent, dw)
			return
		}
		states := b.workers[worker][t.group]
		w := e.Weights(b.expV[t.group], t.index)
		dv := e.Weights(b.surface.Variance(gradient, t.group), t.index)
		e.Forward(t.index, w, &strip.Variance, states, b.value[part])
		e.Backward(t.index, w, &strip.Variance, states, b.constant, dv)
	})
}

// variance returns Σ Var f over the n points of the strip.
func (b *Bound) variance(n int) float64 {
	var sum float64
	for _, value := range b.value[len(b.buttresses):] {
		for _, v := range value[:n] {
			sum += float64(v)
		}
	}
	return sum * b.surface.PriorScale()
}

// divergence adds the KL terms and completes the gradient by W and V.
func (b *Bound) divergence(params, gradient []float32, t *Terms) {
	for g := range b.strips {
		t.KL = append(t.KL, KL{LogPaths: b.surface.Group(g).Ensemble.LogPaths()})
	}
	b.pool.Do(len(b.buttresses), func(worker, part int) {
		own := b.buttresses[part]
		g, k := own.group, own.index
		e := b.surface.Group(g).Ensemble
		q := buttress.Posterior{
			W:    e.Weights(b.surface.Mean(params, g), k),
			V:    e.Weights(b.surface.Variance(params, g), k),
			ExpV: e.Weights(b.expV[g], k),
		}
		b.kl[part] = e.KL(k, q, b.surface.Prior(g), b.paths[worker][g], &buttress.KLGradient{
			Weight: t.klWeight(t.KL[g]),
			W:      e.Weights(b.surface.Mean(gradient, g), k),
			V:      e.Weights(b.surface.Variance(gradient, g), k),
		})
	})
	for part, own := range b.buttresses {
		t.KL[own.group].PerPath += b.kl[part].PerPath()
	}
}

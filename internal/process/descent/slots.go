package descent

import (
	"math"

	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// slotted is a surface in training, of which each [category] has nodes for the levels of a
// mini-batch alone: their weights are brought in from all levels' and back, so that what a
// step costs does not grow with the levels. It has one kind of buttresses.
type slotted struct {
	surface          *surface.Surface
	params, gradient []float32
	categories       []*category
	nodes            []*nodes // of inputs beside which there are pairs
	buttresses       []slots
	adam             *optim.Grouped // of the other layers
	pool             *simd.Pool
	batch            elbo.Batch // its coordinates are the caller's
	rate, lambda     float64
	step             int
	inputs           int
	all              []float32 // the parameters of the whole surface

	taken *category // whose levels are brought in
	load  func(worker, part int)
	begun func(worker, buttress int)
	move  func(buttress int)
}

// slots is one buttress.
type slots struct {
	layers  []layer // without levels
	lines   []*lines
	couples []*couples
	pairs   []*pairs // layers, too
}

// layer is one with nodes for all of its inputs: where its weights are here and in the
// whole surface.
type layer struct {
	at, whole, size, rows    int
	rowsOrdered, colsOrdered bool
	outputs                  bool // whether the columns are outputs
	pairs                    bool // whether it is of pairs
}

// newSlotted returns the surface s for mini-batches of so many rows, with the weights
// params, a penalty λ a row, and a share β₂ of second moments that a step leaves.
func newSlotted(s *surface.Surface, params []float32, batch, inputs int, lambda, beta2 float64, pool *simd.Pool) (*slotted, error) {
	t := &slotted{pool: pool, lambda: lambda, inputs: inputs, all: params}
	var byGroup [][]*category
	t.categories, byGroup = categories(s, batch)
	if t.surface = s; len(t.categories) > 0 {
		var err error
		if t.surface, err = small(s, byGroup); err != nil {
			return nil, err
		}
	}
	if t.params = params; t.surface != s {
		t.params = make([]float32, t.surface.Size())
	}
	t.gradient = make([]float32, len(t.params))
	t.layOut(s, byGroup, batch, beta2)
	t.load, t.begun, t.move = t.loadLevels, t.beginButtress, t.moveButtress
	return t, nil
}

// begin brings in the weights of a mini-batch's levels, over whose coordinates it writes.
func (t *slotted) begin(rate float64, b elbo.Batch) {
	t.step++
	t.rate, t.batch = rate, b
	t.adam.Begin(rate)
	for _, c := range t.categories {
		c.take(t.step, t.inputs, t.lambda, b)
	}
	for _, c := range t.categories {
		t.taken = c
		t.pool.Do(len(c.arrived), t.load)
	}
	for _, own := range t.buttresses {
		for _, p := range own.couples {
			p.load(t.params, b, t.inputs)
		}
	}
	for _, n := range t.nodes {
		n.take(b.X, t.inputs)
	}
	if len(t.nodes) > 0 {
		t.pool.Do(len(t.buttresses), t.begun)
	}
}

func (t *slotted) beginButtress(_, part int) {
	for _, p := range t.buttresses[part].pairs {
		p.begin(t.params, t.penaltyDue(true) > 0)
	}
}

func (t *slotted) loadLevels(_, part int) { t.taken.load(part, t.params) }

// penaltyDue returns how often the penalty of a layer, of pairs or not, counts in a step: it is due once in a few steps,
// for all of them. That of variances is due in every step: far from rows it alone moves
// them, by the size of its second moment.
func (t *slotted) penaltyDue(pairs bool) float64 {
	every := penaltyEvery
	switch {
	case t.surface.Group(0).Part == surface.VarianceOnly:
		every = 1
	case pairs:
		every = pairsPenaltyEvery
	}
	if t.lambda > 0 && t.step%every == 0 {
		return float64(every)
	}
	return 0
}

// moveButtress moves a buttress's weights against their gradient and the penalty's, those
// of levels where they belong, and clears the gradient.
func (t *slotted) moveButtress(part int) {
	own := &t.buttresses[part]
	for _, l := range own.layers {
		due := t.penaltyDue(l.pairs)
		if due == 0 {
			continue
		}
		w, dw := t.params[l.at:l.at+l.size], t.gradient[l.at:l.at+l.size]
		if l.outputs {
			elbo.SmoothOutputs(w, dw, l.rows, l.rowsOrdered, float32(due*t.lambda))
			continue
		}
		elbo.SmoothLayer(w, dw, l.rows, l.rowsOrdered, l.colsOrdered, float32(due*t.lambda))
	}
	t.adam.Move(part, t.params, t.gradient)
	for _, p := range own.pairs {
		p.move(t.params, t.gradient)
	}
	for _, l := range own.lines {
		l.move(t.gradient, t.rate)
	}
	for _, p := range own.couples {
		p.move(t.gradient, t.batch, t.inputs, t.rate, t.lambda)
	}
}

// end writes all weights to the parameters of the whole surface.
func (t *slotted) end() {
	for _, own := range t.buttresses {
		for _, p := range own.pairs {
			p.adam.Finish(t.params[p.at : p.at+p.size])
		}
		for _, l := range own.layers {
			copy(t.all[l.whole:l.whole+l.size], t.params[l.at:])
		}
		for _, l := range own.lines {
			l.end()
		}
	}
}

// secondMoment moves a second moment of weights of levels, and returns what their gradient
// is then multiplied by. There is no first moment: where gradients are rare it would be
// one of long ago; steps are longer instead, for there are few. Measured.
func secondMoment(v *float32, square, correction, rate float64) float64 {
	*v = float32(levelBeta2*float64(*v) + (1-levelBeta2)*square)
	return levelRate * rate / (math.Sqrt(float64(*v)*correction) + levelEpsilon)
}

const (
	levelBeta2   = 0.999 // the share of a second moment that is left when a level is in use again
	levelRate    = 3     // how much longer the steps of levels are
	levelEpsilon = 1e-8
)

package elbo

import (
	"math"

	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Mean is the objective of the mean buttresses alone, with Var f = 0: maximum a posteriori.
// The bound of a Gaussian is the sum of this and a term of the variance buttresses. The
// [Smoothness] of the weights is minus the logarithm of their prior:
//
//	Σ_j w_j ℓ(y_j, f(x_j)) + Σ_k Smoothness(W_k), with λ
//
// With [NewVariance] it is the same of the variance buttresses, f being Var f. With [NewOutputs]
// f is all outputs.
//
// It holds the memory of all its workers and serves one caller at a time; what it
// adds up does not depend on their number.
type Mean struct {
	surface *surface.Surface
	pool    *simd.Pool
	loss    Loss
	outputs *outputs // in its place; nil for a loss of one output
	passes  passes
	workers []scratch
	f       []float64 // at the rows of a tile, [T, TilePoints]
	slope   []float32 // cotangent of f
	expV    []float32 // exp(V) where f is Var f, nil otherwise
	call    meanCall

	forward, backward func(worker, part int)
}

// meanCall holds the arguments of an evaluation and the rows that it is at.
type meanCall struct {
	params, gradient []float32
	rows             Batch
	lambda           float64
	then             func(buttress int)
	from             int       // first row of the tile
	x                []float32 // of its rows
}

// NewMean returns the objective for a surface of which all groups are
// [surface.MeanOnly].
func NewMean(s *surface.Surface, loss Loss, pool *simd.Pool) *Mean {
	return newMean(s, loss, pool, surface.MeanOnly)
}

// NewVariance returns the objective for a surface of which all groups are
// [surface.VarianceOnly]: Var f, whose weights are positive, learns targets of its
// own.
func NewVariance(s *surface.Surface, loss Loss, pool *simd.Pool) *Mean {
	return newMean(s, loss, pool, surface.VarianceOnly)
}

func newMean(s *surface.Surface, loss Loss, pool *simd.Pool, part surface.Part) *Mean {
	if s.Outputs() > 1 {
		panic("elbo: a loss of one output for a surface of several: NewOutputs takes Losses")
	}
	m := newObjective(s, pool, part)
	m.loss = loss
	return m
}

func newObjective(s *surface.Surface, pool *simd.Pool, part surface.Part) *Mean {
	if part == surface.Whole {
		panic("elbo: a group with both parts for an objective of one")
	}
	values := s.Outputs() * s.TilePoints()
	m := &Mean{surface: s, pool: pool, passes: newPasses(s, PortionOf(s, 0, 1), true), f: make([]float64, values), slope: make([]float32, values), workers: newScratch(pool, 1)}
	if part == surface.VarianceOnly {
		m.expV = make([]float32, s.Size())
	}
	for g := range s.Groups() {
		if s.Group(g).Part != part {
			panic("elbo: a group of another part than the objective's")
		}
		for i := range m.workers {
			m.workers[i].add(s, g)
		}
	}
	m.forward, m.backward = m.forwardButtress, m.backwardButtress
	return m
}

// Evaluate returns, for a mini-batch, the mean of the rows' weighted losses, and adds to
// gradient, of the length of params, the gradient of its sum with the penalty λ Σ
// Smoothness. It calls then, unless that is nil, for every buttress when its gradient is
// complete: a worker, which has just written it, and which may change the buttress's part
// of params and of the gradient.
func (m *Mean) Evaluate(params []float32, lambda float64, rows Batch, gradient []float32, then func(buttress int)) (loss float64) {
	d, tile := m.surface.Inputs(), m.surface.TilePoints()
	size := rows.Len()
	m.call = meanCall{params: params, gradient: gradient, rows: rows, lambda: lambda, then: then}
	forget(m.workers)
	if m.expV != nil {
		simd.Exp(m.expV, params)
	}
	for from := 0; from < size; from += tile {
		to := min(from+tile, size)
		m.call.from, m.call.x = from, rows.X[from*d:to*d]
		m.pool.Do(len(m.passes.tasks), m.forward)
		loss += m.slopes(from, to)
		m.pool.Do(len(m.passes.tasks), m.backward)
	}
	return loss / float64(size)
}

// weights returns the part of p that belongs to a buttress.
func (m *Mean) weights(p []float32, t task) []float32 {
	if m.expV != nil {
		return t.variance(m.surface, p)
	}
	return t.mean(m.surface, p)
}

// bases returns those of a group at the tile, in a worker's own memory.
func (m *Mean) bases(worker, g int) *buttress.Tile {
	s := m.workers[worker].at(m.call.from, m.surface.TilePoints(), m.call.x)[g]
	if m.expV != nil {
		return &s.Variance
	}
	return &s.Mean
}

// scale is what the sum of the buttresses is multiplied by.
func (m *Mean) scale() float64 {
	if m.expV != nil {
		return m.surface.PriorScale()
	}
	return 1
}

func (m *Mean) forwardButtress(worker, part int) {
	t := m.passes.tasks[part]
	m.passes.forward(&m.workers[worker], part, m.weights(m.values(), t), m.bases(worker, t.group))
}

func (m *Mean) backwardButtress(worker, part int) {
	t := m.passes.tasks[part]
	w, dw := m.weights(m.values(), t), m.weights(m.call.gradient, t)
	m.passes.backward(&m.workers[worker], part, w, m.bases(worker, t.group), m.slope, dw)
	if m.call.from+m.surface.TilePoints() >= m.call.rows.Len() {
		m.finish(part, w, dw)
	}
}

// finish completes the gradient by the parameters of a buttress, whose weights are w.
func (m *Mean) finish(part int, w, dw []float32) {
	t := m.passes.tasks[part]
	if m.expV != nil {
		for i, v := range w {
			dw[i] *= v
		}
	}
	if m.call.lambda != 0 {
		Smoothness(m.surface.Group(t.group), t.index, m.weights(m.call.params, t), dw, m.call.lambda)
	}
	if m.call.then != nil {
		m.call.then(part)
	}
}

// values returns the weights of the buttresses: W, or exp(V).
func (m *Mean) values() []float32 {
	if m.expV != nil {
		return m.expV
	}
	return m.call.params
}

// slopes fills the cotangent of the means for a tile of a batch and returns the sum
// of its weighted losses.
func (m *Mean) slopes(from, to int) float64 {
	if m.outputs != nil {
		return m.slopesOfOutputs(from, to)
	}
	var sum float64
	rows, f, scale := &m.call.rows, m.f[:to-from], m.scale()
	clear(f)
	m.passes.addTo(f, 0)
	size, targets := float64(rows.Len()), rows.Targets(from, to)
	t := rows.Columns()
	for p := range f {
		value, slope := m.loss(scale*f[p], targets[p*t:(p+1)*t])
		weight := rows.Weight(from + p)
		sum += weight * value
		m.slope[p] = cotangent(weight * scale * slope / size)
	}
	return sum
}

// cotangent is a slope as the buttresses take it. What they multiply it by makes numbers of one below leastSlope, as losses
// have where f has run far to the side of the target, that are below the normal range of float32, where a
// processor takes many times as long; beside the slopes of other rows it is nothing.
func cotangent(slope float64) float32 {
	if math.Abs(slope) < leastSlope {
		return 0
	}
	return float32(slope)
}

const leastSlope = 0x1p-60

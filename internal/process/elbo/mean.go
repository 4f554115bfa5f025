package elbo

import (
	"math"

	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Loss is minus the log-likelihood of one row, up to a constant and a factor, and
// its derivative by f.
type Loss func(f, y float64) (value, slope float64)

// SquaredLoss is ½ (y − f)²: Gaussian noise of one variance.
func SquaredLoss(f, y float64) (value, slope float64) {
	return 0.5 * (f - y) * (f - y), f - y
}

// LogScaleLoss is ½ (f + (ν+1) log(1 + y e^−f/ν)), where f is the log of a squared scale
// and y the square of a residual: the likelihood of Student's t with ν = ScaleTails
// degrees of freedom, which a few large residuals do not lead astray.
func LogScaleLoss(f, y float64) (value, slope float64) {
	ratio := y * math.Exp(-f) / ScaleTails
	return 0.5 * (f + (ScaleTails+1)*math.Log1p(ratio)), 0.5 * (1 - (ScaleTails+1)*ratio/(1+ratio))
}

// ScaleTails are the degrees of freedom in [LogScaleLoss].
const ScaleTails = 4

// Mean is the bound as a function of the mean buttresses alone. For Gaussian noise
// it parts into a term of these and one of the variance buttresses; here is the
// first, with the [Smoothness] of the weights as the logarithm of their prior:
//
//	Σ_j loss(f(x_j), y_j) + λ Σ_groups Smoothness
//
// With [NewVariance] it is the same of the variance buttresses, f being Var f.
//
// It holds the memory of all its workers and serves one caller at a time; what it
// adds up does not depend on their number.
type Mean struct {
	surface   *surface.Surface
	pool      *simd.Pool
	loss      Loss
	passes    passes
	workers   []scratch
	slope     []float32 // cotangent of f
	penalties []float64 // by buttress
	lambda    float64
	expV      []float32 // exp(V) where f is Var f, nil otherwise
	call      meanCall

	forward, backward, smooth func(worker, part int)
}

// meanCall holds the arguments of an evaluation and the rows that it is at.
type meanCall struct {
	params, gradient []float32
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
	m := newMean(s, loss, pool, surface.VarianceOnly)
	m.expV = make([]float32, s.Size())
	return m
}

func newMean(s *surface.Surface, loss Loss, pool *simd.Pool, part surface.Part) *Mean {
	m := &Mean{surface: s, pool: pool, loss: loss, passes: newPasses(s), slope: make([]float32, s.TilePoints()), workers: make([]scratch, pool.Workers())}
	for g := range s.Groups() {
		if s.Group(g).Part != part {
			panic("elbo: a group of another part than the objective's")
		}
		for i := range m.workers {
			m.workers[i].add(s, g)
		}
	}
	m.penalties = make([]float64, len(m.passes.tasks))
	m.forward, m.backward, m.smooth = m.forwardButtress, m.backwardButtress, m.smoothButtress
	return m
}

// Evaluate returns, for a mini-batch, the mean of the rows' weighted losses and the
// penalty λ Σ Smoothness, and writes the gradient of their sum to gradient, of the
// length of params.
func (m *Mean) Evaluate(params []float32, lambda float64, rows Batch, gradient []float32) (loss, penalty float64) {
	x, y := rows.X, rows.Y
	m.call, m.lambda = meanCall{params: params, gradient: gradient}, lambda
	forget(m.workers)
	clear(gradient)
	if m.expV != nil {
		simd.Exp(m.expV, params)
		m.call.params = m.expV
	}
	d, tile := m.surface.Inputs(), m.surface.TilePoints()
	for from := 0; from < len(y); from += tile {
		to := min(from+tile, len(y))
		m.call.from, m.call.x = from, x[from*d:to*d]
		m.pool.Do(len(m.passes.tasks), m.forward)
		loss += m.slopes(rows, from, to)
		m.pool.Do(len(m.passes.tasks), m.backward)
	}
	if m.expV != nil {
		m.call.params = params
		for i, v := range m.expV {
			gradient[i] *= v
		}
	}
	m.pool.Do(len(m.passes.tasks), m.smooth)
	for _, p := range m.penalties {
		penalty += p
	}
	return loss / float64(len(y)), penalty
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
	s := m.workers[worker].at(m.call.from, m.call.x)[g]
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
	m.passes.forward(&m.workers[worker], part, m.weights(m.call.params, t), m.bases(worker, t.group))
}

func (m *Mean) backwardButtress(worker, part int) {
	t := m.passes.tasks[part]
	w, dw := m.weights(m.call.params, t), m.weights(m.call.gradient, t)
	m.passes.backward(&m.workers[worker], part, w, m.bases(worker, t.group), m.slope, dw)
}

// slopes fills the cotangent of the means for a tile of a batch and returns the sum
// of its weighted losses.
func (m *Mean) slopes(rows Batch, from, to int) float64 {
	var sum float64
	scale := m.scale()
	for p, target := range rows.Y[from:to] {
		var f float64
		for _, values := range m.passes.values {
			f += float64(values[p])
		}
		value, slope := m.loss(scale*f, float64(target))
		weight := rows.Weight(from + p)
		sum += weight * value
		m.slope[p] = float32(weight * scale * slope / float64(len(rows.Y)))
	}
	return sum
}

func (m *Mean) smoothButtress(_, part int) {
	t := m.passes.tasks[part]
	group := m.surface.Group(t.group)
	m.penalties[part] = Smoothness(group, t.index, m.weights(m.call.params, t), m.weights(m.call.gradient, t), m.lambda)
}

package surface

import (
	"context"
	"math"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Gradient computes the derivatives of E f and of Var f by the coordinates of a point, by one
// pass forward and one back each. It serves one caller at a time.
type Gradient struct {
	q       *Posterior
	pool    *simd.Pool
	kinds   []gradientKind
	workers []gradientWorker
	call    gradientCall
	tile    func(worker, part int) // made once, so that no call allocates
}

// gradientKind is groups of equal bases.
type gradientKind struct {
	group          group
	mean, variance []*buttress.Slopes
	whole          *gradientKind // the same with no local layer, for points with an unknown coordinate
}

type gradientWorker struct {
	tile   *Tile
	sum    []float32
	states map[*gradientKind]*buttress.SlopeStates
	t      []float32
	phi    []float32 // of one input: values and derivatives, [widest, points]
	slope  []float32
	x      []float32 // of the points of one kind, known or not
	at     []int
}

type gradientCall struct {
	ctx            context.Context
	x              []float32
	mean, variance []float64
}

// gradientPoints are those of a tile.
const gradientPoints = 64

// NewGradient returns one on the workers of pool.
func NewGradient(q *Posterior, pool *simd.Pool) *Gradient {
	e := &Gradient{q: q, pool: pool, workers: make([]gradientWorker, pool.Workers())}
	e.tile = e.evaluate
	for _, alike := range q.alike() {
		own := q.groups[alike[0]]
		k := gradientKind{group: own, whole: &gradientKind{group: own}}
		for _, g := range alike {
			for _, whole := range []bool{false, true} {
				to, ensemble := &k, q.groups[g].Ensemble
				if whole {
					to = k.whole
				}
				if own.HasMean() {
					to.mean = append(to.mean, ensemble.NewSlopes(q.Mean(q.params, g), whole))
				}
				if own.HasVariance() {
					to.variance = append(to.variance, ensemble.NewSlopes(q.expV[g], whole))
				}
			}
		}
		k.whole.group.Ensemble = append(k.whole.mean, k.whole.variance...)[0].Shape()
		e.kinds = append(e.kinds, k)
	}
	return e
}

// Gradients writes ∂E f/∂t_i at the points x, [n, d] by rows, to mean and ∂Var f/∂t_i to
// variance, [n, d] each; either may be nil. They are zero by unknown coordinates and by those
// of categories. Where a basis has a kink it is the derivative from the right. Results do not
// depend on the number of workers nor on a point's neighbours.
func (e *Gradient) Gradients(ctx context.Context, x []float32, mean, variance []float64) error {
	e.call = gradientCall{ctx, x, mean, variance}
	n := len(x) / e.q.inputs
	e.pool.Do((n+gradientPoints-1)/gradientPoints, e.tile)
	e.call = gradientCall{}
	return ctx.Err()
}

// evaluate does one tile: first the points of which all coordinates are known.
func (e *Gradient) evaluate(i, part int) {
	c, w, d := &e.call, &e.workers[i], e.q.inputs
	if c.ctx.Err() != nil {
		return
	}
	from, to := part*gradientPoints, min((part+1)*gradientPoints, len(c.x)/d)
	for _, dst := range [][]float64{c.mean, c.variance} {
		if dst != nil {
			clear(dst[from*d : to*d])
		}
	}
	for _, known := range []bool{true, false} {
		w.at, w.x = w.at[:0], w.x[:0]
		for p := from; p < to; p++ {
			row, all := c.x[p*d:(p+1)*d], true
			for _, t := range row {
				all = all && t == t
			}
			if all == known {
				w.at, w.x = append(w.at, p), append(w.x, row...)
			}
		}
		if len(w.at) == 0 {
			continue
		}
		for k := range e.kinds {
			own := &e.kinds[k]
			if !known {
				own = own.whole
			}
			e.kind(w, own)
		}
	}
}

// kind adds what groups of equal bases have at the points of w.
func (e *Gradient) kind(w *gradientWorker, k *gradientKind) {
	c, shape := &e.call, k.group.Ensemble
	if w.states == nil {
		w.states = map[*gradientKind]*buttress.SlopeStates{}
	}
	if w.states[k] == nil {
		w.states[k] = buttress.NewSlopeStates(gradientPoints, shape)
	}
	tile := newTile(gradientPoints, k.group)
	tile.Fill(w.x)
	w.sum = grown(w.sum, shape.Rows()*gradientPoints)
	for part, own := range [][]*buttress.Slopes{k.mean, k.variance} {
		dst, values, scale := c.mean, &tile.Mean, 1.0
		if part == 1 {
			dst, values, scale = c.variance, &tile.Variance, e.q.PriorScale()
		}
		if dst == nil || len(own) == 0 {
			continue
		}
		for _, s := range own { // each by itself, so that sums of float32 stay short
			clear(w.sum)
			for b := range s.Shape().Buttresses() {
				s.Add(b, values, w.states[k], w.sum)
			}
			for input, b := range k.group.Bases {
				if basis.Ordered(b) {
					w.addInput(k, tile, input, part == 1, scale, dst)
				}
			}
		}
	}
}

// addInput adds Σ_j φ_j′ ∂f/∂φ_j of one input, or Σ_j 2 ς_j φ_j φ_j′ ∂f/∂(ς_j φ_j²).
func (w *gradientWorker) addInput(k *gradientKind, tile *Tile, input int, variance bool, scale float64, dst []float64) {
	b, d, n := k.group.Bases[input], len(k.group.Bases), len(w.at)
	m, at := b.Nodes(), k.group.Ensemble.Row(input)*gradientPoints
	w.t = grown(w.t, gradientPoints)
	w.slope = grown(w.slope, m*gradientPoints)
	w.phi = grown(w.phi, m*gradientPoints)
	fill := func() {
		for p := range n {
			w.t[p] = w.x[p*d+input]
		}
	}
	fill()
	b.Derivatives(w.slope, w.t[:n], n, gradientPoints)
	if variance {
		fill()
		b.Values(w.phi, w.t[:n], n, gradientPoints)
	}
	support := k.group.Ensemble.Local(input)
	for p, row := range w.at {
		var sum float64
		add := func(node int, c float32) {
			v := float64(w.slope[node*gradientPoints+p])
			if variance {
				v *= 2 * float64(k.group.nodeVariance[input][node]) * float64(w.phi[node*gradientPoints+p])
			}
			if v != 0 {
				sum += v * float64(c)
			}
		}
		if support == 0 {
			for node := range m {
				add(node, w.sum[at+node*gradientPoints+p])
			}
		} else {
			slot, first := simd.Slot(support), int(tile.first(input)[p])
			for j := range support {
				add(first+j, w.sum[at+p*slot+j])
			}
		}
		if !math.IsNaN(float64(w.x[p*d+input])) {
			dst[row*d+input] += scale * sum
		}
	}
}

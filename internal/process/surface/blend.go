package surface

import (
	"context"
	"math"

	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Blender computes E f where the functions of every input i lie between what they are at a
// point z and what they are at a point x,
//
//	ψ = (1 − t_i) φ(z_i) + t_i φ(x_i)
//
// and its derivatives by the t_i, at one pass forward and one back. E f is linear in each
// t_i. It serves one caller at a time.
type Blender struct {
	surface *Surface
	pool    *simd.Pool
	points  int // of a tile
	kinds   []blendKind
	workers []blendWorker
	call    blendCall
	tile    func(worker, part int) // made once, so that no call allocates
}

// blendKind is groups of equal bases.
type blendKind struct {
	group   group // of tiles without local layers
	slopes  []*buttress.Slopes
	average []float32 // the functions' averages, [rows]
	fewest  int       // input of the fewest nodes
}

// blendWorker is memory for one tile.
type blendWorker struct {
	x, z   *Tile
	psi    buttress.Tile
	sum    []float32
	states []*buttress.SlopeStates // by kind; nil until needed
	line   []float64
}

// Setting is a t for every input, [d], each from 0 to 1, and a weight.
type Setting struct {
	At     []float32
	Weight float64
}

type blendCall struct {
	ctx       context.Context
	x, z      []float32
	settings  []Setting
	f, slopes []float64
	// In the place of f and slopes; see [Blender.Along] and [Blender.Differences].
	along      *blendAlong
	difference *blendDifference
}

// blendPoints are those of a tile: what all nodes have of them is to stay in cache.
const blendPoints, blendFewest, blendBytes = 128, 16, 1 << 20

// NewBlender returns a blender on the workers of pool.
func NewBlender(q *Posterior, pool *simd.Pool) *Blender {
	e := &Blender{surface: q.Surface, pool: pool, workers: make([]blendWorker, pool.Workers())}
	e.tile = e.evaluate
	most := 0
	for _, alike := range q.alike() {
		own := q.groups[alike[0]]
		if !own.HasMean() {
			continue
		}
		k := blendKind{group: own}
		for _, g := range alike {
			k.slopes = append(k.slopes, q.groups[g].Ensemble.NewSlopes(q.Mean(q.params, g), true))
		}
		k.group.Ensemble, k.group.Part = k.slopes[0].Shape(), MeanOnly
		for i, b := range own.Bases {
			average := make([]float32, b.Nodes())
			b.Values(average, []float32{float32(math.NaN())}, 1, 1)
			k.average = append(k.average, average...)
			if b.Nodes() < own.Bases[k.fewest].Nodes() {
				k.fewest = i
			}
		}
		most = max(most, len(k.average))
		e.kinds = append(e.kinds, k)
	}
	const arrays = 5 // of so many rows that go through a buttress
	e.points = fitting(blendPoints, blendFewest, arrays*most, blendBytes)
	return e
}

// Slopes writes E f at all settings to f, [n, settings], unless it is nil, and the sums over
// settings of weight · ∂f/∂t_i to slopes, [n, d]. x and z are [n, d] by rows; with z nil all of
// z_i are unknown, so that an input with t_i = 0 is integrated out: the bases must have
// averages then, as where a coordinate is NaN. Results do not depend on the number of
// workers nor on a point's neighbours. It stops early, with ctx's error, when ctx is done.
func (e *Blender) Slopes(ctx context.Context, x, z []float32, settings []Setting, f, slopes []float64) error {
	e.call = blendCall{ctx: ctx, x: x, z: z, settings: settings, f: f, slopes: slopes}
	n := len(x) / e.surface.inputs
	e.pool.Do((n+e.points-1)/e.points, e.tile)
	e.call = blendCall{}
	return ctx.Err()
}

func (e *Blender) worker(i int) *blendWorker {
	w := &e.workers[i]
	if w.x == nil {
		var groups []group
		size := 0
		for _, k := range e.kinds {
			groups = append(groups, k.group)
			size = max(size, k.group.Ensemble.Rows()*e.points)
		}
		w.x = newTile(e.points, groups...)
		w.psi = buttress.Tile{Stride: e.points, Phi: make([]float32, size)}
		w.sum, w.line = make([]float32, size), make([]float64, e.points)
		w.states = make([]*buttress.SlopeStates, len(e.kinds))
	}
	if (e.call.z != nil || e.call.difference != nil) && w.z == nil {
		var groups []group
		for _, k := range e.kinds {
			groups = append(groups, k.group)
		}
		w.z = newTile(e.points, groups...)
	}
	return w
}

// evaluate does one tile.
func (e *Blender) evaluate(i, part int) {
	c := &e.call
	if c.ctx.Err() != nil {
		return
	}
	w, d := e.worker(i), e.surface.inputs
	from, to := part*e.points, min((part+1)*e.points, len(c.x)/d)
	if c.slopes != nil {
		clear(c.slopes[from*d : to*d])
	}
	if c.f != nil {
		clear(c.f[from*len(c.settings) : to*len(c.settings)])
	}
	for k := range e.kinds {
		own := &e.kinds[k]
		if w.states[k] == nil {
			w.states[k] = buttress.NewSlopeStates(e.points, own.group.Ensemble)
		}
		w.x.group = own.group
		w.x.Fill(c.x[from*d : to*d])
		if c.z != nil {
			w.z.group = own.group
			w.z.Fill(c.z[from*d : to*d])
		}
		if c.difference != nil {
			w.z.group = own.group
		}
		for s := range c.settings {
			own.blend(w, c, &c.settings[s])
			for _, slopes := range own.slopes {
				clear(w.sum)
				for b := range slopes.Shape().Buttresses() {
					slopes.Add(b, &w.psi, w.states[k], w.sum)
				}
				if c.difference != nil {
					own.addDifference(w, c, from)
				}
				if c.along != nil {
					own.addAlong(w, c.along, k, from)
				}
				if c.slopes != nil {
					own.addSlopes(w, c, c.slopes[from*d:to*d], c.settings[s].Weight)
				}
				if c.f != nil {
					own.addValues(w, c.f[from*len(c.settings)+s:], len(c.settings))
				}
			}
		}
	}
}

// blend fills in ψ at one setting.
func (k *blendKind) blend(w *blendWorker, c *blendCall, s *Setting) {
	n, ld := w.x.Mean.Points, w.psi.Stride
	w.psi.Points = n
	for i, t := range s.At {
		for row := k.group.Ensemble.Row(i); row < k.group.Ensemble.Row(i)+k.group.Bases[i].Nodes(); row++ {
			to, x := w.psi.Phi[row*ld:][:n], w.x.Mean.Phi[row*ld:][:n]
			if c.z == nil {
				own := (1 - t) * k.average[row]
				for p, v := range x {
					to[p] = own + t*v
				}
				continue
			}
			z := w.z.Mean.Phi[row*ld:][:n]
			for p, v := range x {
				to[p] = (1-t)*z[p] + t*v
			}
		}
	}
}

// addSlopes adds the derivatives by t_i, Σ_j (φ_j(x_i) − φ_j(z_i)) ∂f/∂ψ_j.
func (k *blendKind) addSlopes(w *blendWorker, c *blendCall, dst []float64, weight float64) {
	n, ld, d := w.x.Mean.Points, w.psi.Stride, len(k.group.Bases)
	line := w.line[:n]
	for i, b := range k.group.Bases {
		clear(line)
		for row := k.group.Ensemble.Row(i); row < k.group.Ensemble.Row(i)+b.Nodes(); row++ {
			x, sum := w.x.Mean.Phi[row*ld:][:n], w.sum[row*ld:][:n]
			if c.z == nil {
				own := k.average[row]
				for p, v := range sum {
					line[p] += float64(x[p]-own) * float64(v)
				}
				continue
			}
			z := w.z.Mean.Phi[row*ld:][:n]
			for p, v := range sum {
				line[p] += float64(x[p]-z[p]) * float64(v)
			}
		}
		for p, v := range line {
			dst[p*d+i] += weight * v
		}
	}
}

// addValues adds f, which is Σ_j ψ_j ∂f/∂ψ_j of any one input.
func (k *blendKind) addValues(w *blendWorker, dst []float64, step int) {
	ld := w.psi.Stride
	first := k.group.Ensemble.Row(k.fewest)
	for row := first; row < first+k.group.Bases[k.fewest].Nodes(); row++ {
		psi, sum := w.psi.Phi[row*ld:], w.sum[row*ld:]
		for p := range w.psi.Points {
			dst[p*step] += float64(psi[p]) * float64(sum[p])
		}
	}
}

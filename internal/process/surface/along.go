package surface

import (
	"context"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Along computes E f at points and, of each, at a number of values of the last input:
// f is linear in the basis values of one input ([buttress.Along]), so that all of them
// take one pass through the others. It serves one caller at a time.
type Along struct {
	surface *Surface
	values  int
	kinds   []alongKind
	last    [][]lastBasis // [kinds, values]
	widest  int           // nodes of the last input
	pool    *simd.Pool
	workers [][sizes]alongWorker
	size    int // of tiles
	points  int
	ctx     context.Context
	x       []float32
	dst     []float64
	tile    func(worker, part int) // made once, so that no call allocates
}

// alongKind is groups of equal bases.
type alongKind struct {
	groups []*buttress.Along
	group  group       // of the tiles: has none in the place of the last input's basis
	last   basis.Basis // of the last input
}

// lastBasis is the last input's basis at one of its values: its functions from the first
// to the last that does not vanish.
type lastBasis struct {
	first int
	phi   []float64
}

// alongWorker is memory for one tile.
type alongWorker struct {
	tile          *Tile
	states, spare *buttress.States
	c             []float64 // [widest, TilePoints]
}

// NewAlong returns an evaluator at these values of the last input on the workers of pool.
func NewAlong(q *Posterior, values []float32, pool *simd.Pool) *Along {
	e := &Along{surface: q.Surface, values: len(values), kinds: q.along(), pool: pool, workers: make([][sizes]alongWorker, pool.Workers())}
	e.tile = e.evaluate
	for _, k := range e.kinds {
		e.widest = max(e.widest, k.last.Nodes())
		e.last = append(e.last, lastBases(k.last, values))
	}
	return e
}

// alongKinds puts together what evaluators of a posterior share.
func (q *Posterior) alongKinds() (kinds []alongKind) {
	last := q.inputs - 1
	for _, alike := range q.alike() {
		own := q.groups[alike[0]]
		if !own.HasMean() {
			continue
		}
		k := alongKind{group: own, last: own.Bases[last]}
		k.group.Part = MeanOnly
		k.group.Bases = append(slices.Clone(own.Bases[:last]), unfilled{k.last})
		for _, g := range alike {
			k.groups = append(k.groups, q.groups[g].Ensemble.NewAlong(last, q.Mean(q.params, g)))
		}
		k.group.Ensemble = k.groups[0].Shape()
		kinds = append(kinds, k)
	}
	return kinds
}

// unfilled is a basis whose values are not asked for: what takes their place follows.
type unfilled struct{ basis.Basis }

func (unfilled) Values(_, _ []float32, _, _ int) {}

// lastBases returns a basis at each of the values.
func lastBases(b basis.Basis, values []float32) []lastBasis {
	n, m := len(values), b.Nodes()
	all, phi := make([]lastBasis, n), make([]float32, m*n)
	b.Values(phi, slices.Clone(values), n, n)
	for p := range all {
		from, to := 0, m
		for from < to-1 && phi[from*n+p] == 0 {
			from++
		}
		for to > from+1 && phi[(to-1)*n+p] == 0 {
			to--
		}
		all[p].first = from
		for i := from; i < to; i++ {
			all[p].phi = append(all[p].phi, float64(phi[i*n+p]))
		}
	}
	return all
}

// Means writes E f at the points x, [n, d] by rows, whose last coordinate is passed over,
// to dst, [n, values]. Results do not depend on the number of workers nor on a point's
// neighbours. It stops early, with ctx's error, when ctx is done.
func (e *Along) Means(ctx context.Context, x []float32, dst []float64) error {
	e.ctx, e.x, e.dst = ctx, x, dst
	n := len(x) / e.surface.inputs
	e.size, e.points = e.surface.tileFor(n)
	e.pool.Do((n+e.points-1)/e.points, e.tile)
	e.ctx, e.x, e.dst = nil, nil, nil // they are the caller's
	return ctx.Err()
}

func (e *Along) worker(i int) *alongWorker {
	w := &e.workers[i][e.size]
	if w.tile == nil {
		var groups []group
		var ensembles []*buttress.Ensemble
		for _, k := range e.kinds {
			groups, ensembles = append(groups, k.group), append(ensembles, k.group.Ensemble)
		}
		w.tile = newTile(e.points, groups...)
		w.states, w.spare = buttress.NewStates(e.points, ensembles...), buttress.NewStates(e.points, ensembles...)
		w.c = make([]float64, e.widest*e.points)
	}
	return w
}

// evaluate does one tile.
func (e *Along) evaluate(i, part int) {
	if e.ctx.Err() != nil {
		return
	}
	w, d, ld := e.worker(i), e.surface.inputs, e.points
	from, to := part*ld, min((part+1)*ld, len(e.x)/d)
	dst := e.dst[from*e.values : to*e.values]
	clear(dst)
	for k := range e.kinds {
		own := &e.kinds[k]
		w.tile.group = own.group
		w.tile.Fill(e.x[from*d : to*d])
		clear(w.c)
		for _, g := range own.groups {
			g.Add(w.c, &w.tile.Mean, w.states, w.spare)
		}
		for v, last := range e.last[k] {
			for j, phi := range last.phi {
				for p, c := range w.c[(last.first+j)*ld:][:to-from] {
					dst[p*e.values+v] += phi * c
				}
			}
		}
	}
}

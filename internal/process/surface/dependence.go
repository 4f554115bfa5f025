package surface

import (
	"context"

	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Dependence sums the derivatives of E f by the values of all functions of all inputs over points
// that come in blocks. E f is linear in the functions of one input, so they tell E f summed over
// the points with that input at any value ([Dependence.At]). It serves one caller at a time.
type Dependence struct {
	surface *Surface
	pool    *simd.Pool
	kinds   []dependenceKind
	nodes   int // of all kinds
	workers []dependenceWorker
	slopes  []float64 // [nodes]; nil where points came since
	// What a call is at work on; fill and add are made once.
	ctx       context.Context
	kind      *dependenceKind
	part      *flankPart
	x         []float32
	fill, add func(worker, part int)
}

// dependenceKind is groups of equal bases.
type dependenceKind struct {
	// known is for points of which all coordinates are known, and whole, with no local
	// layers, for the others where there are local ones; made when it is first needed.
	known, whole *flankPart
	group        group
	buttresses   []buttressOf
	at           int // of its first node among those of all kinds
}

// buttressOf is a buttress of a group, with the sums of its flanks.
type buttressOf struct {
	group, k int
	sums     []float64
}

// flankPart is points of one shape.
type flankPart struct {
	group  group
	flanks []*buttress.Flanks // by group
	tiles  []*Tile
	states []*buttress.FlankStates // by worker
	x      []float32
}

type dependenceWorker struct{ sums []float32 }

// dependencePoints are those of a tile, and dependenceRows how many rows at most there are
// tiles of at a time, which is what a buttress goes through while its weights are in cache.
const dependencePoints, dependenceRows, dependenceBytes = 128, 1 << 13, 16 << 20

// NewDependence returns one of no points, on the workers of pool.
func NewDependence(q *Posterior, pool *simd.Pool) *Dependence {
	e := &Dependence{surface: q.Surface, pool: pool, workers: make([]dependenceWorker, pool.Workers())}
	e.fill, e.add = e.fillTile, e.addButtress
	for _, alike := range q.alike() {
		own := q.groups[alike[0]]
		if !own.HasMean() {
			continue
		}
		own.Part = MeanOnly
		k := dependenceKind{group: own, known: &flankPart{group: own}, at: e.nodes}
		for g, at := range alike {
			f := q.groups[at].Ensemble.NewFlanks(q.Mean(q.params, at))
			k.known.flanks = append(k.known.flanks, f)
			for b := range own.Ensemble.Buttresses() {
				k.buttresses = append(k.buttresses, buttressOf{g, b, make([]float64, f.Size(b))})
			}
		}
		for _, m := range own.Ensemble.Widths() {
			e.nodes += m
		}
		e.kinds = append(e.kinds, k)
	}
	return e
}

// Add takes in the points x, [n, d] by rows. Results do not depend on the number of workers. It
// stops early, with ctx's error, when ctx is done; the sums are then of no use.
func (e *Dependence) Add(ctx context.Context, x []float32) error {
	e.ctx, e.slopes = ctx, nil
	d := e.surface.inputs
	for k := range e.kinds {
		e.kind = &e.kinds[k]
		rows := rowsAtATime(rows([]group{e.kind.group}))
		for from := 0; from < len(x); from += rows * d {
			e.addRows(x[from:min(from+rows*d, len(x))])
		}
	}
	e.ctx, e.kind, e.part = nil, nil, nil
	return ctx.Err()
}

// rowsAtATime returns how many rows there are tiles of at a time where a tile has so many nodes, of
// which it holds the mean's values and the variance's: as many whole tiles as fit, and at least one.
func rowsAtATime(nodes int) int {
	tiles := dependenceBytes / (2 * float32Bytes * nodes * dependencePoints)
	return min(dependenceRows, max(1, tiles)*dependencePoints)
}

// addRows shares points out to those of which all is known, and the others.
func (e *Dependence) addRows(x []float32) {
	k, d := e.kind, e.surface.inputs
	if !k.group.Ensemble.HasLocal() {
		e.addPart(k.known, x)
		return
	}
	known, unknown := k.known.x[:0], []float32(nil)
	for from := 0; from < len(x); from += d {
		row, all := x[from:from+d], true
		for _, t := range row {
			all = all && t == t
		}
		if all {
			known = append(known, row...)
		} else {
			unknown = append(unknown, row...)
		}
	}
	k.known.x = known
	e.addPart(k.known, known)
	if len(unknown) == 0 {
		return
	}
	if k.whole == nil {
		k.whole = &flankPart{group: k.group}
		for _, f := range k.known.flanks {
			k.whole.flanks = append(k.whole.flanks, f.Whole())
		}
		k.whole.group.Ensemble = k.whole.flanks[0].Shape()
	}
	e.addPart(k.whole, unknown)
}

// addPart takes in points of one shape: tile by tile their bases, and then buttress by buttress
// all tiles.
func (e *Dependence) addPart(p *flankPart, x []float32) {
	if p.states == nil {
		p.states = make([]*buttress.FlankStates, e.pool.Workers())
	}
	e.part, e.x = p, x
	count := (len(x)/e.surface.inputs + dependencePoints - 1) / dependencePoints
	for len(p.tiles) < count {
		p.tiles = append(p.tiles, newTile(dependencePoints, p.group))
	}
	e.pool.Do(count, e.fill)
	e.pool.Do(len(e.kind.buttresses), e.add)
	e.x = nil
}

func (e *Dependence) fillTile(_, part int) {
	step := dependencePoints * e.surface.inputs
	e.part.tiles[part].Fill(e.x[part*step : min((part+1)*step, len(e.x))])
}

// addButtress carries all tiles through a buttress. Sums of float32 are kept short.
func (e *Dependence) addButtress(i, part int) {
	b, p, w := &e.kind.buttresses[part], e.part, &e.workers[i]
	if p.states[i] == nil {
		p.states[i] = buttress.NewFlankStates(dependencePoints, p.group.Ensemble)
	}
	w.sums = grown(w.sums, len(b.sums))
	sums, d := w.sums[:len(b.sums)], e.surface.inputs
	short, rows, added := max(1024, len(sums)/d), len(e.x)/d, 0
	for from := 0; from < rows; from += dependencePoints {
		if e.ctx.Err() != nil {
			return
		}
		tile := p.tiles[from/dependencePoints]
		p.flanks[b.group].Add(b.k, &tile.Mean, p.states[i], sums)
		if added += tile.Mean.Points; added >= short || from+dependencePoints >= rows {
			for s, v := range sums {
				b.sums[s] += float64(v)
			}
			clear(sums)
			added = 0
		}
	}
}

// At returns E f summed over the points, with an input at values t, [len(t)], in the place of its
// own.
func (e *Dependence) At(input int, t []float32) []float64 {
	if e.slopes == nil {
		e.findSlopes()
	}
	out := make([]float64, len(t))
	for i := range e.kinds {
		k := &e.kinds[i]
		at := k.starts()[input]
		phi := valuesOf(k.group.Bases[input], t)
		for j := range k.group.Bases[input].Nodes() {
			for v := range t {
				out[v] += float64(phi[j*len(t)+v]) * e.slopes[at+j]
			}
		}
	}
	return out
}

// starts returns where the derivatives by the functions of every input begin.
func (k *dependenceKind) starts() (all []int) {
	at := k.at
	for _, m := range k.group.Ensemble.Widths() {
		all, at = append(all, at), at+m
	}
	return all
}

// findSlopes brings the weights in.
func (e *Dependence) findSlopes() {
	e.slopes = make([]float64, e.nodes)
	for i := range e.kinds {
		k := &e.kinds[i]
		starts := k.starts()
		own := make([][]float64, len(k.buttresses))
		e.pool.Do(len(own), func(_, part int) {
			b := &k.buttresses[part]
			own[part] = make([]float64, e.nodes)
			k.known.flanks[b.group].Slopes(b.k, b.sums, starts, own[part])
		})
		for _, part := range own {
			for n, v := range part {
				e.slopes[n] += v
			}
		}
	}
}

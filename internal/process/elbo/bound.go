package elbo

import (
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Bound evaluates the bound and its gradient on mini-batches, tile by tile: the
// bases once for all buttresses of a worker, all mean buttresses forward, all variance
// buttresses forward, the likelihood's terms of the rows with their cotangents, then all
// buttresses backward. Where the cotangent of the variance is known beforehand, variance
// buttresses go forward and backward at once. Workers share out the buttresses of a tile
// or, where there are few, the tiles. Whatever is added up is added in a fixed
// order, tile after tile, so results do not depend on their number.
// It holds the memory of all its workers and serves one caller at a time.
type Bound struct {
	surface    *surface.Surface
	likelihood Likelihood
	slope      float64 // ∂E[ℓ]/∂Var f where linear
	linear     bool    // whether E[ℓ] is linear in Var f
	pool       *simd.Pool
	rows       float64
	tasks      []task  // a buttress of a group
	own        Portion // of the tasks, those that are done here: all, but of a [Shared]
	workers    []scratch
	tilePasses []*tilePass // one, or one a worker once they take whole tiles
	shares     []share     // by tilePass
	expV       [][]float32 // by group
	kl         []buttress.KL
	terms      Terms

	call    call // what Evaluate is working on
	prepare func(worker, part int)
	whole   func(worker, part int)
	collect func(worker, part int)
	finish  func(worker, part int)
}

// share is what a tile adds to the bound and to its gradient.
type share struct {
	loss, variance, normaliser float64   // as in [Terms]
	gradient                   []float32 // as the parameters
}

// call holds the arguments of an evaluation and where it is.
type call struct {
	params, gradient []float32
	rows             Batch
	scale            float64 // of the mini-batch to all rows
	from             int     // first row of the tiles under way
	shares           []share // of the tiles under way
}

// NewBound returns the bound of a surface given a training set of n rows. The surface has one
// output: a [Likelihood] knows the moments of one f.
func NewBound(s *surface.Surface, likelihood Likelihood, rows int, pool *simd.Pool) *Bound {
	return newBound(s, likelihood, rows, pool, PortionOf(s, 0, 1), 1)
}

// newBound returns the bound, of which a portion of the buttresses is computed here, with
// memory for the bases of so many tiles.
func newBound(s *surface.Surface, likelihood Likelihood, rows int, pool *simd.Pool, own Portion, tiles int) *Bound {
	if s.Outputs() > 1 {
		panic("elbo: the bound of a surface of several outputs: a Likelihood takes one")
	}
	b := &Bound{surface: s, likelihood: likelihood, pool: pool, rows: float64(rows), tasks: tasks(s), own: own, workers: newScratch(pool, tiles)}
	b.slope, b.linear = likelihood.VarianceSlope()
	for g := range s.Groups() {
		e := s.Group(g).Ensemble
		b.expV = append(b.expV, make([]float32, e.Size()))
		b.terms.KL = append(b.terms.KL, KL{LogPaths: e.LogPaths()})
		for i := range b.workers {
			b.workers[i].add(s, g)
			b.workers[i].paths = append(b.workers[i].paths, e.NewPaths())
		}
	}
	b.kl = make([]buttress.KL, len(b.tasks))
	b.tilePasses, b.shares = []*tilePass{newTilePass(b)}, make([]share, 1)
	// Made once, because a function value made for each call would be allocated.
	b.prepare, b.whole, b.collect, b.finish = b.prepareButtress, b.wholeTile, b.collectShares, b.finishGradient
	return b
}

// Evaluate returns the terms of the bound at params and log σ² on a mini-batch and
// writes the gradient of [Terms.Objective] to gradient, of the length of params. The
// terms' KL is valid until the next call.
func (b *Bound) Evaluate(params []float32, logDispersion float64, rows Batch, gradient []float32) Terms {
	b.begin(params, logDispersion, rows, gradient)
	t, size := &b.terms, rows.Len()
	tiles, together := ceilDiv(size, b.surface.TilePoints()), 1
	if b.sharesTiles(tiles) {
		together = b.pool.Workers()
	}
	for len(b.tilePasses) < together {
		b.tilePasses, b.shares = append(b.tilePasses, newTilePass(b)), append(b.shares, share{gradient: make([]float32, len(params))})
	}
	b.shares[0].gradient = gradient // the others' are added to it
	for at := 0; at < tiles; at += together {
		b.call.from, b.call.shares = at*b.surface.TilePoints(), b.shares[:min(together, tiles-at)]
		if together == 1 {
			b.tilePasses[0].pass(b.call.from, &b.shares[0], b.pool)
		} else {
			b.pool.Do(len(b.call.shares), b.whole)
		}
		if at+together < tiles {
			b.pool.Do(2*b.own.Len(), b.collect)
		}
		for _, s := range b.call.shares {
			t.Loss += b.call.scale * s.loss
			t.Variance += b.call.scale * s.variance
			t.LogNormaliser += b.call.scale * s.normaliser
		}
	}
	b.pool.Do(2*b.own.Len(), b.finish)
	b.sumKL(func(part int) float64 { return b.kl[part].PerPath() })
	return *t
}

// begin lays what an evaluation begins with.
func (b *Bound) begin(params []float32, logDispersion float64, rows Batch, gradient []float32) {
	b.terms = Terms{Rows: b.rows, LogDispersion: logDispersion, KL: b.terms.KL}
	b.call = call{params: params, gradient: gradient, rows: rows, scale: b.rows / float64(rows.Len())}
	forget(b.workers)
	b.pool.Do(b.own.Len(), b.prepare)
}

// sumKL adds up the KL of all buttresses, given those of each.
func (b *Bound) sumKL(perPath func(part int) float64) {
	for g := range b.terms.KL {
		b.terms.KL[g].PerPath = 0
	}
	for part, own := range b.tasks {
		b.terms.KL[own.group].PerPath += perPath(part)
	}
}

// sharesTiles tells whether workers take whole tiles: where buttresses are few and
// it takes no more rounds than to go from tile to tile together. Each tile's bases
// are then computed once.
func (b *Bound) sharesTiles(tiles int) bool {
	workers, jobs := b.pool.Workers(), 2*b.own.Len()
	return jobs <= 4*workers && ceilDiv(tiles, workers)*jobs <= tiles*ceilDiv(jobs, workers) && b.surface.KeepsPasses(b.own.Len())
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// prepareButtress clears one buttress's gradient and computes exp(V).
func (b *Bound) prepareButtress(_, part int) {
	t := b.tasks[b.own.From+part]
	clear(t.mean(b.surface, b.call.gradient))
	clear(t.variance(b.surface, b.call.gradient))
	simd.Exp(b.expWeights(t), t.variance(b.surface, b.call.params))
}

// wholeTile is all the work on one of the tiles under way.
func (b *Bound) wholeTile(worker, part int) {
	own := &b.call.shares[part]
	if part > 0 {
		clear(own.gradient)
	}
	b.tilePasses[worker].pass(b.call.from+part*b.surface.TilePoints(), own, alone(worker))
}

// expWeights returns exp(V) of a buttress.
func (b *Bound) expWeights(t task) []float32 {
	return b.surface.Group(t.group).Ensemble.Weights(b.expV[t.group], t.index)
}

// job returns the buttress that a part is about and whether by V or by W: by W all of
// them first, in the order of the parameters, so that a worker keeps to its own.
func (b *Bound) job(part int) (index int, variance bool) {
	return b.own.From + part%b.own.Len(), part >= b.own.Len()
}

// collectShares adds to one buttress's gradient, that by W or that by V, what the
// tiles under way have left beside it.
func (b *Bound) collectShares(_, part int) {
	index, variance := b.job(part)
	own := task.mean
	if variance {
		own = task.variance
	}
	t := b.tasks[index]
	sum := own(t, b.surface, b.call.gradient)
	for _, s := range b.call.shares[1:] {
		for i, g := range own(t, b.surface, s.gradient)[:len(sum)] {
			sum[i] += g
		}
	}
}

// finishGradient collects the last shares of one buttress's gradient and adds that of
// the KL, whose terms it computes: those of the buttress's mean or of its variance.
func (b *Bound) finishGradient(worker, part int) {
	b.collectShares(worker, part)
	index, variance := b.job(part)
	t, kl := b.tasks[index], &b.kl[index]
	e := b.surface.Group(t.group).Ensemble
	q := buttress.Posterior{
		W:    t.mean(b.surface, b.call.params),
		V:    t.variance(b.surface, b.call.params),
		ExpV: b.expWeights(t),
	}
	gradient := &buttress.KLGradient{
		Weight: b.terms.klWeight(b.terms.KL[t.group]),
		W:      t.mean(b.surface, b.call.gradient),
		V:      t.variance(b.surface, b.call.gradient),
	}
	prior, paths := b.surface.Prior(t.group), b.workers[worker].paths[t.group]
	if variance {
		e.VarianceKL(kl, t.index, q, prior, paths, gradient)
	} else {
		e.MeanKL(kl, t.index, q, prior, paths, gradient)
	}
}

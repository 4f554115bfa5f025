package elbo

import (
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// scratch is the memory of one worker, by group. Every worker computes the bases of a
// tile for itself: that takes a hundredth of a step, and reading what another
// processor has just written takes longer where they share no cache.
type scratch struct {
	bases  []tileBases        // of so many neighbouring tiles at a time
	values []*buttress.States // of a forward pass alone
	states []*buttress.States
	paths  []*buttress.Paths
}

// tileBases is the bases of a tile, by group.
type tileBases struct {
	groups []*surface.Tile
	from   int // first row of the batch that they are of, −1 for none
}

// newScratch returns that of the workers of a pool, with room for the bases of so many tiles.
func newScratch(pool *simd.Pool, tiles int) []scratch {
	workers := make([]scratch, pool.Workers())
	for i := range workers {
		workers[i].bases = make([]tileBases, tiles)
	}
	return workers
}

// add makes memory for a group.
func (w *scratch) add(s *surface.Surface, g int) {
	for i := range w.bases {
		w.bases[i].groups = append(w.bases[i].groups, s.NewTile(g))
	}
	w.values = append(w.values, buttress.NewStates(s.TilePoints(), s.Group(g).Ensemble))
	w.states = append(w.states, s.Group(g).Ensemble.NewKeptStates(s.TilePoints()))
}

// at returns the bases at x, the tile of the batch that begins with row from, of tiles of so
// many points.
func (w *scratch) at(from, points int, x []float32) []*surface.Tile {
	own := &w.bases[from/points%len(w.bases)]
	if own.from != from {
		for _, s := range own.groups {
			s.Fill(x)
		}
		own.from = from
	}
	return own.groups
}

// forget makes workers compute bases anew: there is another batch.
func forget(workers []scratch) {
	for i := range workers {
		for k := range workers[i].bases {
			workers[i].bases[k].from = -1
		}
	}
}

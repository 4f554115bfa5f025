package elbo

import (
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
)

// scratch is the memory of one worker, by group. Every worker computes the bases of a
// tile for itself: that takes a hundredth of a step, and reading what another
// processor has just written takes longer where they share no cache.
type scratch struct {
	bases  []*surface.Tile
	from   int                // first row of the batch that the bases are of, −1 for none
	values []*buttress.States // of a forward pass alone
	states []*buttress.States
	paths  []*buttress.Paths
}

// add makes memory for a group.
func (w *scratch) add(s *surface.Surface, g int) {
	w.bases = append(w.bases, s.NewTile(g))
	w.values = append(w.values, buttress.NewStates(s.TilePoints(), s.Group(g).Ensemble))
	w.states = append(w.states, s.Group(g).Ensemble.NewKeptStates(s.TilePoints()))
}

// at returns the bases at x, the tile of the batch that begins with row from.
func (w *scratch) at(from int, x []float32) []*surface.Tile {
	if w.from != from {
		for _, s := range w.bases {
			s.Fill(x)
		}
		w.from = from
	}
	return w.bases
}

// forget makes workers compute bases anew: there is another batch.
func forget(workers []scratch) {
	for i := range workers {
		workers[i].from = -1
	}
}

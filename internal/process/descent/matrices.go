package descent

import (
	"beziergp/internal/process/basis"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
)

// matrices returns the layers of every buttress of a surface of which groups have one
// kind of buttresses.
func matrices(s *surface.Surface) (blocks [][]optim.Matrix) {
	at := 0
	for g := range s.Groups() {
		group := s.Group(g)
		for _, ordering := range group.Ensemble.Orderings() {
			var block []optim.Matrix
			rows, levels := 1, false
			for _, input := range ordering {
				b := group.Bases[input]
				size, category := rows*b.Nodes(), !basis.Ordered(b)
				block = append(block, optim.Matrix{At: at, Size: size, Single: levels || category})
				at, rows, levels = at+size, b.Nodes(), category
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}

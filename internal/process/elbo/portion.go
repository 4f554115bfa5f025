package elbo

import "beziergp/internal/process/surface"

// Portion is the buttresses from ≤ k < to of a surface, those of all groups in order.
type Portion struct{ From, To int }

// PortionOf returns the buttresses of one of several ranks: neighbours, about as many for each.
func PortionOf(s *surface.Surface, rank, size int) Portion {
	n := 0
	for g := range s.Groups() {
		n += s.Group(g).Ensemble.Buttresses()
	}
	return Portion{rank * n / size, (rank + 1) * n / size}
}

// Len returns their number.
func (p Portion) Len() int { return p.To - p.From }

func (p Portion) has(buttress int) bool { return p.From <= buttress && buttress < p.To }

// Blocks returns which blocks of parameters belong to them, of those that
// [surface.Surface.Ends] tells, in order. Groups have mean and variance buttresses.
func (p Portion) Blocks(s *surface.Surface) (blocks []int) {
	first := 0 // buttress of the group
	for g := range s.Groups() {
		n := s.Group(g).Ensemble.Buttresses()
		for _, half := range []int{2 * first, 2*first + n} {
			for k := range n {
				if p.has(first + k) {
					blocks = append(blocks, half+k)
				}
			}
		}
		first += n
	}
	return blocks
}

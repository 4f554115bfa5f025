package descent

import (
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
)

// small returns the surface with slots in the place of levels.
func small(s *surface.Surface, byGroup [][]*category) (*surface.Surface, error) {
	var groups []surface.Group
	for g := range s.Groups() {
		own := s.Group(g)
		small := surface.Group{Part: own.Part}
		var widths []int
		for input, b := range own.Bases {
			if c := byGroup[g][input]; c != nil {
				slots, err := basis.NewIndicator(c.slots)
				if err != nil {
					return nil, err
				}
				if b = slots; c.find != nil {
					b = slotBasis{slots, c}
				}
			}
			small.Bases, widths = append(small.Bases, b), append(widths, b.Nodes())
		}
		var err error
		if small.Ensemble, err = buttress.NewOutputs(widths, surface.Supports(small.Bases), own.Ensemble.Orderings(), own.Ensemble.Outputs()); err != nil {
			return nil, err
		}
		groups = append(groups, small)
	}
	return surface.New(groups...)
}

// smallLayer is the number of weights up to which every one in a layer has a second moment of
// its own: their gradients differ, and moving so few costs next to nothing. Measured.
const smallLayer = 64

// layOut finds the layers of all buttresses.
func (t *slotted) layOut(s *surface.Surface, byGroup [][]*category, batch int, beta2 float64) {
	at, whole := 0, 0
	var blocks [][]optim.Matrix
	for g := range s.Groups() {
		variance := s.Group(g).Part == surface.VarianceOnly
		bases, small := s.Group(g).Bases, t.surface.Group(g).Bases
		single := func(input int) bool { return input >= 0 && small[input].Support() == 1 }
		known := map[int]*nodes{}
		nodesOf := func(input int) *nodes {
			if known[input] == nil {
				known[input] = newNodes(input, small[input], batch)
				t.nodes = append(t.nodes, known[input])
			}
			return known[input]
		}
		for _, ordering := range s.Group(g).Ensemble.Orderings() {
			var own slots
			var block []optim.Matrix
			rows, wholeRows, ordered, prior, before := 1, 1, true, -1, (*category)(nil)
			for _, input := range ordering {
				cols, wholeCols, colsOrdered, c := small[input].Nodes(), bases[input].Nodes(), basis.Ordered(bases[input]), byGroup[g][input]
				switch {
				case c == nil && before == nil:
					isPairs := !variance && single(prior) && single(input) && !(ordered && colsOrdered) && IsSparse(rows*cols, batch)
					own.layers = append(own.layers, layer{at: at, whole: whole, size: rows * cols, rows: rows, rowsOrdered: ordered, colsOrdered: colsOrdered, pairs: isPairs})
					if isPairs {
						own.pairs = append(own.pairs, &pairs{from: nodesOf(prior), to: nodesOf(input), at: at, size: rows * cols, cols: int32(cols)})
						break
					}
					block = append(block, optim.Matrix{At: at, Size: rows * cols, Single: variance || !ordered || !colsOrdered || rows*cols <= smallLayer})
				case before == nil:
					own.lines = append(own.lines, newColumns(c, t.all[whole:], at, rows, ordered, variance))
				case c == nil:
					own.lines = append(own.lines, newRows(before, t.all[whole:], at, cols, colsOrdered, variance))
				default:
					own.couples = append(own.couples, newCouples(before, c, t.all[whole:], at, variance))
				}
				at, whole = at+rows*cols, whole+wholeRows*wholeCols
				rows, wholeRows, ordered, prior, before = cols, wholeCols, colsOrdered, input, c
			}
			if outputs := s.Outputs(); outputs > 1 {
				if before == nil {
					own.layers = append(own.layers, layer{at: at, whole: whole, size: rows * outputs, rows: rows, rowsOrdered: ordered, outputs: true})
					block = append(block, optim.Matrix{At: at, Size: rows * outputs, Single: true})
				} else {
					own.lines = append(own.lines, newRows(before, t.all[whole:], at, outputs, false, variance))
				}
				at, whole = at+rows*outputs, whole+wholeRows*outputs
			}
			for _, l := range own.layers {
				copy(t.params[l.at:l.at+l.size], t.all[l.whole:])
			}
			t.buttresses, blocks = append(t.buttresses, own), append(blocks, block)
		}
	}
	t.adam = optim.NewGrouped(blocks, beta2)
	for _, own := range t.buttresses {
		for _, p := range own.pairs {
			p.adam = t.adam.NewSparse(p.size)
		}
	}
	for _, c := range t.categories {
		c.start()
	}
}

package surface

import (
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// Tile holds the values of one group's bases at a tile of points, for the mean
// buttresses and for the variance buttresses. It serves one goroutine at a time.
type Tile struct {
	Mean     buttress.Tile // φ
	Variance buttress.Tile // ς φ²
	group    group
	unknown  []bool // by point: whether the coordinate of a local input is
	whole    *wholes
}

// wholes holds the values at points of which a coordinate is unknown.
type wholes struct {
	mean, variance buttress.Whole
	t              []float32
	apart          []int     // points whose unknown coordinates are told apart
	x              []float32 // the points of the tile
}

// NewTile returns memory for a tile of group g.
func (s *Surface) NewTile(g int) *Tile { return newTile(s.tile, s.groups[g]) }

// newTile returns memory for tiles of so many points of any of the groups, of one at a
// time. It is the first one's at the beginning.
func newTile(points int, groups ...group) *Tile {
	size, local := 0, false
	for g, own := range groups {
		size = max(size, rows(groups[g:g+1])*points)
		local = local || own.Ensemble.HasLocal()
	}
	s := &Tile{
		group:    groups[0],
		Mean:     buttress.Tile{Stride: points, Phi: make([]float32, size)},
		Variance: buttress.Tile{Stride: points, Phi: make([]float32, size)},
	}
	if local {
		s.unknown = make([]bool, points)
		s.Mean.First = make([]int32, (1+len(groups[0].Bases))*points)
		s.Variance.First = s.Mean.First
	}
	return s
}

// Fill evaluates the bases at the points x, [n, d] by rows with n ≤ TilePoints, every
// coordinate in its basis's domain.
func (s *Tile) Fill(x []float32) {
	s.fill(x)
	s.fillWhole(x, true)
}

func (s *Tile) fill(x []float32) {
	d := len(s.group.Bases)
	n := len(x) / d
	s.Mean.Points, s.Variance.Points = n, n
	clear(s.unknown)
	// The coordinates of some of them first, a few rows at a time, for long rows may all
	// fall on the same lines of a cache; the variance's memory holds them until it is
	// filled.
	for from := 0; from < d; from += fillInputs {
		to := min(from+fillInputs, d)
		for p := 0; p < n; p += fillRows {
			rows := min(fillRows, n-p)
			for input := from; input < to; input++ {
				t := s.Variance.Phi[s.at(input)+p:][:rows]
				for k := range t {
					t[k] = x[(p+k)*d+input]
				}
			}
		}
		for input := from; input < to; input++ {
			if s.group.Ensemble.Local(input) != 0 {
				s.fillLocal(input, n)
				continue
			}
			mean, variance := s.Mean.Phi[s.at(input):], s.Variance.Phi[s.at(input):]
			s.group.Bases[input].Values(mean, variance[:n], n, s.Mean.Stride)
			if s.group.HasVariance() {
				simd.ScaledSquare(variance, mean, s.group.nodeVariance[input], s.group.Bases[input].Nodes(), n, s.Mean.Stride)
			}
		}
	}
	s.fillOutputs(s.Mean.Phi, s.group.Ensemble.Row(d), n)
	s.fillOutputs(s.Variance.Phi, s.group.Ensemble.Row(d), n)
}

// fillLocal evaluates the basis of an input whose layers are local, at coordinates in the
// variance's memory.
func (s *Tile) fillLocal(input, n int) {
	slot := simd.Slot(s.group.Ensemble.Local(input))
	mean, variance, first := s.Mean.Phi[s.at(input):], s.Variance.Phi[s.at(input):], s.first(input)
	average := s.averageInPlace(input)
	for p, t := range variance[:n] {
		if t != t && average == nil {
			s.unknown[p] = true
		}
	}
	s.group.Bases[input].LocalValues(first, mean, variance[:n], n, slot)
	for p, t := range variance[:n] {
		if t != t && average != nil {
			first[p] = 0
			copy(mean[p*slot:], average)
		}
	}
	if !s.group.HasVariance() {
		return
	}
	variances := s.group.nodeVariance[input]
	for p, node := range first[:n] {
		own := variances[node:min(int(node)+slot, len(variances))]
		for j, v := range mean[p*slot:][:slot] {
			if variance[p*slot+j] = 0; v != 0 {
				variance[p*slot+j] = own[j] * v * v
			}
		}
	}
}

// fillInputs and fillRows are those whose coordinates are fetched together. Measured.
const fillInputs, fillRows = 128, 8

// at returns where an input's values begin.
func (s *Tile) at(input int) int { return s.group.Ensemble.Row(input) * s.Mean.Stride }

// first returns which functions of a local input its values are of.
func (s *Tile) first(input int) []int32 {
	return s.Mean.First[(1+input)*s.Mean.Stride:][:s.Mean.Stride]
}

// fillWhole prepares points of which a coordinate is unknown: it evaluates all functions at those that go together, at all where none
// may be told apart.
func (s *Tile) fillWhole(x []float32, apart bool) {
	s.Mean.Whole, s.Variance.Whole = nil, nil
	if !slices.Contains(s.unknown[:min(len(s.unknown), s.Mean.Points)], true) {
		return
	}
	w, d := s.startWhole(), len(s.group.Bases)
	for p, unknown := range s.unknown[:s.Mean.Points] {
		if !unknown {
			continue
		}
		row := x[p*d:][:d]
		lacks := func(input int) bool {
			return row[input] != row[input] && w.mean.Averages[input] != nil && s.group.Ensemble.Local(input) != 0 && s.averageInPlace(input) == nil
		}
		if !apart || !s.group.Ensemble.Apart(lacks) {
			w.mean.At = append(w.mean.At, p)
			continue
		}
		w.apart = append(w.apart, p)
		for input := range row {
			if !lacks(input) {
				continue
			}
			if len(w.mean.Lacking[input]) == 0 && s.group.HasVariance() {
				w.variance.Averages[input] = s.varianceOf(input, w.mean.Averages[input])
			}
			w.mean.Lacking[input] = append(w.mean.Lacking[input], p)
		}
	}
	w.mean.Together, w.x = len(w.mean.At), x
	w.mean.At = append(w.mean.At, w.apart...)
	w.variance.At, w.variance.Together, w.variance.Lacking = w.mean.At, w.mean.Together, w.mean.Lacking
	s.Mean.Whole, s.Variance.Whole = &w.mean, &w.variance
	if w.mean.Together > 0 {
		s.fillFunctions(x, w.mean.Together)
	}
}

// averageInPlace returns the averages of a local input of so few functions that a point holds all: they stand in their place where the
// coordinate is unknown. It returns nil of another input.
func (s *Tile) averageInPlace(input int) []float32 {
	if average := averageOf(s.group.Bases[input]); len(average) <= s.group.Ensemble.Local(input) {
		return average
	}
	return nil
}

// averageOf returns the averages of a basis's functions; nil of one without.
func averageOf(b basis.Basis) []float32 {
	if a, ok := b.(interface{ Average() []float32 }); ok {
		return a.Average()
	}
	return nil
}

// fillFunctions evaluates all functions at the first n points of fillWhole.
func (s *Tile) fillFunctions(x []float32, n int) {
	w, stride, d := s.whole, s.Mean.Stride, len(s.group.Bases)
	s.makeWhole()
	for input, b := range s.group.Bases {
		for k, p := range w.mean.At[:n] {
			w.t[k] = x[p*d+input]
		}
		at := s.group.Ensemble.WholeRow(input) * stride
		b.Values(w.mean.Tile.Phi[at:], w.t[:n], n, stride)
		if s.group.HasVariance() {
			simd.ScaledSquare(w.variance.Tile.Phi[at:], w.mean.Tile.Phi[at:], s.group.nodeVariance[input], b.Nodes(), n, stride)
		}
	}
	for _, own := range []*buttress.Whole{&w.mean, &w.variance} {
		s.fillOutputs(own.Tile.Phi, s.group.Ensemble.WholeRow(d), n)
		own.Tile.Points, own.Tile.Stride = n, stride
	}
}

// startWhole forgets the points of another tile.
func (s *Tile) startWhole() *wholes {
	if s.whole == nil {
		s.whole = &wholes{t: make([]float32, s.Mean.Stride)}
		fill := func(n int) { s.fillFunctions(s.whole.x, n) }
		s.whole.mean.Fill, s.whole.variance.Fill = fill, fill
	}
	w := s.whole
	w.mean.At, w.apart, w.mean.Tile.Points, w.variance.Tile.Points = w.mean.At[:0], w.apart[:0], 0, 0
	d := len(s.group.Bases)
	for _, all := range []*[][]float32{&w.mean.Averages, &w.variance.Averages} {
		*all = slices.Grow((*all)[:0], d)[:d]
	}
	w.mean.Lacking = slices.Grow(w.mean.Lacking[:0], d)[:d]
	for input, b := range s.group.Bases {
		w.mean.Averages[input], w.mean.Lacking[input] = averageOf(b), w.mean.Lacking[input][:0]
	}
	return w
}

// varianceOf returns ς φ² of the averages φ of an input's functions, in the memory of those before.
func (s *Tile) varianceOf(input int, average []float32) []float32 {
	variance := s.whole.variance.Averages[input][:0]
	for j, v := range average {
		variance = append(variance, s.group.nodeVariance[input][j]*v*v)
	}
	return variance
}

// makeWhole makes memory for points of which a coordinate is unknown, as far as there is none.
func (s *Tile) makeWhole() {
	size := s.group.Ensemble.WholeRows() * s.Mean.Stride
	for _, own := range []*buttress.Whole{&s.whole.mean, &s.whole.variance} {
		own.Tile.Phi = grown(own.Tile.Phi, size)
	}
}

// multiply turns the variance basis ς φ(x)² of the points x into ς φ(x) φ(z), the basis
// of the covariance between these points and z's, other being the tile of z.
func (s *Tile) multiply(other *Tile, x, z []float32) {
	for p := range s.unknown {
		s.unknown[p] = s.unknown[p] || other.unknown[p]
		other.unknown[p] = s.unknown[p]
	}
	s.fillWhole(x, false) // a point may lack what the other's has
	other.fillWhole(z, false)
	for input := range s.group.Bases {
		if s.group.Ensemble.Local(input) != 0 {
			s.multiplyLocal(other, input)
			continue
		}
		s.multiplyRows(&s.Variance, &s.Mean, &other.Mean, s.at(input), input)
	}
	if s.Mean.Whole == nil {
		return
	}
	for input := range s.group.Bases {
		s.multiplyRows(&s.whole.variance.Tile, &s.whole.mean.Tile, &other.whole.mean.Tile, s.group.Ensemble.WholeRow(input)*s.Mean.Stride, input)
	}
}

// multiplyRows does so for an input with a row of points for every node.
func (s *Tile) multiplyRows(product, x, z *buttress.Tile, at, input int) {
	for _, variance := range s.group.nodeVariance[input] {
		row, other, to := x.Phi[at:][:x.Points], z.Phi[at:], product.Phi[at:]
		for p := range row {
			to[p] = variance * row[p] * other[p]
		}
		at += s.Mean.Stride
	}
}

// multiplyLocal does so for an input whose layers are local: a function that vanishes at z
// has no covariance.
func (s *Tile) multiplyLocal(other *Tile, input int) {
	slot, at := simd.Slot(s.group.Ensemble.Local(input)), s.at(input)
	x, z, product := s.Mean.Phi[at:], other.Mean.Phi[at:], s.Variance.Phi[at:]
	first, otherFirst, variances := s.first(input), other.first(input), s.group.nodeVariance[input]
	for p := range s.Mean.Points {
		shift := int(first[p] - otherFirst[p])
		for j := range slot {
			to, from := p*slot+j, shift+j
			product[to] = 0
			if from >= 0 && from < slot && x[to] != 0 {
				product[to] = variances[int(first[p])+j] * x[to] * z[p*slot+from]
			}
		}
	}
}

// Supports returns how many functions of every basis do not vanish at a point, as
// [buttress.New] takes it.
func Supports(bases []basis.Basis) []int {
	supports := make([]int, len(bases))
	for i, b := range bases {
		supports[i] = b.Support()
	}
	return supports
}

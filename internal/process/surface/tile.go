package surface

import (
	"beziergp/internal/process/buttress"
	"beziergp/internal/simd"
)

// tilePoints returns the number of points that go through the buttresses
// together. Points along lanes spread the cost of a call, and weights are fetched
// anew for each tile; but bases and states of all layers are to stay in cache:
// where layers are narrow, and so do little with what they fetch, in a core's own,
// or else in the one that cores share. The numbers are measured.
func tilePoints(groups []group) int {
	points, fewest, cacheBytes := 128, 32, 6<<20
	if narrow(groups) {
		points = 256
		if simd.Sweeps() {
			cacheBytes = 512 << 10
		}
	}
	for points > fewest && 2*float32Bytes*nodes(groups)*points > cacheBytes {
		points /= 2
	}
	return points
}

// keepBytes is the memory up to which the states of all buttresses at a tile are
// kept from the forward passes to the backward passes; beyond it states are computed
// again, which costs a third more arithmetic but less memory. Measured.
const keepBytes = 8 << 20

// KeepsPasses tells whether the states of all buttresses at a tile are best kept.
func (s *Surface) KeepsPasses() bool {
	bytes := 0
	for _, g := range s.groups {
		bytes += float32Bytes * nodes([]group{g}) * s.tile * g.Ensemble.Buttresses()
	}
	return bytes <= keepBytes
}

// nodes returns the nodes of all inputs.
func nodes(groups []group) int {
	sum := 0
	for _, g := range groups {
		for _, m := range g.Ensemble.Widths() {
			sum += m
		}
	}
	return sum
}

// narrow tells whether inputs have few nodes on average. Memory then costs more
// than arithmetic.
func narrow(groups []group) bool {
	return nodes(groups) <= 8*len(groups)*len(groups[0].Bases)
}

const float32Bytes = 4

// Tile holds the values of one group's bases at a tile of points, for the mean
// buttresses and for the variance buttresses. It serves one goroutine at a time.
type Tile struct {
	Mean     buttress.Tile // φ
	Variance buttress.Tile // ς φ²
	group    group
}

// NewTile returns memory for a tile of group g.
func (s *Surface) NewTile(g int) *Tile { return newTile(s.tile, s.groups[g]) }

// newTile returns memory for tiles of so many points of any of the groups, of one at a
// time. It is the first one's at the beginning.
func newTile(points int, groups ...group) *Tile {
	size := 0
	for g := range groups {
		size = max(size, nodes(groups[g:g+1])*points)
	}
	return &Tile{
		group:    groups[0],
		Mean:     buttress.Tile{Stride: points, Phi: make([]float32, size)},
		Variance: buttress.Tile{Stride: points, Phi: make([]float32, size)},
	}
}

// Fill evaluates the bases at the points x, [n, d] by rows with n ≤ TilePoints, every
// coordinate in its basis's domain.
func (s *Tile) Fill(x []float32) {
	d := len(s.group.Bases)
	n := len(x) / d
	s.Mean.Points, s.Variance.Points = n, n
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
			mean, variance := s.Mean.Phi[s.at(input):], s.Variance.Phi[s.at(input):]
			s.group.Bases[input].Values(mean, variance[:n], n, s.Mean.Stride)
			if s.group.HasVariance() {
				simd.ScaledSquare(variance, mean, s.group.nodeVariance[input], s.group.Bases[input].Nodes(), n, s.Mean.Stride)
			}
		}
	}
}

// fillInputs and fillRows are those whose coordinates are fetched together. Measured.
const fillInputs, fillRows = 128, 8

// at returns where an input's values begin.
func (s *Tile) at(input int) int { return s.group.Ensemble.Row(input) * s.Mean.Stride }

// multiply turns the tile's variance basis ς φ(x)² into ς φ(x) φ(z), the basis of
// the covariance between its points and z's.
func (s *Tile) multiply(z *Tile) {
	stride, at := s.Mean.Stride, 0
	for _, variances := range s.group.nodeVariance {
		for _, variance := range variances {
			row, other, product := s.Mean.Phi[at:][:s.Mean.Points], z.Mean.Phi[at:], s.Variance.Phi[at:]
			for p := range row {
				product[p] = variance * row[p] * other[p]
			}
			at += stride
		}
	}
}

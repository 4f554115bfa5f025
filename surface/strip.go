package surface

import (
	"beziergp/buttress"
	"beziergp/internal/kernel"
)

// stripPoints returns the number of points that go through the buttresses
// together. Points along lanes spread the cost of a call, but a layer's states are
// to stay in a core's own caches, 128 points at 21 nodes an input, 256 at 4 or 6;
// and bases and states of all layers, fewer points for very many inputs, in the
// cache that cores share. The numbers are measured.
func stripPoints(groups []group) int {
	nodes, layers := 0, 0
	for _, g := range groups {
		for _, m := range g.Ensemble.Widths() {
			nodes += m
		}
		layers += len(g.Bases)
	}
	points := 256
	if nodes > 8*layers {
		points = 128
	}
	const fewest, sharedBytes = 32, 12 << 20
	for points > fewest && 4*float32Bytes*nodes*points > sharedBytes {
		points /= 2
	}
	return points
}

const float32Bytes = 4

// Strip holds the values of one group's bases at a strip of points, for the mean
// buttresses and for the variance buttresses. It serves one goroutine at a time,
// but inputs may be filled side by side.
type Strip struct {
	Mean     buttress.Strip // φ
	Variance buttress.Strip // ς φ²
	group    group
}

// NewStrip returns memory for a strip of group g.
func (s *Surface) NewStrip(g int) *Strip {
	own := s.groups[g]
	return &Strip{
		group:    own,
		Mean:     buttress.Strip{Stride: s.strip, Phi: own.slices(s.strip)},
		Variance: buttress.Strip{Stride: s.strip, Phi: own.slices(s.strip)},
	}
}

// slices returns memory for the basis values of every input, all in one piece:
// apart, they would share fewer sets of a cache.
func (g group) slices(stride int) [][]float32 {
	size := 0
	for _, b := range g.Bases {
		size += b.Nodes() * stride
	}
	whole := make([]float32, size)
	phi := make([][]float32, len(g.Bases))
	for input, b := range g.Bases {
		n := b.Nodes() * stride
		phi[input], whole = whole[:n:n], whole[n:]
	}
	return phi
}

// Fill evaluates the basis of one input at the points x, [n, d] by rows with
// n ≤ StripPoints, every coordinate in its basis's domain.
func (s *Strip) Fill(input int, x []float32) {
	d := len(s.group.Bases)
	n := len(x) / d
	t := s.Variance.Phi[input][:n] // filled below: until then it holds the coordinates
	for p := range t {
		t[p] = x[p*d+input]
	}
	m := s.group.Bases[input].Nodes()
	s.group.Bases[input].Values(s.Mean.Phi[input], t, n, s.Mean.Stride)
	kernel.ScaledSquare(s.Variance.Phi[input], s.Mean.Phi[input], s.group.nodeVariance[input], m, n, s.Mean.Stride)
}

// SetPoints tells how many points the strip holds.
func (s *Strip) SetPoints(n int) { s.Mean.Points, s.Variance.Points = n, n }

// fill evaluates all inputs.
func (s *Strip) fill(x []float32) {
	for input := range s.group.Bases {
		s.Fill(input, x)
	}
	s.SetPoints(len(x) / len(s.group.Bases))
}

// multiply turns the strip's variance basis ς φ(x)² into ς φ(x) φ(z), the basis of
// the covariance between its points and z's.
func (s *Strip) multiply(z *Strip) {
	for input, phi := range s.Mean.Phi {
		for i, variance := range s.group.nodeVariance[input] {
			row := phi[i*s.Mean.Stride:][:s.Mean.Points]
			other := z.Mean.Phi[input][i*s.Mean.Stride:][:s.Mean.Points]
			product := s.Variance.Phi[input][i*s.Mean.Stride:][:s.Mean.Points]
			for p := range product {
				product[p] = variance * row[p] * other[p]
			}
		}
	}
}

package surface

import (
	"beziergp/buttress"
	"beziergp/internal/kernel"
)

// MaxStrip is the largest number of points of a strip.
const MaxStrip = buttress.MaxStrip

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
		Mean:     buttress.Strip{Phi: own.slices()},
		Variance: buttress.Strip{Phi: own.slices()},
	}
}

// slices returns memory for the basis values of every input, all in one piece:
// apart, they would share fewer sets of a cache.
func (g group) slices() [][]float32 {
	size := 0
	for _, b := range g.Bases {
		size += b.Nodes() * MaxStrip
	}
	whole := make([]float32, size)
	phi := make([][]float32, len(g.Bases))
	for input, b := range g.Bases {
		n := b.Nodes() * MaxStrip
		phi[input], whole = whole[:n:n], whole[n:]
	}
	return phi
}

// Fill evaluates the basis of one input at the points x, [n, d] by rows with
// n ≤ MaxStrip, every coordinate in its basis's domain.
func (s *Strip) Fill(input int, x []float32) {
	d := len(s.group.Bases)
	n := len(x) / d
	t := s.Variance.Phi[input][:n] // filled below: until then it holds the coordinates
	for p := range t {
		t[p] = x[p*d+input]
	}
	m := s.group.Bases[input].Nodes()
	s.group.Bases[input].Values(s.Mean.Phi[input], t, n, MaxStrip)
	kernel.ScaledSquare(s.Variance.Phi[input], s.Mean.Phi[input], s.group.nodeVariance[input], m, n, MaxStrip)
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
			row := phi[i*MaxStrip:][:s.Mean.Points]
			other := z.Mean.Phi[input][i*MaxStrip:][:s.Mean.Points]
			product := s.Variance.Phi[input][i*MaxStrip:][:s.Mean.Points]
			for p := range product {
				product[p] = variance * row[p] * other[p]
			}
		}
	}
}

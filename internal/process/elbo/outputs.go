package elbo

import (
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// outputs is what [Mean] has for a loss of all outputs. Workers share out the rows of a tile.
type outputs struct {
	losses   Losses
	values   []float64 // weighted losses of the rows, [TilePoints]
	f, slope [][]float64
	to       int // last row of the tile
	rows     func(worker, part int)
}

// lossRows is how many rows are a worker's part.
const lossRows = 32

// NewOutputs returns the objective of all outputs of a surface, of which all groups are
// [surface.MeanOnly], or all are [surface.VarianceOnly].
func NewOutputs(s *surface.Surface, losses Losses, pool *simd.Pool) *Mean {
	m := newObjective(s, pool, s.Group(0).Part)
	o := &outputs{losses: losses, values: make([]float64, s.TilePoints()), rows: m.slopesOfRows}
	for range pool.Workers() {
		o.f, o.slope = append(o.f, make([]float64, s.Outputs())), append(o.slope, make([]float64, s.Outputs()))
	}
	m.outputs = o
	return m
}

// slopesOfOutputs is slopes of all outputs.
func (m *Mean) slopesOfOutputs(from, to int) (sum float64) {
	o, n := m.outputs, to-from
	o.to = to
	m.pool.Do((n+lossRows-1)/lossRows, o.rows)
	for _, v := range o.values[:n] {
		sum += v
	}
	return sum
}

// slopesOfRows does so for a part of the rows.
func (m *Mean) slopesOfRows(worker, part int) {
	o, rows, scale, stride := m.outputs, &m.call.rows, m.scale(), m.surface.TilePoints()
	f, slope := o.f[worker], o.slope[worker]
	first, last := part*lossRows, min((part+1)*lossRows, o.to-m.call.from)
	for t := range f {
		sum := m.f[t*stride+first : t*stride+last]
		clear(sum)
		m.passes.addTo(sum, t*stride+first)
	}
	size := float64(rows.Len())
	for p := first; p < last; p++ {
		for t := range f {
			f[t] = scale * m.f[t*stride+p]
		}
		clear(slope)
		j := m.call.from + p
		weight := rows.Weight(j)
		o.values[p] = weight * o.losses(f, rows.Targets(j, j+1), slope)
		for t, v := range slope {
			m.slope[t*stride+p] = cotangent(weight * scale * v / size)
		}
	}
}

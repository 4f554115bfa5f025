package buttress

import "beziergp/internal/simd"

// values are the states or cotangents of one layer at the points of a tile: a row of
// points for every node, or, where the layer is local, the values at a point side by side.
type values struct {
	values []float32
	rows   int
	local  bool
	stride int
}

// layer returns the states of layer g.
func (s *States) layer(c *simd.Chain, g int) values {
	first, rows, local := c.State(g)
	return values{s.rows[first*s.stride : (first+rows)*s.stride], rows, local, s.stride}
}

// of returns other values that lie as v does.
func (v values) of(other []float32) values {
	v.values = other
	return v
}

// point returns the values at a point, so many elements apart.
func (v values) point(p int) (values []float32, apart int) {
	if v.local {
		return v.values[p*v.rows:][:v.rows], 1
	}
	return v.values[p:], v.stride
}

// sum writes the sum over the layer to out; ones are as many as v.
func (v values) sum(out, ones []float32, n int) {
	if v.local {
		simd.SumSlots(out, v.values, v.rows, n)
		return
	}
	simd.Layer(out, ones, ones, v.values, 1, 1, v.rows, 1, n, v.stride)
}

// times writes basis values times a factor a point.
func (v values) times(phi, factor, ones []float32, n int) {
	if v.local {
		simd.ScaleSlots(v.values, phi, factor, v.rows, n)
		return
	}
	simd.Layer(v.values, phi, ones, factor, 1, 1, 1, v.rows, n, v.stride)
}

// scale multiplies by a factor a point.
func (v values) scale(factor []float32, n int) {
	if v.local {
		simd.ScaleSlots(v.values, v.values, factor, v.rows, n)
		return
	}
	simd.Scale(v.values, factor, v.rows, n, v.stride)
}

// rescale brings the values at each point near one, and tells by what.
func (v values) rescale(factor []float32, exponents []int32, n int) {
	if v.local {
		simd.RescaleSlots(v.values, factor[:n], exponents, v.rows, n)
		return
	}
	simd.Rescale(v.values, factor, exponents, v.rows, n, v.stride)
}

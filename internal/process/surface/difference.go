package surface

import "context"

// blendDifference is points that take one coordinate of the others' place, in turn.
type blendDifference struct {
	from, to []float32
	dst      []float64
}

// Differences writes, of every input i, E f at the points x, [n, d] by rows, with the coordinate
// to_i in the place of x_i less that with from_i to dst, [n, d]. E f is linear in the functions of
// one input, so that one pass forward and one back tell of all.
func (e *Blender) Differences(ctx context.Context, x, from, to []float32, dst []float64) error {
	n := len(x) / e.surface.inputs
	clear(dst[:len(x)])
	e.call = blendCall{ctx: ctx, x: x, settings: e.here(), difference: &blendDifference{from, to, dst}}
	e.pool.Do((n+e.points-1)/e.points, e.tile)
	e.call = blendCall{}
	return ctx.Err()
}

// addDifference adds those of a tile, the first point of which is point at. ψ is filled already, so
// that the tiles take other points.
func (k *blendKind) addDifference(w *blendWorker, c *blendCall, at int) {
	d, n := len(k.group.Bases), w.psi.Points
	w.x.Fill(c.difference.to[at*d : (at+n)*d])
	w.z.Fill(c.difference.from[at*d : (at+n)*d])
	k.addSlopes(w, &blendCall{z: c.difference.from}, c.difference.dst[at*d:(at+n)*d], 1)
}

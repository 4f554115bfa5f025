package surface

import (
	"context"
	"slices"

	"beziergp/internal/process/basis"
)

// blendAlong is values of one input.
type blendAlong struct {
	input  int
	values int
	phi    [][]float32 // [kinds][m, values]
	dst    []float64
}

// Along writes E f at the points x, [n, d] by rows, with one input at values t in the place of
// its own, to dst, [n, len(t)].
func (e *Blender) Along(ctx context.Context, x []float32, input int, t []float32, dst []float64) error {
	own := &blendAlong{input: input, values: len(t), dst: dst}
	for k := range e.kinds {
		own.phi = append(own.phi, valuesOf(e.kinds[k].group.Bases[input], t))
	}
	n := len(x) / e.surface.inputs
	clear(dst[:n*len(t)])
	e.call = blendCall{ctx: ctx, x: x, settings: e.here(), along: own}
	e.pool.Do((n+e.points-1)/e.points, e.tile)
	e.call = blendCall{}
	return ctx.Err()
}

// addAlong adds E f at the values for the points of a tile, the first of them point from.
func (k *blendKind) addAlong(w *blendWorker, a *blendAlong, kind, from int) {
	ld, first := w.psi.Stride, k.group.Ensemble.Row(a.input)
	for j := range k.group.Bases[a.input].Nodes() {
		own := w.sum[(first+j)*ld:][:w.psi.Points]
		for v, phi := range a.phi[kind][j*a.values:][:a.values] {
			if phi == 0 {
				continue
			}
			for p, c := range own {
				a.dst[(from+p)*a.values+v] += float64(phi) * float64(c)
			}
		}
	}
}

// here is the setting of every input at its point.
func (e *Blender) here() []Setting {
	return []Setting{{At: slices.Repeat([]float32{1}, e.surface.inputs)}}
}

// valuesOf returns the functions of a basis at t, [m, len(t)].
func valuesOf(b basis.Basis, t []float32) []float32 {
	phi := make([]float32, b.Nodes()*len(t))
	b.Values(phi, slices.Clone(t), len(t), len(t))
	return phi
}

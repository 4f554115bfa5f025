package surface

import (
	"context"
	"slices"
)

// Nodes returns the number of nodes of all kinds of bases, of [Blender.NodeSums].
func (e *Blender) Nodes() int {
	last := e.kinds[len(e.kinds)-1]
	return last.at + len(last.average)
}

// NodeSums adds the derivatives of E f by the values of all functions of all inputs, summed
// over the points x, [n, d] by rows, to sums, [Nodes]. E f is linear in the functions of one
// input, so these tell E f summed over the points with that input at any value
// ([Blender.SumAt]). Results do not depend on the number of workers.
func (e *Blender) NodeSums(ctx context.Context, x []float32, sums []float64) error {
	const parts = 64 // tiles that are summed together, in order
	step := parts * e.points * e.surface.inputs
	for from := 0; from < len(x); from += step {
		own := x[from:min(from+step, len(x))]
		n := len(own) / e.surface.inputs
		count := (n + e.points - 1) / e.points
		nodes := make([][]float64, count)
		for i := range nodes {
			nodes[i] = make([]float64, len(sums))
		}
		e.call = blendCall{ctx: ctx, x: own, settings: e.here(), nodes: nodes}
		e.pool.Do(count, e.tile)
		e.call = blendCall{}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, part := range nodes {
			for i, v := range part {
				sums[i] += v
			}
		}
	}
	return ctx.Err()
}

// here is the setting of every input at its point.
func (e *Blender) here() []Setting {
	return []Setting{{At: slices.Repeat([]float32{1}, e.surface.inputs)}}
}

// SumAt returns what sums of [Blender.NodeSums] tell of an input at values t, [len(t)].
func (e *Blender) SumAt(sums []float64, input int, t []float32) []float64 {
	out := make([]float64, len(t))
	for _, k := range e.kinds {
		phi := valuesOf(&k, input, t)
		row := k.at + k.group.Ensemble.Row(input)
		for j := range k.group.Bases[input].Nodes() {
			for v := range t {
				out[v] += float64(phi[j*len(t)+v]) * sums[row+j]
			}
		}
	}
	return out
}

// valuesOf returns the functions of an input at t, [m, len(t)].
func valuesOf(k *blendKind, input int, t []float32) []float32 {
	b := k.group.Bases[input]
	phi := make([]float32, b.Nodes()*len(t))
	b.Values(phi, slices.Clone(t), len(t), len(t))
	return phi
}

// addNodes adds the derivatives at the points of a tile to dst, [Nodes].
func (k *blendKind) addNodes(w *blendWorker, dst []float64) {
	ld := w.psi.Stride
	for row := range k.average {
		for _, v := range w.sum[row*ld:][:w.psi.Points] {
			dst[k.at+row] += float64(v)
		}
	}
}

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
		own.phi = append(own.phi, valuesOf(&e.kinds[k], input, t))
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

package buttress

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// reshaped returns a tile of an ensemble in the shape of another, of the same inputs, of which fewer layers
// are local: none, and points at which all functions are needed are like others.
func (x *Tile) reshaped(e, shape *Ensemble, supports []int) *Tile {
	out := &Tile{Points: x.Points, Stride: x.Stride, Phi: make([]float32, shape.Rows()*x.Stride), First: x.First}
	for i, m := range e.Widths() {
		for p := range x.Points {
			count, first := m, 0
			if e.Local(i) != 0 {
				count, first = supports[i], int(x.First[(1+i)*x.Stride+p])
			}
			if shape.Local(i) != 0 {
				first = 0
			}
			for j := range count {
				out.Phi[at(shape, i, first+j, p, x.Stride)] = x.Phi[at(e, i, j, p, x.Stride)]
			}
		}
	}
	if shape.HasLocal() {
		out.Whole = &Whole{At: x.Whole.At, Together: x.Whole.Together, Tile: x.Whole.Tile}
		out.Whole.Tile.Phi = slices.Clone(x.Whole.Tile.Phi)
		return out
	}
	for own, p := range x.Whole.At {
		for row := range shape.Rows() {
			out.Phi[row*x.Stride+p] = x.Whole.Tile.Phi[row*x.Stride+own]
		}
	}
	return out
}

// Points at which all functions are needed come out as layers that are not local have them, forward, backward, and
// along every input.
func TestWholePointsAreThoseOfAllLayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, widths := range [][]int{{40, 5, 33, 3, 60}, {40}, slices.Repeat([]int{40, 3, 33}, 16)} {
		supports := make([]int, len(widths))
		for i, m := range widths {
			supports[i] = map[int]int{40: 4, 33: 1, 60: 4}[m]
			if supports[i] == 0 {
				supports[i] = m
			}
		}
		e, err := New(widths, supports, RandomOrderings(len(widths), 3, rng))
		if err != nil {
			t.Fatal(err)
		}
		if !e.HasLocal() {
			t.Skip("no layer is local on this machine")
		}
		const n = 9
		x := randomTile(e, supports, n, rng)
		whole := e.whole()
		all := x.reshaped(e, whole, supports)
		w := normals(e.Size(), 0.9, 0.3, rng)
		cotangent := normals(stride, 0, 1, rng)
		kept, keptWhole := e.NewKeptStates(stride), whole.NewKeptStates(stride)
		dw, want := make([]float32, e.Size()), make([]float32, e.Size())
		for k := range e.Buttresses() {
			out, wanted := make([]float32, stride), make([]float32, stride)
			e.Forward(k, e.Weights(w, k), x, kept, out)
			whole.Forward(k, e.Weights(w, k), all, keptWhole, wanted)
			e.Backward(k, e.Weights(w, k), x, kept, cotangent, e.Weights(dw, k))
			whole.Backward(k, e.Weights(w, k), all, keptWhole, cotangent, e.Weights(want, k))
			for p := range n {
				testkit.Close(t, fmt.Sprintf("%d inputs: f at point %d", len(widths), p), float64(out[p]), float64(wanted[p]), 1e-4, 1e-30)
			}
			for g, l := range e.layers[k] {
				got, want := l.weights(e.Weights(dw, k)), l.weights(e.Weights(want, k))
				largest := max(slices.Max(want), -slices.Min(want))
				for i := range got {
					testkit.Close(t, fmt.Sprintf("%d inputs: slope in layer %d", len(widths), g), float64(got[i]), float64(want[i]), 1e-3, 1e-4*float64(largest))
				}
			}
		}
		for input := 0; input < len(widths) && len(widths) > 1; input += 1 + len(widths)/5 { // of one input no other is unknown
			a, b := e.NewAlong(input, w), whole.NewAlong(input, w)
			got, want := make([]float64, a.Nodes()*stride), make([]float64, a.Nodes()*stride)
			if len(widths) < 10 { // Add adds; long chains have small values
				got, want = slices.Repeat([]float64{1}, len(got)), slices.Repeat([]float64{1}, len(got))
			}
			a.Add(got, x.reshaped(e, a.Shape(), supports), NewStates(stride, a.Shape()), NewStates(stride, a.Shape()))
			b.Add(want, x.reshaped(e, whole, supports), NewStates(stride, b.Shape()), NewStates(stride, b.Shape()))
			for j := range a.Nodes() {
				for p := range n {
					at := j*stride + p
					testkit.Close(t, fmt.Sprintf("%d inputs: along %d at point %d", len(widths), input, p), got[at], want[at], 1e-4, 1e-30)
				}
			}
		}
	}
}

package buttress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// unknown makes of the whole points of a tile such as lack some coordinates: there all functions have their averages, of
// a local input, and those of a known coordinate, or of an input that is not local, are in the tile itself.
func (x *Tile) unknown(e *Ensemble, supports []int, rng *rand.Rand) {
	var averages [][]float32
	whole := e.whole()
	for i, m := range e.Widths() {
		averages = append(averages, normals(m, 1/float64(m), 0.1, rng))
		x.Whole.Lacking = append(x.Whole.Lacking, nil)
		for own, p := range x.Whole.At {
			lacks := i == 0 || (i+own)%3 == 0
			for j := range m {
				x.Whole.Tile.Phi[at(whole, i, j, own, stride)] = 0
				if lacks {
					x.Whole.Tile.Phi[at(whole, i, j, own, stride)] = averages[i][j]
				}
			}
			count, first := m, 0
			if e.Local(i) != 0 {
				if lacks {
					x.Whole.Lacking[i] = append(x.Whole.Lacking[i], p)
					continue
				}
				count = supports[i%len(supports)]
				first = int(x.First[(1+i)*stride+p])
			}
			for j := range count {
				v := float32(2 * rng.Float64() / float64(count))
				if lacks {
					v = averages[i][j]
				}
				x.Phi[at(e, i, j, p, stride)] = v
				x.Whole.Tile.Phi[at(whole, i, first+j, own, stride)] = v
			}
		}
	}
	x.Whole.Averages = averages
}

// Points that lack coordinates come out apart as they do together: of one output and of several, along chains that
// are rescaled, far from one.
func TestNarrowPointsAreWholeOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for _, d := range []int{1, 2, 5, 48, 90} {
		for _, outputs := range []int{1, 3} {
			for _, size := range []float64{1e-20, 1e20} {
				mean := math.Pow(size, 1/max(float64(d), 30))
				var widths, supports []int
				for i := range d {
					widths, supports = append(widths, []int{40, 5, 33, 3, 60}[i%5]), append(supports, []int{4, 5, 1, 3, 4}[i%5])
				}
				e := withOutputs(t, widths, supports, 3, outputs, rng)
				if !e.HasLocal() {
					t.Skip("no layer is local on this machine")
				}
				const n = 9
				x := randomTile(e, supports, n, rng)
				x.unknown(e, supports, rng)
				lacking := x.Whole.Lacking
				w := normals(e.Size(), mean, 0.2, rng)
				s := NewStates(stride, e)
				for k := range e.Buttresses() {
					together, apart := make([]float32, outputs*stride), make([]float32, outputs*stride)
					x.Whole.Together, x.Whole.Lacking = 2, nil
					e.Forward(k, e.Weights(w, k), x, s, together)
					x.Whole.Together, x.Whole.Lacking = 0, lacking
					e.Forward(k, e.Weights(w, k), x, s, apart)
					largest := max(slices.Max(together), -slices.Min(together)) // sums of weights of both signs may be small
					for i, want := range together {
						testkit.Close(t, fmt.Sprintf("%d inputs, %d outputs: element %d", d, outputs, i), float64(apart[i]), float64(want), 1e-4, 1e-6*float64(largest))
					}
					if !slices.ContainsFunc(apart, func(v float32) bool { return v != 0 }) {
						t.Fatalf("%d inputs: nothing but zeros", d)
					}
				}
				kept := e.NewKeptStates(stride)
				together, apart := make([]float32, e.Size()), make([]float32, e.Size())
				cotangent, out := normals(outputs*stride, 0, 1/size, rng), make([]float32, outputs*stride)
				for _, own := range []struct {
					lacking  [][]int
					together int
					dw       []float32
				}{{nil, 2, together}, {lacking, 0, apart}} {
					x.Whole.Lacking, x.Whole.Together = own.lacking, own.together
					for k := range e.Buttresses() {
						e.Forward(k, e.Weights(w, k), x, kept, out)
						e.Backward(k, e.Weights(w, k), x, kept, cotangent, e.Weights(own.dw, k))
					}
				}
				for k := range e.Buttresses() {
					for g, l := range e.layers[k] {
						got, want := l.weights(e.Weights(apart, k)), l.weights(e.Weights(together, k))
						largest := max(slices.Max(want), -slices.Min(want))
						if largest == 0 {
							t.Fatalf("%d inputs: layer %d has no slopes", d, g)
						}
						for i := range got {
							testkit.Close(t, fmt.Sprintf("%d inputs, %d outputs: slope in layer %d", d, outputs, g), float64(got[i]), float64(want[i]), 1e-3, 1e-4*float64(largest))
						}
					}
				}
			}
		}
	}
}

// What a point lacks is told apart of very many nodes, and of others where it lacks few coordinates.
func TestApartIsForFewFunctions(t *testing.T) {
	for _, c := range []struct {
		widths, supports, lacks []int
		want                    bool
	}{
		{[]int{2 * mostWhole, 3}, []int{1, 3}, []int{0}, true},
		{[]int{2 * mostWhole, 3}, nil, []int{0}, false},
		{[]int{61, 61, 61, 61}, []int{4, 4, 4, 4}, []int{2}, true},
		{[]int{61, 61, 61, 61}, []int{4, 4, 4, 4}, []int{0, 1, 2, 3}, false},
		{[]int{16, 16, 16, 16}, []int{4, 4, 4, 4}, []int{1}, false},
	} {
		e, err := New(c.widths, c.supports, [][]int{rand.Perm(len(c.widths))})
		if err != nil {
			t.Fatal(err)
		}
		if e.Apart(func(input int) bool { return slices.Contains(c.lacks, input) }) != c.want {
			t.Errorf("widths %v, supports %v, without %v: %v", c.widths, c.supports, c.lacks, !c.want)
		}
	}
}

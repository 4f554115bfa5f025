package buttress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// The sum along an input, with any of its basis values, is what all buttresses give with
// these: whichever layers the input is in, the first and the last among them, and in chains
// so long that states are rescaled on both sides of it.
func TestAlongIsTheSumOfForwards(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	long := slices.Repeat([]int{3, 2}, 60)
	for _, widths := range append(slices.Clone(shapes), long) {
		e := ensemble(t, widths, 7, rng)
		sd := 0.3
		w := normals(e.Size(), 1, sd, rng)
		for input := range widths {
			if len(widths) == len(long) && input%31 != 0 {
				continue
			}
			for _, n := range []int{1, 5, stride} {
				x := tile(widths, n, rng)
				want, size, out := make([]float64, n), make([]float64, n), make([]float32, n)
				s := NewStates(stride, e)
				for k := range e.Buttresses() {
					e.Forward(k, e.Weights(w, k), x, s, out)
					for p, v := range out {
						want[p] += float64(v)
						size[p] += math.Abs(float64(v))
					}
				}
				phi := slices.Clone(x.Phi[e.Row(input)*stride:][:widths[input]*stride])
				a := e.NewAlong(input, w)
				if a.Nodes() != widths[input] {
					t.Fatalf("%d nodes of %d", a.Nodes(), widths[input])
				}
				c := make([]float64, widths[input]*stride)
				a.Add(c, x, s, NewStates(stride, e))
				for p := range n {
					var got float64
					for j := range widths[input] {
						got += c[j*stride+p] * float64(phi[j*stride+p])
					}
					testkit.Close(t, fmt.Sprintf("%d inputs, along %d, point %d of %d", len(widths), input, p, n), got, want[p], 0, 1e-5*size[p])
				}
			}
		}
	}
}

// States that leave the range of float32 on the way, on either side of the input, or
// together, do not spoil what can be told.
func TestAlongStaysInRange(t *testing.T) {
	const m = 2
	for _, c := range []struct {
		d, middle    int
		before, then float32 // by how much a layer multiplies
	}{{300, 150, 2, 0.5}, {300, 150, 0.5, 2}, {94, 46, 4, 4}, {94, 46, 0.25, 0.25}, {300, 10, 0.25, 1}, {300, 290, 1, 4}} {
		ordering := make([]int, c.d)
		for g := range ordering {
			ordering[g] = g
		}
		e, err := New(slices.Repeat([]int{m}, c.d), nil, [][]int{ordering})
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float32, e.Size())
		for g, l := range e.layers[0] {
			v := l.weights(w)
			for i := range v {
				v[i] = c.before
				if g > c.middle {
					v[i] = c.then
				}
			}
		}
		x := &Tile{Stride: 1, Points: 1, Phi: slices.Repeat([]float32{0.5}, m*c.d)} // add up to one
		sums := make([]float64, m)
		e.NewAlong(c.middle, w).Add(sums, x, NewStates(1, e), NewStates(1, e))
		want := math.Pow(float64(c.before), float64(c.middle+1)) * math.Pow(float64(c.then), float64(c.d-1-c.middle))
		for j, got := range sums {
			testkit.Close(t, fmt.Sprintf("%+v: coefficient %d", c, j), got, want, 1e-6, 0)
		}
	}
}

// Layers of the other inputs stay local, of which a point costs what its own functions do.
func TestAlongKeepsOtherLayersLocal(t *testing.T) {
	e, err := New([]int{300, 400, 500}, []int{4, 1, 4}, [][]int{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	shape := e.NewAlong(1, make([]float32, e.Size())).Shape()
	if e.Local(1) == 0 || shape.Local(0) != e.Local(0) || shape.Local(1) != 0 || shape.Local(2) != e.Local(2) {
		t.Errorf("local are %v, along the second %v", e.local, shape.local)
	}
}

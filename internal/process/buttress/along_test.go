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
				own := x.Phi[e.Row(input)*stride:][:widths[input]*stride]
				phi := slices.Clone(own)
				for i := range own {
					own[i] = 1
				}
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

// States that leave the range of float32 on the way do not, as long as f does not: here
// they grow up to the input by 2^150 and shrink behind it by as much.
func TestAlongStaysInRange(t *testing.T) {
	const d, m, middle = 300, 2, 150
	widths := slices.Repeat([]int{m}, d)
	ordering := make([]int, d)
	for g := range ordering {
		ordering[g] = g
	}
	e, err := New(widths, nil, [][]int{ordering})
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float32, e.Size())
	for g, l := range e.layers[0] {
		v := l.weights(w)
		for i := range v {
			v[i] = 2
			if g > middle {
				v[i] = 0.5
			}
		}
	}
	x := &Tile{Stride: 1, Points: 1, Phi: slices.Repeat([]float32{0.5}, m*d)}
	x.Phi[e.Row(middle)*1], x.Phi[e.Row(middle)+1] = 1, 1
	c := make([]float64, m)
	e.NewAlong(middle, w).Add(c, x, NewStates(1, e), NewStates(1, e))
	want := math.Ldexp(1, middle+1-(d-1-middle)) // each layer's bases add up to one
	for j, got := range c {
		testkit.Close(t, fmt.Sprintf("coefficient %d", j), got, want, 1e-6, 0)
	}
}

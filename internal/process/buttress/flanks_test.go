package buttress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// slopeSums returns what flanks tell of all functions of all inputs over tiles of points.
func slopeSums(f *Flanks, tiles ...*Tile) [][]float64 {
	e := f.Shape()
	var at []int
	size := 0
	for _, m := range e.Widths() {
		at, size = append(at, size), size+m
	}
	slopes, states := make([]float64, size), NewFlankStates(tiles[0].Stride, e)
	for k := range e.Buttresses() {
		sums, wide := make([]float32, f.Size(k)), make([]float64, f.Size(k))
		for _, x := range tiles {
			f.Add(k, x, states, sums)
		}
		for i, v := range sums {
			wide[i] = float64(v)
		}
		f.Slopes(k, wide, at, slopes)
	}
	var all [][]float64
	for i, m := range e.Widths() {
		all = append(all, slopes[at[i]:at[i]+m])
	}
	return all
}

// The derivative by a basis value is f with that function alone in the input's place, summed
// over the points.
func TestFlanksAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, widths := range [][]int{{3, 2, 4, 1}, {5}, {2, 3}} {
		e := ensemble(t, widths, 3, rng)
		w := normals(e.Size(), 0.5, 1, rng)
		for _, n := range []int{1, 5} {
			x, other := tile(widths, n, rng), tile(widths, n, rng)
			got := slopeSums(e.NewFlanks(w), x, other)
			for input, nodes := range widths {
				for j := range nodes {
					var want float64
					for _, x := range []*Tile{x, other} {
						for p := range n {
							for k, ordering := range e.Orderings() {
								testkit.EachPath(widths, func(path []int) {
									if path[input] != j {
										return
									}
									product := testkit.PathProduct(widths, ordering, e.Weights(w, k), path)
									for other, node := range path {
										if other != input {
											product *= float64(x.Phi[(e.Row(other)+node)*x.Stride+p])
										}
									}
									want += product
								})
							}
						}
					}
					testkit.Close(t, fmt.Sprintf("%v: slope by %d of input %d", widths, j, input), got[input][j], want, 1e-5, 1e-5)
				}
			}
		}
	}
}

// Sums over local layers, and between layers too wide for products, are the sums of slopes.
func TestFlanksAreSumsOfSlopes(t *testing.T) {
	for _, c := range []struct{ widths, supports []int }{
		{[]int{40, 5, 33, 3, 1, 60}, []int{4, 5, 1, 3, 1, 4}},
		{[]int{80, 8, 90, 9, 70}, []int{1, 4, 1, 4, 1}}, // of which products are too large
		{[]int{7, 6, 9}, []int{4, 6, 4}},
	} {
		rng := rand.New(rand.NewPCG(4, 2))
		const n, stride = 7, 9
		orderings := append(RandomOrderings(len(c.widths), 4, rng), make([]int, len(c.widths)))
		for i := range c.widths {
			orderings[4][i] = i
		}
		e, err := New(c.widths, c.supports, orderings)
		if err != nil {
			t.Fatal(err)
		}
		w := normals(e.Size(), 0.3, 1, rng)
		x := &Tile{Points: n, Stride: stride, Phi: make([]float32, e.Rows()*stride), First: make([]int32, (1+len(c.widths))*stride)}
		whole := e.whole()
		all := &Tile{Points: n, Stride: stride, Phi: make([]float32, whole.Rows()*stride)}
		for i, m := range c.widths {
			for p := range n {
				first := rng.IntN(m - c.supports[i] + 1)
				if e.Local(i) != 0 {
					x.First[(1+i)*stride+p] = int32(first)
				} else {
					first = 0
				}
				for j := range c.supports[i] {
					v := float32(rng.Float64())
					all.Phi[(whole.Row(i)+first+j)*stride+p] = v
					x.Phi[at(e, i, j, p, stride)] = v
				}
			}
		}
		dense := e.NewSlopes(w, true)
		want, states := make([]float32, len(all.Phi)), NewSlopeStates(stride, dense.Shape())
		for k := range orderings {
			dense.Add(k, all, states, want)
		}
		f := e.NewFlanks(w)
		direct := false
		for _, s := range f.sums[4] {
			direct = direct || s.direct
		}
		if direct != (c.widths[0] == 80) {
			t.Errorf("%v: sums are direct: %t", c.widths, direct)
		}
		for name, got := range map[string][][]float64{"local": slopeSums(f, x), "whole": slopeSums(f.Whole(), all)} {
			for i, m := range c.widths {
				for j := range m {
					var sum, size float64
					for p := range n {
						v := float64(want[(whole.Row(i)+j)*stride+p])
						sum, size = sum+v, size+math.Abs(v)
					}
					testkit.Close(t, fmt.Sprintf("%v, %s: slope by %d of input %d", c.widths, name, j, i), got[i][j], sum, 1e-4, 1e-5*size+1e-5)
				}
			}
		}
	}
}

// Long chains of factors far from one stay in range: f is a product of sums, so that every
// derivative is known.
func TestFlanksOfLongChainsStayInRange(t *testing.T) {
	for _, size := range []float64{1.0 / 50, 1, 50} {
		rng := rand.New(rand.NewPCG(4, 3))
		const d, n = 385, 3
		widths := make([]int, d)
		for i := range widths {
			widths[i] = 2
		}
		e := ensemble(t, widths, 2, rng)
		w := make([]float32, e.Size())
		for i := range w {
			w[i] = 1
		}
		x := tile(widths, n, rng)
		sums := make([]float64, d) // of the functions of an input, far from one, which the next one makes good: not so the ordering
		for i := range sums {
			sums[i] = 1
			if i < d-1 {
				sums[i] = math.Pow(size, float64(1-2*(i%2)))
			}
			for p := range n {
				share := rng.Float64()
				x.Phi[e.Row(i)*x.Stride+p], x.Phi[(e.Row(i)+1)*x.Stride+p] = float32(share*sums[i]), float32((1-share)*sums[i])
			}
		}
		got := slopeSums(e.NewFlanks(w), x)
		for i := range d {
			for j := range 2 {
				testkit.Close(t, fmt.Sprintf("sums of %g: slope by %d of input %d", size, j, i), got[i][j], 2*n/sums[i], 1e-4, 0)
			}
		}
	}
}

package buttress

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// The derivative by a basis value is f with that function alone in the input's place.
func TestSlopesAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	widths := []int{3, 2, 4, 1}
	e := ensemble(t, widths, 3, rng)
	w := normals(e.Size(), 0.5, 1, rng)
	for _, n := range []int{1, 5, stride} {
		x := tile(widths, n, rng)
		s := e.NewSlopes(w, true)
		m := NewSlopeStates(x.Stride, s.Shape())
		sum := make([]float32, len(x.Phi))
		for k := range e.Buttresses() {
			s.Add(k, x, m, sum)
		}
		for input, nodes := range widths {
			for j := range nodes {
				for p := range n {
					var want float64
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
					testkit.Close(t, "slope", float64(sum[(e.Row(input)+j)*x.Stride+p]), want, 1e-5, 1e-5)
				}
			}
		}
	}
}

// Local layers give the same derivatives as all layers do, of the functions that they have.
func TestLocalSlopesAreThoseOfAllLayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	widths, supports := []int{40, 5, 33, 3, 1, 60, 50, 45}, []int{4, 5, 1, 3, 1, 4, 3, 2}
	const n, stride = 7, 9
	orderings := RandomOrderings(len(widths), 4, rng)
	e, err := New(widths, supports, orderings)
	if err != nil {
		t.Fatal(err)
	}
	if !e.HasLocal() {
		t.Skip("no layer is local on this machine")
	}
	w := normals(e.Size(), 0.3, 1, rng)
	x := &Tile{Points: n, Stride: stride, Phi: make([]float32, e.Rows()*stride), First: make([]int32, (1+len(widths))*stride)}
	whole := e.whole()
	all := &Tile{Points: n, Stride: stride, Phi: make([]float32, whole.Rows()*stride)}
	for i, m := range widths {
		k := supports[i]
		for p := range n {
			first := 0
			if e.Local(i) != 0 {
				first = rng.IntN(m - k + 1)
				x.First[(1+i)*stride+p] = int32(first)
			}
			for j := range k {
				v := float32(rng.Float64())
				all.Phi[(whole.Row(i)+first+j)*stride+p] = v
				x.Phi[at(e, i, j, p, stride)] = v
			}
		}
	}
	local, dense := e.NewSlopes(w, false), e.NewSlopes(w, true)
	localSum, denseSum := make([]float32, len(x.Phi)), make([]float32, len(all.Phi))
	localStates, denseStates := NewSlopeStates(stride, local.Shape()), NewSlopeStates(stride, dense.Shape())
	for k := range orderings {
		local.Add(k, x, localStates, localSum)
		dense.Add(k, all, denseStates, denseSum)
	}
	for i := range widths {
		for p := range n {
			for j := range supports[i] {
				node := j
				if e.Local(i) != 0 {
					node += int(x.First[(1+i)*stride+p])
				}
				got, want := localSum[at(e, i, j, p, stride)], denseSum[(whole.Row(i)+node)*stride+p]
				testkit.Close(t, "local slope", float64(got), float64(want), 1e-4, 1e-5)
			}
		}
	}
}

// at returns where value j of an input at point p lies in a tile.
func at(e *Ensemble, input, j, p, stride int) int {
	if e.Local(input) != 0 {
		return e.Row(input)*stride + p*e.slot(input) + j
	}
	return (e.Row(input)+j)*stride + p
}

// Long chains of factors far from one stay in range: f is a product of sums, so that every
// derivative is known.
func TestSlopesOfLongChainsStayInRange(t *testing.T) {
	for _, size := range []float64{1.0 / 50, 1, 50} {
		rng := rand.New(rand.NewPCG(3, 3))
		const d, n, stride = 385, 3, 4
		widths := make([]int, d)
		for i := range widths {
			widths[i] = 2
		}
		e := ensemble(t, widths, 2, rng)
		// All weights of a layer alike: a buttress is the product over inputs of weight · Σ φ.
		w := make([]float32, e.Size())
		factor := make([]float64, d)
		for i := range factor {
			factor[i] = math.Exp(0.1 * rng.NormFloat64())
		}
		for k := range e.Buttresses() {
			for _, l := range e.layers[k] {
				own := l.weights(e.Weights(w, k))
				for q := range own {
					own[q] = float32(factor[l.input])
				}
			}
		}
		x := &Tile{Points: n, Stride: stride, Phi: make([]float32, e.Rows()*stride)}
		for i := range x.Phi {
			x.Phi[i] = float32(0.5 + 0.1*rng.NormFloat64())
		}
		for i := range d &^ 1 { // far from one, which the next input makes good: not so the ordering
			for j := range 2 {
				for p := range n {
					own := &x.Phi[(e.Row(i)+j)*stride+p]
					if i%2 == 0 {
						*own *= float32(size)
					} else {
						*own /= float32(size)
					}
				}
			}
		}
		s := e.NewSlopes(w, true)
		m := NewSlopeStates(stride, s.Shape())
		sum := make([]float32, len(x.Phi))
		for k := range e.Buttresses() {
			s.Add(k, x, m, sum)
		}
		for p := range n {
			logF, sums := math.Log(2), make([]float64, d)
			for i := range sums {
				sums[i] = float64(x.Phi[e.Row(i)*stride+p]) + float64(x.Phi[(e.Row(i)+1)*stride+p])
				logF += math.Log(sums[i] * float64(float32(factor[i])))
			}
			for i := range sums {
				for j := range 2 {
					testkit.Close(t, "slope", float64(sum[(e.Row(i)+j)*stride+p]), math.Exp(logF)/sums[i], 1e-4, 0)
				}
			}
		}
	}
}

// Powers beyond those of float32 are multiplied in steps, which leave what is in range.
func TestScaleByPowers(t *testing.T) {
	for e := int32(-400); e <= 400; e++ {
		v := values{values: make([]float32, 3), rows: 1, stride: 3}
		a, b := []int32{e, 7, -3}, []int32{0, e - 7, 3}
		for p := range 2 { // so that the product is 1.5, or as near as float32 has it
			v.values[p] = float32(math.Ldexp(1.5, int(min(max(-e, -126), 126))))
		}
		v.values[2] = 5
		before := append([]float32(nil), v.values...)
		v.scaleByPowers(make([]float32, 3), a, b, 3)
		for p := range 3 {
			if got, want := v.values[p], float32(math.Ldexp(float64(before[p]), int(a[p]+b[p]))); got != want {
				t.Fatalf("%g · 2^%d = %g, want %g", before[p], a[p]+b[p], got, want)
			}
		}
	}
}

// A tile of another stride, or of two shapes, is refused by what takes one alone.
func TestTilesThatAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	widths := []int{3, 2}
	e := ensemble(t, widths, 2, rng)
	w := normals(e.Size(), 0.5, 1, rng)
	s, f := e.NewSlopes(w, true), e.NewFlanks(w)
	for name, change := range map[string]func(x *Tile){
		"stride": func(x *Tile) { x.Stride-- },
		"whole":  func(x *Tile) { x.Whole = &Whole{} },
	} {
		x := tile(widths, 2, rng)
		change(x)
		for by, add := range map[string]func(){
			"slopes": func() { s.Add(0, x, NewSlopeStates(stride, s.Shape()), make([]float32, len(x.Phi))) },
			"flanks": func() { f.Add(0, x, NewFlankStates(stride, f.Shape()), make([]float32, f.Size(0))) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s take a tile of another %s", by, name)
					}
				}()
				add()
			}()
		}
	}
}

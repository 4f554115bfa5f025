package buttress

import (
	"math"
	"slices"

	"beziergp/internal/simd"
)

// Points that lack a coordinate go through all nodes of every layer together, or one by one through
// those nodes that they have values at. What takes how long, in units of the latter's of a weight; measured.
const (
	wholeWeight = 0.5   // of a weight, whatever the number of points
	wholePoint  = 0.016 // of a weight by a point
)

// mostWhole is the number of nodes above which they go one by one however many they are: all nodes of
// them together would be too much memory.
const mostWhole = 8192

// Narrow tells whether points go one by one, of each of which counts tells how many functions of all inputs
// do not vanish.
func (e *Ensemble) Narrow(counts []int) bool {
	if e.local == nil {
		return false
	}
	if e.widest() > mostWhole {
		return true
	}
	var apart float64
	for _, n := range counts {
		apart += float64(n) * float64(n)
	}
	all := float64(e.nodes())
	return apart < all*all*(wholeWeight+wholePoint*float64(len(counts)))
}

// Count returns how many functions of an input do not vanish at a point, where its coordinate is known.
func (e *Ensemble) Count(input int) int {
	if k := e.Local(input); k != 0 {
		return k
	}
	return e.widths[input]
}

// narrowStates is the memory of points that go one by one.
type narrowStates struct {
	layers    []float64 // states behind every layer, one layer after the other, and point by point where they are kept
	ends      []int     // where those of a layer end, after a 0: where they begin
	exponents []int     // taken out behind every layer
	u, next   []float64 // cotangents
}

// resetNarrow returns the memory with nothing in it.
func (s *States) resetNarrow() *narrowStates {
	if s.narrow == nil {
		s.narrow = &narrowStates{}
	}
	n := s.narrow
	n.layers, n.ends, n.exponents = n.layers[:0], append(n.ends[:0], 0), n.exponents[:0]
	return n
}

// more returns memory for so many states more.
func (n *narrowStates) more(count int) []float64 {
	from := len(n.layers)
	n.layers = slices.Grow(n.layers, count)[:from+count]
	return n.layers[from:]
}

// forwardNarrow sends points of which a coordinate is unknown through buttress k.
func (e *Ensemble) forwardNarrow(k int, w []float32, x *Tile, s *States, out []float32) {
	own := s.resetNarrow()
	for _, p := range x.Whole.At {
		if !s.kept {
			own = s.resetNarrow()
		}
		states, exponent, from := one, 0, 0
		for g := range e.layers[k] {
			l := &e.layers[k][g]
			phi, step, first := e.functions(l, x, p)
			next := own.more((len(phi) + step - 1) / step)
			clear(next)
			weights := l.weights(w)[from*l.cols+first:]
			for i, a := range states {
				row := weights[i*l.cols:][:len(next)]
				for j, v := range row {
					next[j] += a * float64(v)
				}
			}
			for j := range next {
				next[j] *= float64(phi[j*step])
			}
			states, from = next, first
			taken := 0
			if rescaled(g, len(e.layers[k])) {
				taken = takeExponent(states)
				exponent += taken
			}
			own.ends, own.exponents = append(own.ends, len(own.layers)), append(own.exponents, taken)
		}
		if e.outputs > 1 {
			for t, v := range states {
				out[t*s.stride+p] = float32(math.Ldexp(v, exponent))
			}
			continue
		}
		var sum float64
		for _, v := range states {
			sum += v
		}
		out[p] = float32(math.Ldexp(sum, exponent))
	}
}

// backwardNarrow follows forwardNarrow, whose states were kept, as [Ensemble.Backward] says.
func (e *Ensemble) backwardNarrow(k int, w []float32, x *Tile, s *States, cotangent, dw []float32) {
	own, layers := s.narrow, e.layers[k]
	for at, p := range x.Whole.At {
		ends, exponents := own.ends[at*len(layers):][:len(layers)+1], own.exponents[at*len(layers):][:len(layers)]
		exponent := 0
		for _, taken := range exponents {
			exponent += taken
		}
		// Cotangents of the states of the last layer.
		u := sized(&own.u, ends[len(layers)]-ends[len(layers)-1])
		for j := range u {
			c := cotangent[p]
			if e.outputs > 1 {
				c = cotangent[j*s.stride+p]
			}
			u[j] = math.Ldexp(float64(c), exponent)
		}
		for g := len(layers) - 1; g >= 0; g-- {
			l := &layers[g]
			phi, step, first := e.functions(l, x, p)
			if taken := exponents[g]; taken != 0 {
				for j := range u {
					u[j] = math.Ldexp(u[j], -taken)
				}
			}
			for j := range u {
				u[j] *= float64(phi[j*step])
			}
			before, from := one, 0
			if g > 0 {
				before = own.layers[ends[g-1]:ends[g]]
				_, _, from = e.functions(&layers[g-1], x, p)
			}
			next := sized(&own.next, len(before))
			at := from*l.cols + first
			weights, slopes := l.weights(w)[at:], l.weights(dw)[at:]
			for i, a := range before {
				row, slope := weights[i*l.cols:][:len(u)], slopes[i*l.cols:][:len(u)]
				var sum float64
				for j, v := range u {
					sum += float64(row[j]) * v
					slope[j] += float32(a * v)
				}
				next[i] = sum
			}
			own.u, own.next = own.next, own.u
			u = next
		}
	}
}

// sized returns memory of a length, which holds anything.
func sized(memory *[]float64, n int) []float64 {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	return *memory
}

// functions returns the values at a point of the functions of a layer's input that may not
// vanish there, so many elements apart, and the first of them.
func (e *Ensemble) functions(l *layer, x *Tile, p int) (phi []float32, step, first int) {
	at := e.rows[l.input] * x.Stride
	if l.input == len(e.widths) || e.Local(l.input) == 0 {
		return x.Phi[at+p:][:(l.cols-1)*x.Stride+1], x.Stride, 0
	}
	k := e.Local(l.input)
	own := x.Phi[at+p*simd.Slot(k):][:k]
	for _, v := range own {
		if v != 0 {
			return own, 1, int(x.First[(1+l.input)*x.Stride+p])
		}
	}
	return x.Whole.Averages[l.input], 1, 0
}

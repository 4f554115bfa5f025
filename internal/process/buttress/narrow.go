package buttress

import (
	"math"

	"beziergp/internal/simd"
)

// mostWhole is the number of nodes above which points that lack a coordinate go one by one
// through those nodes of every layer that they have values at. They go through all of fewer
// together, which is then quicker.
const mostWhole = 8192

// Narrow tells whether they go one by one.
func (e *Ensemble) Narrow() bool { return e.local != nil && e.widest() > mostWhole }

// forwardNarrow sends points of which a coordinate is unknown through buttress k.
func (e *Ensemble) forwardNarrow(k int, w []float32, x *Tile, s *States, out []float32) {
	for i := range s.narrow {
		if len(s.narrow[i]) < e.widest() {
			s.narrow[i] = make([]float64, e.widest())
		}
	}
	for _, p := range x.Whole.At {
		states, exponent, from := s.narrow[0][:1], 0, 0
		states[0] = 1
		for g := range e.layers[k] {
			l := &e.layers[k][g]
			phi, step, first := e.functions(l, x, p)
			n := (len(phi) + step - 1) / step
			next := s.narrow[1-g%2][:n]
			weights := l.weights(w)
			for j := range next {
				var sum float64
				if v := phi[j*step]; v != 0 {
					for i, a := range states {
						sum += a * float64(weights[(from+i)*l.cols+first+j])
					}
					sum *= float64(v)
				}
				next[j] = sum
			}
			states, from = next, first
			if rescaled(g, len(e.layers[k])) {
				exponent += takeExponent(states)
			}
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

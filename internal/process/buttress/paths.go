package buttress

import (
	"math"

	"beziergp/internal/simd"
)

// Paths is the memory of a sum over all paths of one buttress of products of one
// factor a layer, w^power · c[node]. It is carried in float64 with powers of two
// taken out, so that neither prefix nor suffix of a long chain leaves the range.
// It serves any buttress of the ensemble that it was made for, one at a time.
type Paths struct {
	layers []layer
	w      []float32
	power  int
	c      [][]float64  // [d] by input: factor of every node; behind them that of every output where there are several
	prefix [][]float64  // by layer
	shift  []int        // by layer, exponent taken out of the prefix
	memory []float64    // of the prefixes
	back   [3][]float64 // suffix, the next one, and what the visitor sees
}

var one = []float64{1}

// NewPaths returns memory for sums over paths.
func (e *Ensemble) NewPaths() *Paths {
	s := &Paths{
		prefix: make([][]float64, e.depth()),
		shift:  make([]int, e.depth()),
		memory: make([]float64, e.nodes()),
	}
	for i := range s.back {
		s.back[i] = make([]float64, e.widest())
	}
	return s
}

// forward runs the sum over the paths of buttress k and returns it.
func (s *Paths) forward(e *Ensemble, k int, w []float32, power int, c [][]float64) float64 {
	s.layers, s.w, s.power, s.c = e.layers[k], w, power, c
	a, exponent, at := one, 0, 0
	for g := range s.layers {
		l := &s.layers[g]
		next := s.memory[at : at+l.cols]
		at += l.cols
		simd.PathForward(next, a, c[l.input], l.weights(w), power)
		exponent += takeExponent(next)
		s.prefix[g], s.shift[g] = next, exponent
		a = next
	}
	var sum float64
	for _, v := range a {
		sum += v
	}
	return math.Ldexp(sum, exponent)
}

// backward follows forward. It calls visit for every layer g from the last to
// the first with a, of the layer's rows, and b, of its columns, such that the
// sum's derivative by w[i,j]^power is a[i]·b[j]·c[j]. visit may overwrite b; both
// are valid during the call.
func (s *Paths) backward(visit func(g int, l *layer, a, b []float64)) {
	last := len(s.layers) - 1
	suffix, spare := s.back[0][:s.layers[last].cols], s.back[1]
	for j := range suffix {
		suffix[j] = 1
	}
	exponent := 0
	for g := last; ; g-- {
		l := &s.layers[g]
		a, shift := one, exponent
		if g > 0 {
			a = s.prefix[g-1]
			shift += s.shift[g-1]
		}
		b, scale := s.back[2][:l.cols], math.Ldexp(1, shift)
		for j, v := range suffix {
			b[j] = v * scale
		}
		visit(g, l, a, b)
		if g == 0 {
			return
		}
		for j, c := range s.c[l.input] {
			suffix[j] *= c
		}
		next := spare[:l.rows]
		simd.PathBackward(next, suffix, l.weights(s.w), s.power)
		exponent += takeExponent(next)
		suffix, spare = next, suffix[:cap(suffix)]
	}
}

// takeExponent divides v by the power of two of its largest element and returns
// the exponent; 0 where that element is zero or not finite.
func takeExponent(v []float64) int {
	var top uint64 // of positive numbers, larger bits are the larger number
	for _, x := range v {
		top = max(top, math.Float64bits(x)&^(1<<63))
	}
	biased := int(top >> 52)
	if top == 0 || biased == 0x7ff {
		return 0
	}
	exponent := max(min(biased-1022, 1000), -1000) // so that the factor is a normal number
	scale := math.Float64frombits(uint64(1023-exponent) << 52)
	for i := range v {
		v[i] *= scale
	}
	return exponent
}

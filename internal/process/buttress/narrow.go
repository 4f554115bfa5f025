package buttress

import (
	"iter"
	"slices"

	"beziergp/internal/simd"
)

// Points that lack coordinates go through all nodes of every layer together, or with all other points, which
// have zeros for states and cotangents at the layers of these inputs: what they have at all of its nodes is found apart, point by point,
// in the two layers that an input takes part in. What takes how long, in units of a weight of the latter; measured.
const (
	apartPoint = 130  // of an input that a point lacks,
	apartNode  = 8    // and of each of its nodes
	wholePoint = 0.08 // of a weight of all layers, by one of some thirty points together
)

// mostWhole is the number of nodes above which they are told apart in any case: all nodes of
// them together would be too much memory.
const mostWhole = 8192

// Apart tells whether what a point lacks is told apart, where lacks tells of which inputs it is all functions of a local layer. It
// does not depend on other points, and neither does what comes out.
func (e *Ensemble) Apart(lacks func(input int) bool) bool {
	if e.local == nil {
		return false
	}
	if e.widest() > mostWhole {
		return true
	}
	var apart float64
	for i, m := range e.widths {
		if lacks(i) {
			apart += apartPoint + apartNode*float64(m)
		}
	}
	all := float64(e.nodes())
	return apart < wholePoint*all*all/float64(len(e.widths))
}

// narrowStates is the memory of what points have at all nodes of the layers whose input they lack.
type narrowStates struct {
	states   []float32 // layer after layer, [points that lack its input, nodes]
	starts   []int     // by layer, where its states begin
	up, down []float32 // cotangents of a layer and of the one before, as the states
	narrow   []float32 // cotangents of a layer at points that lack the input of the one before alone
	at, to   []float32 // a state, and a cotangent
}

// lackingAt returns the points that lack the input of layer g of a buttress; none where it is not local, or before the first.
func (x *Tile) lackingAt(layers []layer, g int) []int {
	if g < 0 || layers[g].input >= len(x.Whole.Lacking) { // that of outputs
		return nil
	}
	return x.Whole.Lacking[layers[g].input]
}

// beforeAlone returns the points that lack the input of the layer before, and not that of a layer.
func beforeAlone(before, here []int) iter.Seq[int] {
	return func(yield func(p int) bool) {
		for _, p := range before {
			if _, also := slices.BinarySearch(here, p); !also && !yield(p) {
				return
			}
		}
	}
}

// apart tells whether points have all nodes of layer g or of the one before.
func (x *Tile) apart(layers []layer, g int) bool {
	return len(x.lackingAt(layers, g)) > 0 || len(x.lackingAt(layers, g-1)) > 0
}

// sweepNarrow is [States.sweep] where points lack coordinates.
func (e *Ensemble) sweepNarrow(k int, c *simd.Chain, w []float32, x *Tile, s *States) values {
	d, layers := e.depth(), e.layers[k]
	if s.narrow == nil {
		s.narrow = &narrowStates{}
	}
	s.narrow.states, s.narrow.starts = s.narrow.states[:0], s.narrow.starts[:0]
	if hasRescaling(d) {
		clear(s.exponents)
	}
	for from, to := 0, 0; from < d; from = to {
		to = from + 1
		for to < d && !rescaled(to-1, d) && !x.apart(layers, to-1) {
			to++
		}
		c.Forward(from, to, s.rows, x.Phi, x.First, w, x.Points, s.stride)
		s.narrow.starts = append(s.narrow.starts, slices.Repeat([]int{len(s.narrow.states)}, to-from)...)
		e.forwardApart(k, to-1, c, w, x, s)
		if rescaled(to-1, d) {
			s.layer(c, to-1).rescale(s.factor(to-1), s.exponents, x.Points)
			s.narrow.rescale(to-1, layers[to-1].cols, x.lackingAt(layers, to-1), s)
		}
	}
	return s.layer(c, d-1)
}

// forwardApart finds the states of layer g at points that lack its input or that of the layer before.
func (e *Ensemble) forwardApart(k, g int, c *simd.Chain, w []float32, x *Tile, s *States) {
	layers, own := e.layers[k], s.narrow
	l, here, before := &layers[g], x.lackingAt(layers, g), x.lackingAt(layers, g-1)
	start := len(own.states)
	own.states = slices.Grow(own.states, len(here)*l.cols)[:start+len(here)*l.cols]
	weights := l.weights(w)
	for i, p := range here {
		state, from := e.stateBefore(layers, g, p, c, x, s)
		next := own.states[start+i*l.cols:][:l.cols]
		through(next, state, weights[from*l.cols:], l.cols)
		for j, v := range x.Whole.Averages[l.input] {
			next[j] *= v
		}
	}
	for p := range beforeAlone(before, here) {
		state, from := e.stateBefore(layers, g, p, c, x, s)
		phi, step, n, first := e.functions(l, x, p)
		next := sized(&own.to, n)
		through(next, state, weights[from*l.cols+first:], l.cols)
		values, apart := s.layer(c, g).point(p)
		for j, v := range next {
			values[j*apart] = v * phi[j*step]
		}
	}
}

// stateBefore returns the state of a point behind the layer before g, and the first node that it is of.
func (e *Ensemble) stateBefore(layers []layer, g, p int, c *simd.Chain, x *Tile, s *States) (state []float32, first int) {
	if g == 0 {
		return one32, 0
	}
	if i, lacks := slices.BinarySearch(x.lackingAt(layers, g-1), p); lacks {
		m := layers[g-1].cols
		return s.narrow.states[s.narrow.starts[g-1]+i*m:][:m], 0
	}
	_, _, n, first := e.functions(&layers[g-1], x, p)
	state = sized(&s.narrow.at, n)
	values, apart := s.layer(c, g-1).point(p)
	for i := range state {
		state[i] = values[i*apart]
	}
	return state, first
}

var one32 = []float32{1}

// through carries a state through weights, rows of so many columns, to the nodes of next.
func through(next, state, weights []float32, cols int) {
	clear(next)
	for i, a := range state {
		row := weights[i*cols:][:len(next)]
		for j, v := range row {
			next[j] += a * v
		}
	}
}

// rescale brings the states of layer g near one as those of the other points are.
func (n *narrowStates) rescale(g, m int, points []int, s *States) {
	for i, p := range points {
		simd.RescaleSlots(n.states[n.starts[g]+i*m:], s.factor(g)[p:p+1], s.exponents[p:], m, 1)
	}
}

// sumNarrow writes the sums over the last layer at points that lack its input.
func (e *Ensemble) sumNarrow(k int, x *Tile, s *States, out []float32) {
	layers := e.layers[k]
	g := len(layers) - 1
	m := layers[g].cols
	for i, p := range x.lackingAt(layers, g) {
		var sum float32
		for _, v := range s.narrow.states[s.narrow.starts[g]+i*m:][:m] {
			sum += v
		}
		out[p] = sum
	}
}

// backwardNarrow carries the last cotangent back, as [Ensemble.Backward] says, where points lack coordinates. cotangent is that of
// the outputs.
func (e *Ensemble) backwardNarrow(k int, c *simd.Chain, w []float32, x *Tile, s *States, cotangent, dw []float32) {
	d, layers, own := e.depth(), e.layers[k], s.narrow
	m := layers[d-1].cols
	here := x.lackingAt(layers, d-1)
	up := sized(&own.up, len(here)*m)
	for i, p := range here {
		for j, v := range x.Whole.Averages[layers[d-1].input] {
			up[i*m+j] = v * cotangent[p]
		}
	}
	for from, to := 0, d; to > 0; to = from {
		from = to - 1
		if !x.apart(layers, from) {
			for from > 0 && !rescaled(from-1, d) && !x.apart(layers, from-1) {
				from--
			}
		} else {
			e.keepNarrow(layers, from, c, x, s)
		}
		c.Backward(from, to, dw, s.back, s.rows, x.Phi, x.First, w, x.Points, s.stride)
		if x.apart(layers, from) {
			e.backwardApart(k, from, c, w, x, s, dw)
		}
		if from > 0 && rescaled(from-1, d) {
			factors := s.factor(from - 1)
			s.layer(c, from-1).of(s.back.Last()).scale(factors, x.Points)
			m := layers[from-1].cols
			for i, p := range x.lackingAt(layers, from-1) {
				for j := range m {
					own.up[i*m+j] *= factors[p]
				}
			}
		}
	}
}

// keepNarrow keeps the cotangents of layer g that it has at points that lack the input of the layer before alone.
func (e *Ensemble) keepNarrow(layers []layer, g int, c *simd.Chain, x *Tile, s *States) {
	own := s.narrow
	own.narrow = own.narrow[:0]
	for p := range beforeAlone(x.lackingAt(layers, g-1), x.lackingAt(layers, g)) {
		_, _, n, _ := e.functions(&layers[g], x, p)
		values, apart := s.layer(c, g).of(s.back.Last()).point(p)
		for j := range n {
			own.narrow = append(own.narrow, values[j*apart])
		}
	}
}

// backwardApart follows forwardApart.
func (e *Ensemble) backwardApart(k, g int, c *simd.Chain, w []float32, x *Tile, s *States, dw []float32) {
	layers, own := e.layers[k], s.narrow
	l, here, before := &layers[g], x.lackingAt(layers, g), x.lackingAt(layers, g-1)
	weights, slopes := l.weights(w), l.weights(dw)
	if g > 0 {
		sized(&own.down, len(before)*layers[g-1].cols)
	}
	// back carries u, the cotangent of a point at the nodes from first on.
	back := func(p int, u []float32, first int) {
		state, from := e.stateBefore(layers, g, p, c, x, s)
		at := from*l.cols + first
		if g == 0 {
			outer(state, u, slopes[at:], l.cols)
			return
		}
		if i, lacks := slices.BinarySearch(before, p); lacks {
			m := layers[g-1].cols
			next := own.down[i*m:][:m]
			backThrough(next, state, u, weights[at:], slopes[at:], l.cols)
			for j, v := range x.Whole.Averages[layers[g-1].input] {
				next[j] *= v
			}
			return
		}
		next := sized(&own.to, len(state))
		backThrough(next, state, u, weights[at:], slopes[at:], l.cols)
		phi, step, _, _ := e.functions(&layers[g-1], x, p)
		values, apart := s.layer(c, g-1).of(s.back.Last()).point(p)
		for i, v := range next {
			values[i*apart] = v * phi[i*step]
		}
	}
	for i, p := range here {
		back(p, own.up[i*l.cols:][:l.cols], 0)
	}
	kept := own.narrow
	for p := range beforeAlone(before, here) {
		_, _, n, first := e.functions(l, x, p)
		back(p, kept[:n], first)
		kept = kept[n:]
	}
	own.up, own.down = own.down, own.up
}

// outer adds the outer product of a state and a cotangent to slopes, rows of so many columns.
func outer(state, u, slopes []float32, cols int) {
	for i, a := range state {
		slope := slopes[i*cols:][:len(u)]
		for j, v := range u {
			slope[j] += a * v
		}
	}
}

// backThrough does so, and carries the cotangent back through weights to next, a node for each of the state.
func backThrough(next, state, u, weights, slopes []float32, cols int) {
	for i, a := range state {
		row, slope := weights[i*cols:][:len(u)], slopes[i*cols:][:len(u)]
		var sum float32
		for j, v := range u {
			sum += row[j] * v
			slope[j] += a * v
		}
		next[i] = sum
	}
}

// sized returns memory of a length, which holds anything.
func sized(memory *[]float32, n int) []float32 {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	return *memory
}

// functions returns the values at a point that has the coordinate of a layer's input of the functions of
// that which may not vanish there, n of them so many elements apart, and the first of them.
func (e *Ensemble) functions(l *layer, x *Tile, p int) (phi []float32, step, n, first int) {
	at := e.rows[l.input] * x.Stride
	if l.input == len(e.widths) || e.Local(l.input) == 0 {
		return x.Phi[at+p:], x.Stride, l.cols, 0
	}
	k := e.Local(l.input)
	return x.Phi[at+p*simd.Slot(k):], 1, k, int(x.First[(1+l.input)*x.Stride+p])
}

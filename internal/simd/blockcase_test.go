package simd

import (
	"math/rand/v2"
	"slices"
)

// blockCase is a chain some layers of which are local, with random weights, bases and first
// nodes inside guard zones.
type blockCase struct {
	chain            *Chain
	widths, supports []int
	ordering         []int
	states, phi      *matrix
	w, dw, u         *matrix
	first            []int32
	back             *Cotangents
	n, ld            int
}

// newBlockCase draws a chain of inputs of these widths and supports, taken in order.
func newBlockCase(widths, supports []int, keep bool, n, ld int, seed uint64) *blockCase {
	r := newRand(seed)
	c := &blockCase{widths: widths, supports: supports, n: n, ld: ld}
	for g := range widths {
		c.ordering = append(c.ordering, len(widths)-1-g) // bases out of the layers' order
	}
	slices.Reverse(c.ordering[:len(widths)/2])
	c.chain = NewChain(widths, supports, c.ordering, keep)
	c.states, c.phi = newBuffer(c.chain.states, n, ld), newBuffer(c.chain.phi, n, ld)
	for p := range n {
		c.states.data[p] = 1
	}
	c.w = newMatrix(1, c.chain.weights, c.chain.weights, normal(r))
	c.dw = newMatrix(1, c.chain.weights, c.chain.weights, normal(r))
	c.first = make([]int32, (1+len(widths))*ld)
	row := 0
	for i, m := range widths {
		value := func() float32 { return 0.5 + r.Float32() }
		fillSide(c.phi.data[row*ld:], m, supports[i], n, ld, value)
		row += m
		if supports[i] != 0 {
			row += Slot(supports[i]) - m
			for p := range n {
				c.first[(1+i)*ld+p] = firstNode(r, m-supports[i])
			}
		}
	}
	for g := range widths {
		i := c.ordering[g]
		at, _, _ := c.chain.State(g)
		if keep {
			fillSide(c.states.data[at*ld:], widths[i], supports[i], n, ld, normal(r))
		}
	}
	c.back = c.chain.NewCotangents(ld)
	for i := range c.back.slots {
		c.back.slots[i] = canary
	}
	last := c.ordering[len(widths)-1]
	fillSide(c.back.Last(), widths[last], supports[last], n, ld, normal(r))
	return c
}

// firstNode draws one of 0 to last, and either end often.
func firstNode(r *rand.Rand, last int) int32 {
	switch r.IntN(4) {
	case 0:
		return 0
	case 1:
		return int32(last)
	}
	return int32(r.IntN(last + 1))
}

// newBuffer returns rows of nothing but canaries: what a local layer leaves of its rows is
// at other places than what others do, and found by comparing.
func newBuffer(rows, n, ld int) *matrix {
	size := (rows-1)*ld + n
	return newMatrix(1, size, size, func() float32 { return canary })
}

// fillSide writes values of a layer.
func fillSide(dst []float32, m, support, n, ld int, value func() float32) {
	s := side{count: m}
	if support != 0 {
		s.count, s.slot = support, Slot(support)
	}
	for p := range n {
		for j := range s.count {
			dst[s.at(j, p, ld)] = value()
		}
		for j := s.count; j < s.slot; j++ {
			dst[s.at(j, p, ld)] = 0
		}
	}
}

func (c *blockCase) forward(t *tier) {
	t.Forward(c.chain, 0, len(c.widths), c.states.data, c.phi.data, c.first, c.w.data, c.n, c.ld)
}

func (c *blockCase) backward(t *tier) {
	t.Backward(c.chain, 0, len(c.widths), c.dw.data, c.back, c.states.data, c.phi.data, c.first, c.w.data, c.n, c.ld)
}

// dense returns the chain without local layers, the zeros filled in, and without the
// layers' states.
func (c *blockCase) dense() *blockCase {
	d := newBlockCase(c.widths, make([]int, len(c.widths)), true, c.n, c.ld, 1)
	d.ordering, d.w, d.dw = c.ordering, c.w.clone(), c.dw.clone()
	from, to := 0, 0
	for i, m := range c.widths {
		c.spread(d.phi.data[to*c.ld:], c.phi.data[from*c.ld:], i)
		to += m
		from += m
		if c.supports[i] != 0 {
			from += Slot(c.supports[i]) - m
		}
	}
	last := c.ordering[len(c.widths)-1]
	c.spread(d.back.Last(), c.back.Last(), last)
	return d
}

// spread writes an input's values to rows of points.
func (c *blockCase) spread(dst, values []float32, input int) {
	s := side{count: c.widths[input]}
	if k := c.supports[input]; k != 0 {
		s = side{count: k, slot: Slot(k), first: c.first[(1+input)*c.ld:]}
	}
	for p := range c.n {
		for j := range c.widths[input] {
			dst[j*c.ld+p] = 0
		}
		for j := range s.count {
			dst[(s.node(p)+j)*c.ld+p] = values[s.at(j, p, c.ld)]
		}
	}
}

// blockShapes are chains of every pair of supports, with layers that are not local
// among them.
func blockShapes() (widths, supports [][]int) {
	add := func(w, s []int) { widths, supports = append(widths, w), append(supports, s) }
	for a := range MostLocal + 1 {
		for b := range MostLocal + 1 {
			add([]int{7, 5, 6, 4, 9}, []int{a, b, a, b, b})
		}
	}
	for _, m := range []int{1, 2, 3, 8, 9, 16, 21, 26, mostEdge, mostEdge + 1} { // not local, beside all
		add([]int{5, m, 6, m, 7, m, 8, m, 9}, []int{1, 0, 2, 0, 3, 0, 4, 0, 4})
		add([]int{m, 6, m}, []int{0, 4, 0})
	}
	var w, s []int
	for g := range 2*sweepLayers + 3 {
		w, s = append(w, 9+g%5), append(s, []int{4, 4, 1, 4, 3, 2}[g%6])
	}
	add(w, s)
	add([]int{31, 31, 31, 31, 31}, []int{4, 4, 4, 4, 4})
	add([]int{64, 64, 64, 64}, []int{4, 4, 4, 4})
	add([]int{4}, []int{4})
	add([]int{1}, []int{1})
	return widths, supports
}

// local tells whether all layers are.
func local(supports []int) bool { return !slices.Contains(supports, 0) }

// point returns the case of one point alone.
func (c *blockCase) point(p int) *blockCase {
	one := newBlockCase(c.widths, c.supports, true, 1, 1, 1)
	one.w = c.w
	row := 0
	for i := range c.widths {
		row = copySide(one.phi.data, c.phi.data, row, c, i, p)
		one.first[1+i] = c.first[(1+i)*c.ld+p]
	}
	last := c.ordering[len(c.widths)-1]
	copySide(one.back.Last(), c.back.Last(), 0, c, last, p)
	return one
}

// copySide copies an input's values at point p and returns the row behind them.
func copySide(dst, src []float32, row int, c *blockCase, input, p int) int {
	s, rows := side{count: c.widths[input]}, c.widths[input]
	if k := c.supports[input]; k != 0 {
		rows = Slot(k)
		s = side{count: rows, slot: rows}
	}
	for j := range s.count {
		dst[row+j] = src[row*c.ld+s.at(j, p, c.ld)]
	}
	return row + rows
}

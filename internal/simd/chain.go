package simd

import "unsafe"

// Chain is the sequence of layers of one buttress: where each finds its weights,
// bases and states. It is immutable and safe for concurrent use. A pass through
// many layers is one call, because a layer of few nodes takes no longer than a
// call does.
//
// States are rows of points, the first of them ones, which is what arrives at the
// first layer; the layers' follow. A layer has a row a node, or is local: see [Slot].
type Chain struct {
	links   []link // with prefetchLinks more before and behind, which are fetched ahead
	blocks  []block
	weights int // of all layers
	phi     int // rows of bases
	states  int // rows of states
	widest  int // rows of the widest layer
	firsts  int // rows of first functions
	keep    bool

	// Of layer g in a run of layers that have the same number of nodes before and
	// behind, or that are local: where it starts, and where it ends.
	runStart, runEnd []int
}

// prefetchLinks is how many links ahead the assembly looks.
const prefetchLinks = 8

// link is one layer. The assembly knows its fields' offsets.
type link struct {
	w          int64 // of its weights, from the buttress's first
	rows, cols int32 // nodes of the layer before and of this one
	src, dst   int32 // rows of states
	phi        int32 // row of bases
	before     int32 // row of the bases of the layer before, or −1 for the first layer
}

// NewChain returns the chain of a buttress whose layers take the inputs in the
// given ordering, widths [d] being the numbers of nodes of the inputs. supports [d] tells
// of which inputs layers are local, and how many functions do not vanish at a point, at
// most [MostLocal]; it is 0 for the others, and nil for none. With keep each layer has rows
// of states of its own, as a backward pass needs; without, two layers take turns.
func NewChain(widths, supports, ordering []int, keep bool) *Chain {
	c := &Chain{states: 1, keep: keep}
	at, slots, own := make([]int, len(widths)), make([]int, len(widths)), make([]int32, len(widths))
	for input, m := range widths {
		at[input], slots[input] = c.phi, m
		if supports != nil && supports[input] != 0 {
			own[input], slots[input] = int32(supports[input]), Slot(supports[input])
			c.firsts = 2 + input
		}
		c.phi += slots[input]
		c.widest = max(c.widest, slots[input])
	}
	links := make([]link, len(ordering)+2*prefetchLinks)
	c.links = links[prefetchLinks:prefetchLinks]
	rows, src, before := 1, 0, -1
	var last block
	for g, input := range ordering {
		l := link{w: int64(c.weights), rows: int32(rows), cols: int32(widths[input]), src: int32(src), dst: int32(c.states), phi: int32(at[input]), before: int32(before)}
		if !keep {
			l.dst = int32(1 + g%2*c.widest)
		}
		b := block{link: l, fromSupport: last.toSupport, fromFirst: last.toFirst, toSupport: own[input]}
		if b.toSupport != 0 {
			b.toFirst = int32(1 + input)
			if g == 0 {
				b.fromSupport = 1 // the source, one node, is at the same place either way
			}
		}
		c.links, c.blocks = append(c.links, l), append(c.blocks, b)
		c.weights += rows * widths[input]
		c.states += slots[input]
		rows, src, before, last = widths[input], int(l.dst), at[input], b
	}
	if !keep {
		c.states = 1 + 2*c.widest
	}
	c.findRuns()
	return c
}

func (c *Chain) findRuns() {
	d := len(c.links)
	c.runStart, c.runEnd = make([]int, d), make([]int, d)
	for start := 0; start < d; {
		end := start + 1
		if c.blocks[start].local() {
			for end < d && c.blocks[end].local() {
				end++
			}
		} else {
			for m := c.links[start].rows; m == c.links[end-1].cols && end < d && c.links[end].cols == m && !c.blocks[end].local(); {
				end++
			}
		}
		for g := start; g < end; g++ {
			c.runStart[g], c.runEnd[g] = start, end
		}
		start = end
	}
}

// States returns the number of rows of states.
func (c *Chain) States() int { return c.states }

// State returns the first row of the states of layer g and how many they are, and whether
// the layer is local.
func (c *Chain) State(g int) (first, rows int, local bool) {
	l := &c.blocks[g]
	if l.toSupport != 0 {
		return int(l.dst), Slot(int(l.toSupport)), true
	}
	return int(l.dst), int(l.cols), false
}

// Forward carries a tile through layers from ≤ g < to, each a [Layer]:
//
//	states_g[j,p] = phi_g[j,p] · Σ_i w_g[i,j] · states_{g−1}[i,p]
//
// for p < n. states and phi have rows ld apart. first, [1+d, ld], has in row 1+i the
// first function of input i that does not vanish at a point, where its layers are local,
// and zeros in row 0; it may end behind the last of these, and be nil where there are none.
func (c *Chain) Forward(from, to int, states, phi []float32, first []int32, w []float32, n, ld int) {
	active.Forward(c, from, to, states, phi, first, w, n, ld)
}

// Forward is [Chain.Forward] on one tier.
func (t *tier) Forward(c *Chain, from, to int, states, phi []float32, first []int32, w []float32, n, ld int) {
	if n == 0 {
		return
	}
	c.check(states, phi, first, w, n, ld)
	for g := from; g < to; {
		end, m := min(c.runEnd[g], to), int(c.links[g].rows)
		if c.blocks[g].local() {
			t.forwardBlocks(c.blocks[g:end], states, phi, first, w, n, ld)
		} else if end-g < 2 || m >= len(t.sweepForward) || t.sweepForward[m] == nil {
			t.forwardLinks(c.links[g:end], states, phi, w, n, ld)
		} else {
			l := &c.links[g]
			step := 0 // states in turn need not be kept on the way
			if c.keep {
				step = m * ld
			}
			dst := states[int(c.links[g].dst)*ld:]
			if !c.keep {
				dst = states[int(c.links[end-1].dst)*ld:]
			}
			t.sweepForward[m](&l.w, end-g, unsafe.SliceData(dst), step, unsafe.SliceData(states[int(l.src)*ld:]), unsafe.SliceData(phi), unsafe.SliceData(w), n, ld)
		}
		g = end
	}
}

// forwardLinks goes layer by layer.
func (t *tier) forwardLinks(links []link, states, phi, w []float32, n, ld int) {
	if t.forward != nil {
		t.forward(&links[0], len(links), unsafe.SliceData(states), unsafe.SliceData(phi), unsafe.SliceData(w), n, ld)
		return
	}
	for _, l := range links {
		rows, cols := int(l.rows), int(l.cols)
		t.Layer(states[int(l.dst)*ld:], phi[int(l.phi)*ld:], w[l.w:], states[int(l.src)*ld:], cols, 1, rows, cols, n, ld)
	}
}

// sweepLayers is the number of layers that a backward sweep takes at most: their
// bases, states and cotangents are to stay in a core's first cache.
const sweepLayers = 16

// Cotangents is the memory of a backward pass: the cotangents of a few layers.
type Cotangents struct {
	slots []float32
	size  int // of a slot
	at    int // slot of the last cotangent
}

// NewCotangents returns memory for rows of points ld apart.
func (c *Chain) NewCotangents(ld int) *Cotangents {
	size := c.widest * ld
	return &Cotangents{slots: make([]float32, (1+sweepLayers)*size), size: size}
}

// Last returns the rows of the last cotangent.
func (u *Cotangents) Last() []float32 { return u.slot(u.at) }

// turns returns the slot of the last cotangent and one that is free.
func (u *Cotangents) turns() (now, next int) {
	if u.at == 0 {
		return 0, 1
	}
	return u.at, 0
}

func (u *Cotangents) slot(k int) []float32 { return u.slots[k*u.size : (k+1)*u.size] }

// Backward carries the cotangent of what layer to−1 gets, u's last, back through
// layers to > g ≥ from and adds the gradient by their weights to dw:
//
//	dw_g[i,j] += Σ_p states_{g−1}[i,p] · u_g[j,p]
//	u_{g−1}[i,p] = phi_{g−1}[i,p] · Σ_j w_g[i,j] · u_g[j,p]
//
// for p < n, an outer product and a [Layer] each; nothing arrives behind the first layer.
func (c *Chain) Backward(from, to int, dw []float32, u *Cotangents, states, phi []float32, first []int32, w []float32, n, ld int) {
	active.Backward(c, from, to, dw, u, states, phi, first, w, n, ld)
}

// Backward is [Chain.Backward] on one tier.
func (t *tier) Backward(c *Chain, from, to int, dw []float32, u *Cotangents, states, phi []float32, first []int32, w []float32, n, ld int) {
	if n == 0 {
		return
	}
	c.check(states, phi, first, w, n, ld)
	checkMatrix(u.Last(), c.widest, n, ld)
	if len(dw) < c.weights {
		panic(errShort)
	}
	for g := to; g > from; {
		start, m := max(from, g-sweepLayers, c.runStart[g-1]), int(c.links[g-1].rows)
		if c.blocks[g-1].local() {
			start = max(from, c.runStart[g-1])
			t.backwardBlocks(c.blocks[start:g], dw, u, states, phi, first, w, n, ld)
		} else if g-start < 2 || m >= len(t.sweepBackward) || t.sweepBackward[m] == nil {
			t.backwardLinks(c.links[start:g], dw, u, states, phi, w, n, ld)
		} else {
			// The last layer's gradient needs the cotangent that the sweep overwrites.
			t.gradients(c.links[g-1:g], dw, u.Last(), u.size, states, m, n, ld)
			t.sweepBackward[m](&c.links[g-1].w, g-start, unsafe.SliceData(u.slot(1)), u.size, unsafe.SliceData(u.Last()), unsafe.SliceData(phi), unsafe.SliceData(w), n, ld)
			t.gradients(c.links[start:g-1], dw, u.slots[u.size:], u.size, states, m, n, ld)
			u.at = g - start
		}
		g = start
	}
}

// gradients adds the gradient by the weights of layers that have m nodes before and
// behind; u are the cotangents, step apart from the last layer's.
func (t *tier) gradients(links []link, dw, u []float32, step int, states []float32, m, n, ld int) {
	last := len(links) - 1
	if n <= shortTile && m < len(t.gradient) {
		t.gradient[m](&links[last].w, len(links), unsafe.SliceData(dw), unsafe.SliceData(u), step, unsafe.SliceData(states), n, ld)
		return
	}
	for k := range links {
		l := &links[last-k]
		t.outer(&dw[l.w], &states[int(l.src)*ld], &u[k*step], m, m, n, ld)
	}
}

// backwardLinks goes layer by layer; two slots take turns.
func (t *tier) backwardLinks(links []link, dw []float32, u *Cotangents, states, phi, w []float32, n, ld int) {
	now, next := u.turns()
	if t.backward != nil {
		t.backward(&links[len(links)-1], len(links), unsafe.SliceData(dw), unsafe.SliceData(u.slot(now)), unsafe.SliceData(u.slot(next)), unsafe.SliceData(states), unsafe.SliceData(phi), unsafe.SliceData(w), n, ld)
		if len(links)%2 == 1 {
			now = next
		}
		u.at = now
		return
	}
	for g := len(links) - 1; g >= 0; g-- {
		l := links[g]
		rows, cols := int(l.rows), int(l.cols)
		t.Outer(dw[l.w:], states[int(l.src)*ld:], u.slot(now), rows, cols, n, ld)
		if l.before >= 0 {
			t.Layer(u.slot(next), phi[int(l.before)*ld:], w[l.w:], u.slot(now), 1, cols, cols, rows, n, ld)
		}
		now, next = next, now
	}
	u.at = now
}

func (c *Chain) check(states, phi []float32, first []int32, w []float32, n, ld int) {
	checkMatrix(states, c.states, n, ld)
	checkMatrix(phi, c.phi, n, ld)
	if len(first) < c.firsts*ld {
		panic(errShort)
	}
	if len(w) < c.weights {
		panic(errShort)
	}
}

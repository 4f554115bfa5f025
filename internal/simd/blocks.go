package simd

import "unsafe"

// MostLocal is the largest number of functions that a local layer has at a point.
const MostLocal = 4

// Slot returns the rows of a tile that a local layer takes, where so many functions do not
// vanish at a point: where other layers have a row of points for every node, it has the
// values at a point side by side, in Slot places, 1, 2 or 4, the last of which may be
// empty and then hold zero. Value j at point p lies at [p*Slot + j].
func Slot(support int) int {
	if support == 3 {
		return 4
	}
	return support
}

// A block is a layer that is local, or that follows one that is.
type block struct {
	link
	// How many functions do not vanish at a point, of the layer before and of this one, 0
	// where a layer is not local; and the row that tells the first of them.
	fromSupport, toSupport int32
	fromFirst, toFirst     int32
}

// local tells whether the layer or the one before is.
func (b *block) local() bool { return b.fromSupport != 0 || b.toSupport != 0 }

// A side is the states, bases or cotangents of one side of a layer.
type side struct {
	values []float32
	first  []int32 // of the functions at a point; nil where the layer is not local
	count  int     // of the values at a point
	slot   int     // 0 where not local
}

// sideOf returns the side of a layer of m nodes whose values begin in a row.
func sideOf(values []float32, row, m, support, first int32, firsts []int32, ld int) side {
	s := side{values: values[int(row)*ld:], count: int(m)}
	if support != 0 {
		s.first, s.count, s.slot = firsts[int(first)*ld:], int(support), Slot(int(support))
	}
	return s
}

// at returns where value i at point p lies.
func (s *side) at(i, p, ld int) int {
	if s.slot != 0 {
		return p*s.slot + i
	}
	return i*ld + p
}

// node returns the first node at point p.
func (s *side) node(p int) int {
	if s.first != nil {
		return int(s.first[p])
	}
	return 0
}

// mostEdge is the largest number of nodes that a layer which is not local may have for the
// assembly, behind one that is.
const mostEdge = 64

// forwardBlocks goes layer by layer, where any is local: of the weights it takes those of
// the functions that do not vanish at a point.
func (t *tier) forwardBlocks(blocks []block, states, phi []float32, first []int32, w []float32, n, ld int) {
	if n <= fewPoints && len(blocks) >= manyLayers {
		for p := range n {
			touch(blocks, first, w, p, ld)
		}
	}
	for k := range blocks {
		l := &blocks[k]
		if block := t.blockForward[l.fromSupport][l.toSupport]; block != nil {
			// Rows that the caller has checked to be there.
			block(row(states, l.dst, ld), row(phi, l.phi, ld), row(states, l.src, ld), row(first, l.fromFirst, ld), row(first, l.toFirst, ld), &w[l.w], int(l.cols), n)
			continue
		}
		rows, cols := int(l.rows), int(l.cols)
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		dst := sideOf(states, l.dst, l.cols, l.toSupport, l.toFirst, first, ld)
		values := sideOf(phi, l.phi, l.cols, l.toSupport, l.toFirst, first, ld)
		gather, spread := t.gatherForward[l.toSupport], t.spreadForward[l.fromSupport]
		switch {
		case l.fromSupport == 0 && gather != nil:
			gather(dst.start(), values.start(), src.start(), &dst.first[0], &w[l.w], rows, cols, n, ld)
		case l.toSupport == 0 && spread != nil && cols <= mostEdge:
			spread(dst.start(), values.start(), src.start(), &src.first[0], &w[l.w], cols, n, ld)
		default:
			forwardBlockGeneric(dst, values, src, w[l.w:], cols, n, ld)
		}
	}
}

// row returns where row i begins.
func row[T float32 | int32](rows []T, i int32, ld int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows)), 4*int(i)*ld))
}

// start is where the values begin.
func (s *side) start() *float32 { return unsafe.SliceData(s.values) }

// backwardBlocks goes back layer by layer; two slots of cotangents take turns.
func (t *tier) backwardBlocks(blocks []block, dw []float32, u *Cotangents, states, phi []float32, first []int32, w []float32, n, ld int) {
	now, next := u.turns()
	for k := len(blocks) - 1; k >= 0; k-- {
		l := &blocks[k]
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		own := sideOf(u.slot(now), 0, l.cols, l.toSupport, l.toFirst, first, ld)
		if l.before >= 0 {
			back := sideOf(u.slot(next), 0, l.rows, l.fromSupport, l.fromFirst, first, ld)
			values := sideOf(phi, l.before, l.rows, l.fromSupport, l.fromFirst, first, ld)
			t.backwardBlock(l, back, values, src, own, dw, w, n, ld)
		} else if f := t.blockGradient[1][l.toSupport]; f != nil {
			f(src.start(), own.start(), &src.first[0], &own.first[0], &dw[l.w], int(l.cols), n)
		} else {
			outerBlockGeneric(dw[l.w:], src, own, int(l.cols), n, ld)
		}
		now, next = next, now
	}
	u.at = now
}

// backwardBlock carries cotangents back through a layer and adds its gradient.
func (t *tier) backwardBlock(l *block, back, phi, src, u side, dw, w []float32, n, ld int) {
	rows, cols := int(l.rows), int(l.cols)
	block, gather, spread := t.blockBackward[l.fromSupport][l.toSupport], t.gatherBackward[l.toSupport], t.spreadBackward[l.fromSupport]
	switch {
	case block != nil:
		block(back.start(), phi.start(), src.start(), u.start(), &dw[l.w], &src.first[0], &u.first[0], &w[l.w], cols, n)
	case l.fromSupport == 0 && gather != nil:
		gather(back.start(), phi.start(), src.start(), u.start(), &dw[l.w], &u.first[0], &w[l.w], rows, cols, n, ld)
	case l.toSupport == 0 && spread != nil && cols <= mostEdge:
		spread(back.start(), phi.start(), src.start(), u.start(), &dw[l.w], &src.first[0], &w[l.w], cols, n, ld)
	default:
		outerBlockGeneric(dw[l.w:], src, u, cols, n, ld)
		backwardBlockGeneric(back, phi, u, w[l.w:], cols, n, ld)
	}
}

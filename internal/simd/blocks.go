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
		if f := t.blockForward[l.fromSupport][l.toSupport]; f != nil {
			// Rows that the caller has checked to be there.
			f(row(states, l.dst, ld), row(phi, l.phi, ld), row(states, l.src, ld), row(first, l.fromFirst, ld), row(first, l.toFirst, ld), &w[l.w], int(l.cols), n)
			continue
		}
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		dst := sideOf(states, l.dst, l.cols, l.toSupport, l.toFirst, first, ld)
		values := sideOf(phi, l.phi, l.cols, l.toSupport, l.toFirst, first, ld)
		forwardBlockGeneric(dst, values, src, w[l.w:], int(l.cols), n, ld)
	}
}

// row returns where row i begins.
func row[T float32 | int32](rows []T, i int32, ld int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows)), 4*int(i)*ld))
}

// at0 is where the values begin.
func (s *side) at0() *float32 { return unsafe.SliceData(s.values) }

// A gradientTask is a layer in the gradient of a run of local ones. The assembly knows its
// fields' offsets.
type gradientTask struct {
	dw, src, u *float32
	from, to   *int32
	cols       int // bytes of a row of weights
	kind       int // 4 · (fromSupport − 1) + toSupport − 1
}

// gradientBytes is how much of a gradient is worked on at a time, unless a layer alone is
// larger: layers take turns point by point, and what they add to is to stay in a core's
// first cache.
const gradientBytes = 1 << 14

// backwardBlocks goes back layer by layer; the slots of cotangents take turns.
func (t *tier) backwardBlocks(blocks []block, dw []float32, u *Cotangents, states, phi []float32, first []int32, w []float32, n, ld int) {
	tasks, waiting, size := &u.tasks, 0, 0
	for k := len(blocks) - 1; k >= 0; k-- {
		l := &blocks[k]
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		own := sideOf(u.Last(), 0, l.cols, l.toSupport, l.toFirst, first, ld)
		backward := t.blockBackward[l.fromSupport][l.toSupport]
		if backward == nil {
			t.gradientOf(tasks[:waiting], n)
			waiting, size = 0, 0
			outerBlockGeneric(dw[l.w:], src, own, int(l.cols), n, ld)
		} else {
			if bytes := 4 * int(l.rows) * int(l.cols); waiting == len(tasks) || size+bytes > gradientBytes {
				t.gradientOf(tasks[:waiting], n)
				waiting, size = 0, 0
			}
			tasks[waiting] = gradientTask{&dw[l.w], src.at0(), own.at0(), &src.first[0], &own.first[0],
				4 * int(l.cols), int(MostLocal*(l.fromSupport-1) + l.toSupport - 1)}
			waiting, size = waiting+1, size+4*int(l.rows)*int(l.cols)
		}
		u.at = (u.at + 1) % (1 + sweepLayers)
		if l.before < 0 {
			continue
		}
		back := sideOf(u.Last(), 0, l.rows, l.fromSupport, l.fromFirst, first, ld)
		values := sideOf(phi, l.before, l.rows, l.fromSupport, l.fromFirst, first, ld)
		if backward == nil {
			backwardBlockGeneric(back, values, own, w[l.w:], int(l.cols), n, ld)
		} else {
			backward(back.at0(), values.at0(), own.at0(), &src.first[0], &own.first[0], &w[l.w], int(l.cols), n)
		}
	}
	t.gradientOf(tasks[:waiting], n)
}

// gradientOf adds what layers wait for.
func (t *tier) gradientOf(tasks []gradientTask, n int) {
	if len(tasks) > 0 {
		t.blockGradient((*int64)(unsafe.Pointer(&tasks[0])), len(tasks), n)
	}
}

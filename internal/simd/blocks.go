package simd

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
	for k := range blocks {
		l := &blocks[k]
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		dst := sideOf(states, l.dst, l.cols, l.toSupport, l.toFirst, first, ld)
		values := sideOf(phi, l.phi, l.cols, l.toSupport, l.toFirst, first, ld)
		forwardBlockGeneric(dst, values, src, w[l.w:], int(l.cols), n, ld)
	}
}

// forwardBlockGeneric is the reference of a layer, for p < n:
//
//	dst[j,p] = phi[j,p] · Σ_i src[i,p] · w[a(p)+i, b(p)+j]
//
// with a(p) and b(p) the first nodes of the two sides at the point.
func forwardBlockGeneric(dst, phi, src side, w []float32, cols, n, ld int) {
	for p := range n {
		corner := src.node(p)*cols + dst.node(p)
		for j := range dst.count {
			var sum float32
			for i := range src.count {
				sum += src.values[src.at(i, p, ld)] * w[corner+i*cols+j]
			}
			dst.values[dst.at(j, p, ld)] = phi.values[phi.at(j, p, ld)] * sum
		}
		for j := dst.count; j < dst.slot; j++ {
			dst.values[dst.at(j, p, ld)] = 0
		}
	}
}

// backwardBlocks goes back layer by layer; two slots of cotangents take turns.
func (t *tier) backwardBlocks(blocks []block, dw []float32, u *Cotangents, states, phi []float32, first []int32, w []float32, n, ld int) {
	now, next := u.turns()
	for k := len(blocks) - 1; k >= 0; k-- {
		l := &blocks[k]
		src := sideOf(states, l.src, l.rows, l.fromSupport, l.fromFirst, first, ld)
		own := sideOf(u.slot(now), 0, l.cols, l.toSupport, l.toFirst, first, ld)
		outerBlockGeneric(dw[l.w:], src, own, int(l.cols), n, ld)
		if l.before >= 0 {
			back := sideOf(u.slot(next), 0, l.rows, l.fromSupport, l.fromFirst, first, ld)
			values := sideOf(phi, l.before, l.rows, l.fromSupport, l.fromFirst, first, ld)
			backwardBlockGeneric(back, values, own, w[l.w:], int(l.cols), n, ld)
		}
		now, next = next, now
	}
	u.at = now
}

// outerBlockGeneric is the reference of the gradient by a layer's weights, for p < n:
//
//	dw[a(p)+i, b(p)+j] += src[i,p] · u[j,p]
func outerBlockGeneric(dw []float32, src, u side, cols, n, ld int) {
	for p := range n {
		corner := src.node(p)*cols + u.node(p)
		for i := range src.count {
			s := src.values[src.at(i, p, ld)]
			for j := range u.count {
				dw[corner+i*cols+j] += s * u.values[u.at(j, p, ld)]
			}
		}
	}
}

// backwardBlockGeneric is the reference of a cotangent's way back, for p < n:
//
//	back[i,p] = phi[i,p] · Σ_j w[a(p)+i, b(p)+j] · u[j,p]
func backwardBlockGeneric(back, phi, u side, w []float32, cols, n, ld int) {
	for p := range n {
		corner := back.node(p)*cols + u.node(p)
		for i := range back.count {
			var sum float32
			for j := range u.count {
				sum += w[corner+i*cols+j] * u.values[u.at(j, p, ld)]
			}
			back.values[back.at(i, p, ld)] = phi.values[phi.at(i, p, ld)] * sum
		}
		for i := back.count; i < back.slot; i++ {
			back.values[back.at(i, p, ld)] = 0
		}
	}
}

// SumSlots writes to out the sum over a local layer's values at each point, [n, slot].
func SumSlots(out, values []float32, slot, n int) {
	for p := range out[:n] {
		var sum float32
		for _, v := range values[p*slot:][:slot] {
			sum += v
		}
		out[p] = sum
	}
}

// ScaleSlots multiplies a local layer's values at each point, [n, slot], by its factor,
// dst = values · factor.
func ScaleSlots(dst, values, factor []float32, slot, n int) {
	for p, f := range factor[:n] {
		for j := p * slot; j < (p+1)*slot; j++ {
			dst[j] = values[j] * f
		}
	}
}

// RescaleSlots is [Rescale] of a local layer, [n, slot].
func RescaleSlots(s, factor []float32, exponent []int32, slot, n int) {
	for p := range factor[:n] {
		var top float32
		for _, v := range s[p*slot:][:slot] {
			top = max(top, abs(v))
		}
		e := exponentOf(top)
		factor[p] = power(-e)
		exponent[p] += e
	}
	ScaleSlots(s, s, factor, slot, n)
}

// Local returns which layers are best local, as [NewChain] takes it: of the inputs' nodes
// and of how many functions do not vanish at a point, [d] each. It is nil for none.
func Local(widths, supports []int) []int { return active.Local(widths, supports) }

// Local is [Local] on one tier.
func (t *tier) Local(widths, supports []int) []int {
	own, any := make([]int, len(widths)), false
	for i, k := range supports {
		if k <= MostLocal {
			own[i] = k
			any = any || k < widths[i]
		}
	}
	if !any {
		return nil
	}
	// The cost of a layer between two inputs, averaged over all pairs.
	var local, full float64
	d := float64(len(widths))
	for i, m := range widths {
		for j, next := range widths {
			full += t.costOfLayer(m, next) / d
			switch {
			case own[i] != 0 && own[j] != 0:
				local += costOfBlock / d
			case own[i] == 0 && own[j] == 0:
				local += t.costOfLayer(m, next) / d
			default:
				local += (costOfBlock + costOfEdge*float64(max(m*min(1, own[j]), next*min(1, own[i])))) / d
			}
		}
	}
	if local >= full {
		return nil
	}
	return own
}

// Costs of one point, forward and backward, in nanoseconds. Measured.
const (
	costOfBlock = 4
	costOfEdge  = 0.5 // of a node of a layer that is not local, beside one that is
)

// costOfLayer returns that of a layer by all its weights.
func (t *tier) costOfLayer(rows, cols int) float64 {
	return 1 + 0.43*float64(rows*cols)/float64(max(1, t.lanes))
}

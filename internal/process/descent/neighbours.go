package descent

import "beziergp/internal/process/basis"

// ManySteps is the number of steps above which those alone are moved that a mini-batch is in,
// each with all the weights of its own. Up to it they are moved together, at as little cost.
const ManySteps = 1024

// neighbours are what steps have and levels of a category have not: for each the nearest
// ones on either side that rows have been in, −1 for none.
type neighbours struct {
	before, next []int32
}

func newNeighbours(all []level) *neighbours {
	n := &neighbours{before: make([]int32, len(all)), next: make([]int32, len(all))}
	last := int32(-1)
	for i := range all {
		n.before[i] = last
		if all[i].share > 0 {
			last = int32(i)
		}
	}
	last = -1
	for i := len(all) - 1; i >= 0; i-- {
		n.next[i] = last
		if all[i].share > 0 {
			last = int32(i)
		}
	}
	return n
}

// smooth changes the gradient of lines of steps, of the slots of a chunk, so that the penalty
// of their move is on the differences from their neighbours and not from the mean.
func (l *lines) smooth(from, to int) {
	if l.steps == nil {
		return
	}
	n := l.nodes
	for slot := from; slot < to; slot++ {
		own, due, g := l.line(l.levels[slot]), l.own[slot].Due, l.step.Gradient[(slot-from)*n:][:n]
		for i, w := range own {
			g[i] += due * (l.step.Center[i] - w)
		}
		for _, other := range []int32{l.steps.before[l.levels[slot]], l.steps.next[l.levels[slot]]} {
			if other < 0 {
				continue
			}
			for i, w := range l.line(other) {
				g[i] += due * (own[i] - w)
			}
		}
	}
}

// fill gives steps without rows the weights halfway between those on either side.
func (l *lines) fill() {
	if l.steps == nil {
		return
	}
	for i := range l.all {
		if l.all[i].share > 0 {
			continue
		}
		before, next := l.steps.before[i], l.steps.next[i]
		if before < 0 {
			before = next
		}
		if next < 0 {
			next = before
		}
		if before < 0 {
			continue
		}
		own, low, high := l.line(int32(i)), l.line(before), l.line(next)
		for k := range own {
			own[k] = (low[k] + high[k]) / 2
		}
	}
}

// slotBasis is the basis of steps, or of levels, with slots in their place.
type slotBasis struct {
	basis.Indicator
	category *category
}

// Average returns the values for an unknown coordinate, as those of [basis.Averaged].
func (b slotBasis) Average() []float32 { return b.category.last }

// Values sets one element a point, that of the slot of its step or level.
func (b slotBasis) Values(dst, t []float32, n, ld int) {
	for i := range b.Nodes() {
		clear(dst[i*ld : i*ld+n])
	}
	for p, x := range t[:n] {
		dst[b.category.slotOf(x)*ld+p] = 1
	}
}

// LocalValues sets one value a point, as Values does, and none where the coordinate is unknown, as [basis.Averaged] does.
func (b slotBasis) LocalValues(first []int32, values, t []float32, n, slot int) {
	for p, x := range t[:n] {
		own := values[p*slot:][:slot]
		if clear(own); x != x {
			first[p] = 0
			continue
		}
		first[p], own[0] = int32(b.category.slotOf(x)), 1
	}
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mostLocal is simd.MostLocal.
const mostLocal = 4

// blocksAVX2 lists the kernels of layers both sides of which are local: of 1 to 4
// functions that do not vanish at a point, each. A block of the weights at a point has too
// few of them for wider registers than these of four, which serve AVX-512 as well.
func blocksAVX2() []func(*build.Context) {
	var all []func(*build.Context)
	for to := 1; to <= mostLocal; to++ {
		for from := 1; from <= mostLocal; from++ {
			all = append(all,
				func(c *build.Context) { blockForward(c, from, to) },
				func(c *build.Context) { blockBackward(c, from, to) },
				func(c *build.Context) { blockGradient(c, from, to) })
		}
	}
	return all
}

// A block is code that goes through the points of a layer with from and to functions.
type block struct {
	*build.Context
	from, to int
	p        reg.GPVirtual // the point, and in bytes of a slot of four
	p4       reg.GPVirtual // nil where neither side has a slot of four
	w        reg.GPVirtual // where weights begin
	cols     reg.GPVirtual // bytes of a row of weights
	cols3    reg.GPVirtual // three times that
	corners  reg.GPVirtual // where the point's would be, were it point 0
}

// slotOf is simd.Slot.
func slotOf(support int) int {
	if support == 3 {
		return 4
	}
	return support
}

// cornerPoints is how many points there are corners for at a time.
const cornerPoints = 128

// points writes the loop over the points. Where blocks of weights begin is found ahead for
// some points: the arithmetic of a point must not queue up behind a multiplication.
func (b *block) points(body func()) {
	end := b.GP64()
	b.corners, b.p = b.GP64(), b.GP64()
	table := b.AllocLocal(4 * cornerPoints)
	b.LEAQ(table, b.corners)
	b.XORQ(b.p, b.p)
	if max(b.from, b.to) > 2 {
		b.p4 = b.GP64()
		b.XORQ(b.p4, b.p4)
	}
	b.Label("chunk")
	n := param(b.Context, "n")
	b.LEAQ(Mem{Base: b.p, Disp: cornerPoints}, end)
	b.CMPQ(end, n)
	b.CMOVQGT(n, end)
	b.findCorners(end)
	if b.from == 4 {
		b.cols3 = triple(b.Context, b.cols)
	}
	b.Label("point")
	body()
	if b.p4 != nil {
		b.ADDQ(U8(16), b.p4)
	}
	b.INCQ(b.p)
	b.CMPQ(b.p, end)
	b.JNE(LabelRef("point"))
	b.SUBQ(I32(4*cornerPoints), b.corners)
	n = param(b.Context, "n")
	b.CMPQ(b.p, n)
	b.JNE(LabelRef("chunk"))
	b.RET()
}

// findCorners writes the corners' table for points up to end.
func (b *block) findCorners(end reg.GPVirtual) {
	from, to := param(b.Context, "from"), param(b.Context, "to")
	q, rows := b.GP64(), b.XMM()
	at := func(base reg.Register) Mem { return Mem{Base: base, Index: q, Scale: 4} }
	b.VMOVD(b.cols.As32(), rows)
	b.VPSRLD(U8(2), rows, rows)
	b.VPBROADCASTD(rows, rows)
	b.MOVQ(b.p, q)
	b.ADDQ(U8(4), q)
	b.CMPQ(q, end)
	b.JGT(LabelRef("rest"))
	b.Label("corners")
	corner := b.XMM()
	b.VPMULLD(at(from).Offset(-16), rows, corner)
	b.VPADDD(at(to).Offset(-16), corner, corner)
	b.VMOVDQU(corner, at(b.corners).Offset(-16))
	b.ADDQ(U8(4), q)
	b.CMPQ(q, end)
	b.JLE(LabelRef("corners"))
	b.Label("rest")
	b.SUBQ(U8(4), q)
	b.CMPQ(q, end)
	b.JEQ(LabelRef("found"))
	b.Label("single")
	first, second := b.XMM(), b.XMM()
	b.VMOVD(at(from), first)
	b.VMOVD(at(to), second)
	b.VPMULLD(rows, first, first)
	b.VPADDD(second, first, first)
	b.VMOVD(first, at(b.corners))
	b.INCQ(q)
	b.CMPQ(q, end)
	b.JNE(LabelRef("single"))
	b.Label("found")
}

// at is where the values at the point begin.
func (b *block) at(base reg.Register, support int) Mem {
	if slot := slotOf(support); slot < 4 {
		return Mem{Base: base, Index: b.p, Scale: uint8(4 * slot)}
	}
	return Mem{Base: base, Index: b.p4, Scale: 1}
}

// rows returns the rows of the block of weights at the point.
func (b *block) rows() []Mem {
	at := b.GP64()
	b.MOVLQSX(Mem{Base: b.corners, Index: b.p, Scale: 4}, at)
	b.LEAQ(Mem{Base: b.w, Index: at, Scale: 4}, at)
	return []Mem{{Base: at}, {Base: at, Index: b.cols, Scale: 1}, {Base: at, Index: b.cols, Scale: 2}, {Base: at, Index: b.cols3, Scale: 1}}[:b.from]
}

// load loads so many values, and zeros behind them.
func (b *block) load(m Mem, count int) reg.VecVirtual {
	r := b.XMM()
	switch count {
	case 1:
		b.VMOVSS(m, r)
	case 2:
		b.VMOVSD(m, r)
	case 3:
		b.VMOVSD(m, r)
		b.VINSERTPS(U8(0x20), m.Offset(8), r, r)
	default:
		b.VMOVUPS(m, r)
	}
	return r
}

// store stores so many values.
func (b *block) store(r reg.VecVirtual, m Mem, count int) {
	switch count {
	case 1:
		b.VMOVSS(r, m)
	case 2:
		b.VMOVLPS(r, m)
	case 3:
		b.VMOVLPS(r, m)
		b.VEXTRACTPS(U8(2), r, m.Offset(8))
	default:
		b.VMOVUPS(r, m)
	}
}

// operand returns what an instruction takes of so many values: memory where it takes
// no more from there.
func (b *block) operand(m Mem, count int) Op {
	if count == 4 {
		return m
	}
	return b.load(m, count)
}

// spread returns value i of r in all lanes.
func (b *block) spread(r reg.VecVirtual, i int) reg.VecVirtual {
	if b.to == 1 && i == 0 {
		return r
	}
	t := b.XMM()
	b.VPERMILPS(U8(0x55*i), r, t)
	return t
}

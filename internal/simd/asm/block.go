package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
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
	for from := 1; from <= mostLocal; from++ {
		for to := 1; to <= mostLocal; to++ {
			all = append(all,
				func(c *build.Context) { blockForward(c, from, to) },
				func(c *build.Context) { blockBackward(c, from, to) })
		}
	}
	return append(all, blockGradient)
}

// A block is code that goes through the points of a layer with from and to functions.
type block struct {
	*build.Context
	from, to int
	p        reg.GPVirtual    // the point, and in bytes of a slot of four
	p4       reg.GPVirtual    // nil where neither side has a slot of four
	first    [2]reg.GPVirtual // where the first functions are told
	w        reg.GPVirtual    // where weights begin
	cols     reg.GPVirtual    // bytes of a row of weights
	cols3    reg.GPVirtual
}

// slotOf is simd.Slot.
func slotOf(support int) int {
	if support == 3 {
		return 4
	}
	return support
}

// points writes the loop over the points.
func (b *block) points(body func()) {
	n := param(b.Context, "n")
	b.p = b.GP64()
	b.XORQ(b.p, b.p)
	if max(b.from, b.to) > 2 {
		b.p4 = b.GP64()
		b.XORQ(b.p4, b.p4)
	}
	b.Label("point")
	body()
	if b.p4 != nil {
		b.ADDQ(U8(16), b.p4)
	}
	b.INCQ(b.p)
	b.CMPQ(b.p, n)
	b.JNE(LabelRef("point"))
	b.RET()
}

// at is where the values at the point begin.
func (b *block) at(base reg.Register, support int) Mem {
	if slot := slotOf(support); slot < 4 {
		return Mem{Base: base, Index: b.p, Scale: uint8(4 * slot)}
	}
	return Mem{Base: base, Index: b.p4, Scale: 1}
}

// corner returns the rows of the block of weights at the point.
func (b *block) corner() []Mem {
	row, at := b.GP64(), b.GP64()
	b.MOVLQSX(Mem{Base: b.first[0], Index: b.p, Scale: 4}, row)
	b.IMULQ(b.cols, row)
	b.MOVLQSX(Mem{Base: b.first[1], Index: b.p, Scale: 4}, at)
	b.LEAQ(Mem{Base: row, Index: at, Scale: 4}, at)
	b.ADDQ(b.w, at)
	return b.rowsAt(at)
}

// rowsAt returns the rows of a block that begins at a register.
func (b *block) rowsAt(at reg.Register) []Mem {
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

// begin starts a kernel of a layer.
func blockKernel(c *build.Context, kind string, from, to int, arguments string, doc ...string) *block {
	name := fmt.Sprintf("block%s%d%dAVX2", kind, from, to)
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(append([]string{name + " computes", ""}, doc...)...)
	c.Pragma("noescape")
	c.SignatureExpr("func(" + arguments + " *float32, from, to *int32, w *float32, cols, n int)")
	b := &block{Context: c, from: from, to: to}
	b.first = [2]reg.GPVirtual{param(c, "from"), param(c, "to")}
	b.w, b.cols = param(c, "w"), floats(c, "cols")
	if from == 4 {
		b.cols3 = triple(c, b.cols)
	}
	return b
}

func blockForward(c *build.Context, from, to int) {
	b := blockKernel(c, "Forward", from, to, "dst, phi, src",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tdst[p,j] = phi[p,j] * sum over i in 0..%d of src[p,i] * w[from[p]+i, to[p]+j], for j in 0..%d", from, to))
	dst, phi, src := param(c, "dst"), param(c, "phi"), param(c, "src")
	b.points(func() {
		w := b.corner()
		s := b.load(b.at(src, from), slotOf(from))
		sum := b.XMM()
		for i := range from {
			x := b.spread(s, i)
			switch {
			case to == 1 && i == 0:
				b.VMULSS(w[i], x, sum)
			case to == 1:
				b.VFMADD231SS(w[i], x, sum)
			case i == 0:
				b.VMULPS(b.operand(w[i], to), x, sum)
			default:
				b.VFMADD231PS(b.operand(w[i], to), x, sum)
			}
		}
		slot := slotOf(to)
		if to == 1 {
			b.VMULSS(b.at(phi, to), sum, sum)
		} else {
			b.VMULPS(b.operand(b.at(phi, to), slot), sum, sum)
		}
		b.store(sum, b.at(dst, to), slot)
	})
}

func blockBackward(c *build.Context, from, to int) {
	b := blockKernel(c, "Backward", from, to, "back, phi, u",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tback[p,i] = phi[p,i] * sum over j in 0..%d of w[from[p]+i, to[p]+j] * u[p,j], for i in 0..%d", to, from))
	back, phi, u := param(c, "back"), param(c, "phi"), param(c, "u")
	b.points(func() {
		w := b.corner()
		sums := b.XMM()
		slot := slotOf(from)
		if to == 1 {
			sums = b.load(w[0], 1)
			for i := 1; i < from; i++ {
				b.VINSERTPS(U8(0x10*i), w[i], sums, sums)
			}
			x := b.XMM()
			b.VBROADCASTSS(b.at(u, to), x)
			b.VMULPS(x, sums, sums)
		} else {
			x := b.load(b.at(u, to), slotOf(to))
			var terms []reg.VecVirtual
			for i := range from {
				t := b.XMM()
				b.VMULPS(b.operand(w[i], to), x, t)
				terms = append(terms, t)
			}
			sums = b.total(terms)
		}
		b.VMULPS(b.operand(b.at(phi, from), slot), sums, sums)
		b.store(sums, b.at(back, from), slot)
	})
}

// total returns the sums over the lanes of one to four registers, zeros for the others
// up to the slot.
func (b *block) total(terms []reg.VecVirtual) reg.VecVirtual {
	if len(terms) == 1 {
		t, high := terms[0], b.XMM()
		b.VMOVHLPS(t, t, high)
		b.VADDPS(high, t, t)
		b.VMOVSHDUP(t, high)
		b.VADDPS(high, t, t)
		return t
	}
	if len(terms) == 3 {
		zero := b.XMM()
		b.VXORPS(zero, zero, zero)
		terms = append(terms, zero)
	}
	var pairs []reg.VecVirtual // of two registers, two sums each
	for i := 0; i < len(terms); i += 2 {
		low, high := b.XMM(), b.XMM()
		b.VUNPCKLPS(terms[i+1], terms[i], low)
		b.VUNPCKHPS(terms[i+1], terms[i], high)
		b.VADDPS(high, low, low)
		pairs = append(pairs, low)
	}
	last := pairs[len(pairs)-1]
	low, high := pairs[0], b.XMM()
	b.VMOVHLPS(low, last, high)
	if len(pairs) == 2 {
		// high has sums of the last pair above and of the first below.
		low = b.XMM()
		b.VMOVLHPS(last, pairs[0], low)
		b.VMOVHLPS(pairs[0], last, high)
	}
	b.VADDPS(high, low, low)
	return low
}

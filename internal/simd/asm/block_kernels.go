package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockKernel starts a kernel of a layer.
func blockKernel(c *build.Context, kind string, from, to int, arguments, weights string, doc ...string) *block {
	name := fmt.Sprintf("block%s%d%dAVX2", kind, from, to)
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(append([]string{name + " computes", ""}, doc...)...)
	c.Pragma("noescape")
	c.SignatureExpr("func(" + arguments + " *float32, from, to *int32, " + weights + " *float32, cols, n int)")
	b := &block{Context: c, from: from, to: to}
	b.w, b.cols = param(c, weights), floats(c, "cols")
	return b
}

func blockForward(c *build.Context, from, to int) {
	b := blockKernel(c, "Forward", from, to, "dst, phi, src", "w",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tdst[p,j] = phi[p,j] * sum over i in 0..%d of src[p,i] * w[from[p]+i, to[p]+j], for j in 0..%d", from, to))
	dst, phi, src := param(c, "dst"), param(c, "phi"), param(c, "src")
	b.points(func() {
		w := b.rows()
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
	b := blockKernel(c, "Backward", from, to, "back, phi, src, u, dw", "w",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tback[p,i] = phi[p,i] * sum over j in 0..%d of w[from[p]+i, to[p]+j] * u[p,j], for i in 0..%d", to, from),
		fmt.Sprintf("\t\tdw[from[p]+i, to[p]+j] += src[p,i] * u[p,j], for i in 0..%d, j in 0..%d", from, to))
	back, phi, src, u, dw := param(c, "back"), param(c, "phi"), param(c, "src"), param(c, "u"), param(c, "dw")
	c.SUBQ(b.w, dw)
	b.points(func() {
		w := b.rows()
		x := b.load(b.at(u, to), slotOf(to))
		var sums reg.VecVirtual
		if to == 1 {
			sums = b.column(w, x)
		} else {
			sums = b.total(b.products(w, x))
		}
		slot := slotOf(from)
		b.VMULPS(b.operand(b.at(phi, from), slot), sums, sums)
		b.store(sums, b.at(back, from), slot)
		b.ADDQ(dw, w[0].Base)
		b.addOuter(w, b.load(b.at(src, from), slotOf(from)), x)
	})
}

// blockGradient writes the gradient of blockBackward alone.
func blockGradient(c *build.Context, from, to int) {
	b := blockKernel(c, "Gradient", from, to, "src, u", "dw",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tdw[from[p]+i, to[p]+j] += src[p,i] * u[p,j], for i in 0..%d, j in 0..%d", from, to))
	src, u := param(c, "src"), param(c, "u")
	b.points(func() {
		b.addOuter(b.rows(), b.load(b.at(src, from), slotOf(from)), b.load(b.at(u, to), slotOf(to)))
	})
}

// column returns the products of x and a block of one column.
func (b *block) column(w []Mem, x reg.VecVirtual) reg.VecVirtual {
	sums, y := b.load(w[0], 1), b.XMM()
	for i := 1; i < b.from; i++ {
		b.VINSERTPS(U8(0x10*i), w[i], sums, sums)
	}
	b.VBROADCASTSS(x, y)
	b.VMULPS(y, sums, sums)
	return sums
}

// products returns those of x and the rows of a block.
func (b *block) products(w []Mem, x reg.VecVirtual) []reg.VecVirtual {
	var terms []reg.VecVirtual
	for _, row := range w {
		t := b.XMM()
		b.VMULPS(b.operand(row, b.to), x, t)
		terms = append(terms, t)
	}
	return terms
}

// addOuter adds the outer product of s and x to a block.
func (b *block) addOuter(dw []Mem, s, x reg.VecVirtual) {
	for i, row := range dw {
		sum := b.XMM()
		b.VPERMILPS(U8(0x55*i), s, sum)
		if b.to == 1 {
			b.VFMADD213SS(row, x, sum)
		} else {
			b.VFMADD213PS(b.operand(row, b.to), x, sum)
		}
		b.store(sum, row, b.to)
	}
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

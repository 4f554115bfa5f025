package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func moveLinesAVX512(c *build.Context) { moveLines(c, newAVX512(c)) }
func moveLinesAVX2(c *build.Context)   { moveLines(c, newAVX2(c, maskTable(c, "moveLinesMasks"))) }
func loadLinesAVX512(c *build.Context) { loadLines(c, newAVX512(c)) }
func loadLinesAVX2(c *build.Context)   { loadLines(c, newAVX2(c, maskTable(c, "loadLinesMasks"))) }

// recordsAhead is simd.recordsAhead.
const recordsAhead = 8

// line is code that goes through the numbers of a line, by registers.
type line struct {
	*build.Context
	isa
	size, full reg.GPVirtual // bytes of a line, and of its whole registers
	off        reg.GPVirtual
	masked     bool
}

// newLine writes what is the same for all lines of n numbers.
func newLine(c *build.Context, x isa) *line {
	l := &line{Context: c, isa: x, size: param(c, "n"), full: c.GP64(), off: c.GP64()}
	rest := c.GP64()
	c.MOVQ(l.size, rest)
	c.ANDQ(U8(x.lanes()-1), rest)
	c.SHLQ(U8(2), l.size)
	c.MOVQ(l.size, l.full)
	c.ANDQ(I8(-bytes(x)), l.full)
	x.mask(rest)
	return l
}

// each writes the loop over a line's registers.
func (l *line) each(name string, body func()) {
	l.XORQ(l.off, l.off)
	l.CMPQ(l.off, l.full)
	l.JEQ(LabelRef("rest" + name))
	l.Label("full" + name)
	l.masked = false
	body()
	l.ADDQ(U8(bytes(l)), l.off)
	l.CMPQ(l.off, l.full)
	l.JNE(LabelRef("full" + name))
	l.Label("rest" + name)
	l.CMPQ(l.off, l.size)
	l.JEQ(LabelRef("end" + name))
	l.masked = true
	body()
	l.Label("end" + name)
}

func (l *line) at(base reg.GPVirtual) Mem { return Mem{Base: base, Index: l.off, Scale: 1} }

func (l *line) load(m Mem) reg.VecVirtual {
	r := l.vector()
	if l.masked {
		l.loadMasked(m, 0, r)
	} else {
		l.VMOVUPS(m, r)
	}
	return r
}

func (l *line) store(r reg.VecVirtual, m Mem) {
	if l.masked {
		l.storeMasked(r, 0, m)
	} else {
		l.VMOVUPS(r, m)
	}
}

// loadLines writes LoadLines.
func loadLines(c *build.Context, x isa) {
	c.Function("loadLines" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"loadLines"+x.name()+" computes",
		"",
		"	for s in 0..count:",
		"		for i in 0..n:",
		"			dst[s*n+i] = table[at[s]+i]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, table *float32, at *int, count, n int)")
	l := newLine(c, x)
	dst, table, at, count, own := param(c, "dst"), param(c, "table"), param(c, "at"), param(c, "count"), c.GP64()
	c.Label("record")
	c.MOVQ(Mem{Base: at}, own)
	c.LEAQ(Mem{Base: table, Index: own, Scale: 4}, own)
	l.each("", func() { l.store(l.load(l.at(own)), l.at(dst)) })
	c.ADDQ(l.size, dst)
	c.ADDQ(U8(8), at)
	c.DECQ(count)
	c.JNE(LabelRef("record"))
	c.VZEROUPPER()
	c.RET()
}

// moveLines writes MoveLines.
func moveLines(c *build.Context, x isa) {
	c.Function("moveLines" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"moveLines"+x.name()+" computes",
		"",
		"	for s in 0..count:",
		"		w, v = table[at[s]:], table[at[s]+n]",
		"		due, correction, share = slots[4*s:]",
		"		for i in 0..n:",
		"			before, after = (w[i]-w[i-1]) & edges[i], (w[i]-w[i+1]) & edges[i+1]",
		"			grad[i] += due * ((w[i]-center[i]) + before + after)",
		"		v = beta2*v + rest2 * sum of grad[i]*grad[i]",
		"		factor = rate / (sqrt(v*correction) + epsilon)",
		"		for i in 0..n:",
		"			w[i] -= factor * grad[i]",
		"			moved[i] -= share * (factor * grad[i])",
		"			grad[i] = 0",
		"		grad = grad[n:]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(table *float32, at *int, grad, center, moved, edges, slots *float32, count, n int, beta2, rest2, rate, epsilon float32)")
	l := newLine(c, x)
	at, grad, slot, count := param(c, "at"), param(c, "grad"), param(c, "slots"), param(c, "count")
	center, moved, edges := param(c, "center"), param(c, "moved"), param(c, "edges")
	own, ahead := c.GP64(), c.GP64()
	zero := x.vector()
	x.zero(zero)
	c.Label("record")
	table := param(c, "table")
	c.MOVQ(Mem{Base: at}, own)
	c.LEAQ(Mem{Base: table, Index: own, Scale: 4}, own)
	c.MOVQ(Mem{Base: at, Disp: 8 * recordsAhead}, ahead)
	c.LEAQ(Mem{Base: table, Index: ahead, Scale: 4}, ahead)
	due, share, sum := x.vector(), x.vector(), x.vector()
	c.VBROADCASTSS(Mem{Base: slot}, due)
	x.zero(sum)
	l.each("Sum", func() {
		c.PREFETCHT0(l.at(ahead))
		w, d := l.load(l.at(own)), x.vector()
		c.VSUBPS(l.load(l.at(center)), w, d)
		for _, side := range []int{-1, 1} {
			t := l.load(l.at(own).Offset(4 * side))
			c.VSUBPS(t, w, t)
			x.and(l.load(l.at(edges).Offset(2*side+2)), t, t)
			c.VADDPS(t, d, d)
		}
		g := l.load(l.at(grad))
		c.VFMADD231PS(due, d, g)
		l.store(g, l.at(grad))
		c.VFMADD231PS(g, g, sum)
	})
	c.PREFETCHT0(Mem{Base: ahead, Index: l.size, Scale: 1})
	factor := l.factor(sum, Mem{Base: own, Index: l.size, Scale: 1}, Mem{Base: slot, Disp: 4})
	c.VBROADCASTSS(Mem{Base: slot, Disp: 8}, share)
	l.each("Move", func() {
		move, w, m := l.load(l.at(grad)), l.load(l.at(own)), l.load(l.at(moved))
		c.VMULPS(factor, move, move)
		c.VSUBPS(move, w, w)
		l.store(w, l.at(own))
		c.VFNMADD231PS(move, share, m)
		l.store(m, l.at(moved))
		l.store(zero, l.at(grad))
	})
	c.ADDQ(l.size, grad)
	c.ADDQ(U8(8), at)
	c.ADDQ(U8(16), slot)
	c.DECQ(count)
	c.JNE(LabelRef("record"))
	c.VZEROUPPER()
	c.RET()
}

// factor writes what a line's gradient is multiplied by, from the sum of its squares.
func (l *line) factor(sum reg.VecVirtual, second, correction Mem) reg.VecVirtual {
	scalar := func(name string) Mem {
		b, err := l.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return b.Addr
	}
	q, v, t := across(l.Context, l.isa, sum), l.XMM(), l.XMM()
	l.VMULSS(scalar("rest2"), q, q)
	l.VMOVSS(second, v)
	l.VMOVSS(scalar("beta2"), t)
	l.VFMADD132SS(t, q, v) // v = v*beta2 + q
	l.VMOVSS(v, second)
	l.VMULSS(correction, v, v)
	l.VSQRTSS(v, v, v)
	l.VADDSS(scalar("epsilon"), v, v)
	l.VMOVSS(scalar("rate"), q)
	l.VDIVSS(v, q, q)
	factor := l.vector()
	l.VBROADCASTSS(q, factor)
	return factor
}

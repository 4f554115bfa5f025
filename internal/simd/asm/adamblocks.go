package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func adamBlocksAVX512(c *build.Context) { adamBlocks(c, newAVX512(c)) }
func adamBlocksAVX2(c *build.Context)   { adamBlocks(c, newAVX2(c, maskTable(c, "adamBlocksMasks"))) }

// adamBlock is the number of weights that share a second moment.
const adamBlock = 32

// adamBlocks writes AdamBlocks.
func adamBlocks(c *build.Context, x isa) {
	c.Function("adamBlocks" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"adamBlocks"+x.name()+" computes",
		"",
		"	for blocks of 32 of i in 0..n, the last of which may be shorter:",
		"		v[0] = beta2*v[0] + rest2 * sum of grad[i]*grad[i] / i's",
		"		factor = rate / (sqrt(v[0]*correction2) + epsilon)",
		"		m[i] = beta1*m[i] + rest1*grad[i]",
		"		param[i] -= factor * m[i]",
		"		grad[i] = 0",
		"		v = v[1:]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32)")
	a := &adamBlockLoop{stream: &stream{Context: c, isa: x}}
	a.beta1, a.rest1, a.zero = a.broadcast("beta1"), a.broadcast("rest1"), x.vector()
	x.zero(a.zero)
	a.off, a.second = c.GP64(), param(c, "v")
	a.params, a.grads, a.ms = slice(c, "param", a.off), slice(c, "grad", a.off), slice(c, "m", a.off)
	left := param(c, "n")
	share := c.XMM() // of one element of a block in its mean
	b, err := c.Param("rest2").Resolve()
	if err != nil {
		panic(err)
	}
	c.VMOVSS(b.Addr, share)
	c.XORQ(a.off, a.off)
	full := c.XMM()
	size := c.GP32()
	c.MOVL(U32(adamBlock), size)
	c.VXORPS(full, full, full)
	c.VCVTSI2SSL(size, full, full)
	c.VDIVSS(full, share, full)
	c.SUBQ(U8(adamBlock), left)
	c.JL(LabelRef("rest"))
	c.Label("full")
	a.block(adamBlock/x.lanes(), full)
	c.SUBQ(U8(adamBlock), left)
	c.JGE(LabelRef("full"))
	c.Label("rest")
	c.ADDQ(U8(adamBlock), left)
	c.JE(LabelRef("done"))
	c.VXORPS(full, full, full)
	c.VCVTSI2SSQ(left, full, full)
	c.VDIVSS(full, share, full)
	a.rest(left, full)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// adamBlockLoop holds the registers of the loop over blocks.
type adamBlockLoop struct {
	*stream
	beta1, rest1, zero reg.VecVirtual
	off, second        reg.GPVirtual
	params, grads, ms  Mem
}

// block writes a block of whole registers.
func (a *adamBlockLoop) block(registers int, rest2 reg.VecVirtual) {
	sum := a.vector()
	for b := range registers {
		g := a.load(a.grads, b)
		if b == 0 {
			a.VMULPS(g, g, sum)
		} else {
			a.VFMADD231PS(g, g, sum)
		}
	}
	factor := a.factor(sum, rest2)
	for b := range registers {
		a.move(factor, b)
	}
	a.ADDQ(U32(4*adamBlock), a.off)
}

// rest writes the last block, by as many registers at a time as a mask covers.
func (a *adamBlockLoop) rest(left reg.GPVirtual, rest2 reg.VecVirtual) {
	sum, count, start := a.vector(), a.GP64(), a.GP64()
	a.zeroed(sum)
	a.MOVQ(left, count)
	a.MOVQ(a.off, start)
	a.from("Sum", count, a.off, func() {
		a.each(func(b int) {
			g := a.load(a.grads, b)
			a.VFMADD231PS(g, g, sum)
		})
	})
	factor := a.factor(sum, rest2)
	a.MOVQ(start, a.off)
	a.from("Move", left, a.off, func() { a.each(func(b int) { a.move(factor, b) }) })
	a.masked = false
}

func (a *adamBlockLoop) zeroed(r reg.VecVirtual) { a.isa.zero(r) }

// factor writes what a block's first moments are multiplied by.
func (a *adamBlockLoop) factor(sum, rest2 reg.VecVirtual) reg.VecVirtual {
	scalar := func(name string) Mem {
		b, err := a.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return b.Addr
	}
	q, v, beta2 := across(a.Context, a.isa, sum), a.XMM(), a.XMM()
	a.VMULSS(rest2, q, q)
	a.VMOVSS(Mem{Base: a.second}, v)
	a.VMOVSS(scalar("beta2"), beta2)
	a.VFMADD132SS(beta2, q, v) // v = v*beta2 + q
	a.VMOVSS(v, Mem{Base: a.second})
	a.ADDQ(U8(4), a.second)
	a.VMULSS(scalar("correction2"), v, v)
	a.VSQRTSS(v, v, v)
	a.VADDSS(scalar("epsilon"), v, v)
	a.VMOVSS(scalar("rate"), q)
	a.VDIVSS(v, q, q)
	factor := a.vector()
	a.VBROADCASTSS(q, factor)
	return factor
}

// move writes the moves of a register of weights.
func (a *adamBlockLoop) move(factor reg.VecVirtual, b int) {
	g, m, p := a.load(a.grads, b), a.load(a.ms, b), a.load(a.params, b)
	a.VMULPS(a.rest1, g, g)
	a.VFMADD213PS(g, a.beta1, m) // m = beta1*m + g
	a.store(m, a.ms, b)
	a.VFNMADD231PS(m, factor, p)
	a.store(p, a.params, b)
	a.store(a.zero, a.grads, b)
}

// across returns the sum of a register's lanes; r is lost.
func across(c *build.Context, x isa, r reg.VecVirtual) reg.VecVirtual {
	half := r
	if x.lanes() == 16 {
		high := c.YMM()
		c.VEXTRACTF64X4(U8(1), r, high)
		half = r.AsY().(reg.VecVirtual)
		c.VADDPS(high, half, half)
	}
	sum, other := half.AsX().(reg.VecVirtual), c.XMM()
	c.VEXTRACTF128(U8(1), half, other)
	c.VADDPS(other, sum, sum)
	c.VMOVHLPS(sum, sum, other)
	c.VADDPS(other, sum, sum)
	c.VMOVSHDUP(sum, other)
	c.VADDSS(other, sum, sum)
	return sum
}

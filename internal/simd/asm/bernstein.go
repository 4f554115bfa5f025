package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maxOrder is the package's MaxOrder.
const maxOrder = 64

const cacheLine = 64

func bernsteinAVX512(c *build.Context) { bernstein(c, newAVX512f64(c)) }
func bernsteinAVX2(c *build.Context)   { bernstein(c, newAVX2f64(c, maskTable(c, "bernsteinMasks"))) }

// bernstein writes Bernstein, in float64: in float32 the powers of a point near
// an end vanish before the binomial coefficients make up for it. The powers of
// 1 − t wait on the stack while those of t go up.
func bernstein(c *build.Context, x isa64) {
	s := &row64{Context: c, isa64: x}
	s.function("bernstein", "func(dst, t *float32, binomials *float64, order, n, ld int)",
		"\tfor p in 0..n, i in 0..order+1:",
		"\t\tdst[i*ld+p] = float32(binomials[i] * t[p]^i * (1-t[p])^(order-i))",
	)
	s.Attributes(0) // the stack frame is not small
	size := 8 * x.lanes()
	powers := c.AllocLocal((maxOrder+1)*2*size + cacheLine)
	one := s.constantOne()
	dst, t, ld := param(c, "dst"), param(c, "t"), floats(c, "ld")
	at, bottom := c.GP64(), c.GP64()
	c.LEAQ(powers, bottom)
	c.ADDQ(U8(cacheLine-1), bottom)
	c.ANDQ(I8(-cacheLine), bottom)
	s.runPairs("", param(c, "n"), at, func() {
		up, down, power := make([]reg.VecVirtual, s.vectors()), make([]reg.VecVirtual, s.vectors()), make([]reg.VecVirtual, s.vectors())
		for v := range up {
			up[v], down[v], power[v] = s.widen(Mem{Base: t, Index: at, Scale: 4, Disp: v * size / 2}), s.vector(), s.vector()
			c.VSUBPD(up[v], one, down[v])
			c.VMOVUPD(one, power[v])
		}
		k, to := param(c, "order"), c.GP64()
		c.MOVQ(bottom, to)
		c.Label(s.part("down"))
		for v := range power {
			c.VMOVUPD(power[v], Mem{Base: to, Disp: v * size})
			c.VMULPD(down[v], power[v], power[v])
		}
		c.ADDQ(I32(len(power)*size), to)
		c.DECQ(k)
		c.JGE(LabelRef(s.part("down")))

		// to is now past the power of order, which belongs to i = 0.
		row, binomial := c.GP64(), param(c, "binomials")
		c.LEAQ(Mem{Base: dst, Index: at, Scale: 4}, row)
		for v := range power {
			c.VMOVUPD(one, power[v])
		}
		c.Load(c.Param("order"), k)
		c.Label(s.part("up"))
		c.SUBQ(I32(len(power)*size), to)
		coefficient := s.vector()
		c.VBROADCASTSD(Mem{Base: binomial}, coefficient)
		for v := range power {
			value := s.vector()
			c.VMULPD(Mem{Base: to, Disp: v * size}, power[v], value)
			c.VMULPD(coefficient, value, value)
			s.storeHalf(s.narrowed(value), s.masked, Mem{Base: row, Disp: v * size / 2})
			c.VMULPD(up[v], power[v], power[v])
		}
		c.ADDQ(ld, row)
		c.ADDQ(U8(8), binomial)
		c.DECQ(k)
		c.JGE(LabelRef(s.part("up")))
	})
	s.end()
}

// constantOne is 1 in every lane.
func (s *row64) constantOne() reg.VecVirtual {
	bits, x, r := s.GP64(), s.XMM(), s.vector()
	s.MOVQ(U64(0x3ff0000000000000), bits)
	s.VMOVQ(bits, x)
	s.VBROADCASTSD(x, r)
	return r
}

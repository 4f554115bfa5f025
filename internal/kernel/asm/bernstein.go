package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maxOrder is the package's MaxOrder.
const maxOrder = 64

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
	powers := c.AllocLocal((maxOrder + 1) * size)
	one := s.constantOne()
	dst, t, ld := param(c, "dst"), param(c, "t"), floats(c, "ld")
	at := c.GP64()
	s.run("", param(c, "n"), at, func() {
		up := s.widened(t, at)
		down, power := s.vector(), s.vector()
		c.VSUBPD(up, one, down)
		c.VMOVUPD(one, power)
		k, to := param(c, "order"), c.GP64()
		c.LEAQ(powers, to)
		c.Label(s.part("down"))
		c.VMOVUPD(power, Mem{Base: to})
		c.VMULPD(down, power, power)
		c.ADDQ(I32(size), to)
		c.DECQ(k)
		c.JGE(LabelRef(s.part("down")))

		// to is now past the power of order, which belongs to i = 0.
		c.VMOVUPD(one, power)
		row, binomial := c.GP64(), param(c, "binomials")
		c.LEAQ(Mem{Base: dst, Index: at, Scale: 4}, row)
		c.Load(c.Param("order"), k)
		c.Label(s.part("up"))
		c.SUBQ(I32(size), to)
		value, coefficient := s.vector(), s.vector()
		c.VMULPD(Mem{Base: to}, power, value)
		c.VBROADCASTSD(Mem{Base: binomial}, coefficient)
		c.VMULPD(coefficient, value, value)
		s.storeHalf(s.narrowed(value), s.masked, Mem{Base: row})
		c.VMULPD(up, power, power)
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

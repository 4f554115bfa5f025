package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func expAVX512(c *build.Context) { exp(c, newAVX512(c)) }
func expAVX2(c *build.Context)   { exp(c, newAVX2(c, maskTable(c, "expMasks"))) }

// exp writes Exp: v = k·ln 2 + r with |r| ≤ ln 2 / 2, and exp(v) = 2^k·exp(r).
func exp(c *build.Context, x isa) {
	t := newConstants(c, "exp"+x.name()+"Constants")
	// Beyond these the result overflows to infinity or rounds to zero.
	most, least := t.float(89), t.float(-104)
	log2e := t.float(math.Log2E)
	// ln 2 in two parts; the first has few bits, so that k times it is exact.
	const first = 0x1.62ep-1
	ln2a, ln2b := t.float(first), t.float(math.Ln2-first)
	// Taylor's series to the sixth power: at ln 2 / 2 the next term is 1.2e-7.
	var taylor []Mem
	for n, f := 0, 1.0; n <= 6; n++ {
		if n > 0 {
			f *= float64(n)
		}
		taylor = append(taylor, t.float(1/f))
	}
	bias := t.bits(127)

	c.Function("exp" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"exp"+x.name()+" computes",
		"",
		"\tfor i in 0..n:",
		"\t\tdst[i] = exp(v[i])",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, v *float32, n int)")
	s := &stream{Context: c, isa: x}
	off := c.GP64()
	dst, v := Mem{Base: param(c, "dst"), Index: off, Scale: 1}, Mem{Base: param(c, "v"), Index: off, Scale: 1}
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			// Of a pair with a NaN in it, the instruction takes the operand
			// that Go writes first.
			r := s.load(v, b)
			limit := x.vector()
			c.VMOVUPS(most, limit)
			c.VMINPS(r, limit, r)
			c.VMOVUPS(least, limit)
			c.VMAXPS(r, limit, r)

			k, whole := x.vector(), x.vector()
			c.VMULPS(log2e, r, k)
			c.VCVTPS2DQ(k, k)
			c.VCVTDQ2PS(k, whole)
			c.VFNMADD231PS(ln2a, whole, r)
			c.VFNMADD231PS(ln2b, whole, r)

			e := x.vector()
			c.VMOVUPS(taylor[6], e)
			for n := 5; n >= 0; n-- {
				c.VFMADD213PS(taylor[n], r, e) // e = r*e + 1/n!
			}

			// 2^k in two halves, so that neither leaves the normal range.
			half := x.vector()
			c.VPSRAD(U8(1), k, half)
			c.VPSUBD(half, k, k)
			for _, k := range []Op{half, k} {
				c.VPADDD(bias, k, k)
				c.VPSLLD(U8(23), k, k)
				c.VMULPS(k, e, e)
			}
			s.store(e, dst, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

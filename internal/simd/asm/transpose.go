package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transposeBlock is simd.transposeBlock.
const transposeBlock = 4

// transposeAVX2 writes Transpose, by blocks of four rows and columns. The last block of a
// row or column ends with it, and has some numbers of the block before.
func transposeAVX2(c *build.Context) {
	c.Function("transposeAVX2")
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"transposeAVX2 computes, for m and n of four or more,",
		"",
		"	for i in 0..m:",
		"		for j in 0..n:",
		"			dst[j*to+i] = src[i*from+j]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, src *float32, m, n, to, from int)")
	from, to := floats(c, "from"), floats(c, "to")
	from3, to3 := triple(c, from), triple(c, to)
	src, dst, m := param(c, "src"), param(c, "dst"), param(c, "m")
	c.Label("rows")
	s, d, n := c.GP64(), c.GP64(), param(c, "n")
	c.MOVQ(src, s)
	c.MOVQ(dst, d)
	c.Label("columns")
	row := func(base, stride, stride3 reg.GPVirtual, i int) Mem {
		switch i {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: stride3, Scale: 1}
		}
		return Mem{Base: base, Index: stride, Scale: uint8(i)}
	}
	var in, pairs, out [transposeBlock]reg.VecVirtual
	for i := range in {
		in[i], pairs[i], out[i] = c.XMM(), c.XMM(), c.XMM()
		c.VMOVUPS(row(s, from, from3, i), in[i])
	}
	c.VUNPCKLPS(in[1], in[0], pairs[0])
	c.VUNPCKHPS(in[1], in[0], pairs[1])
	c.VUNPCKLPS(in[3], in[2], pairs[2])
	c.VUNPCKHPS(in[3], in[2], pairs[3])
	c.VMOVLHPS(pairs[2], pairs[0], out[0])
	c.VMOVHLPS(pairs[0], pairs[2], out[1])
	c.VMOVLHPS(pairs[3], pairs[1], out[2])
	c.VMOVHLPS(pairs[1], pairs[3], out[3])
	for i, r := range out {
		c.VMOVUPS(r, row(d, to, to3, i))
	}
	step, end := c.GP64(), c.GP64()
	next := func(left reg.GPVirtual) {
		c.SUBQ(U8(transposeBlock), left)
		c.MOVQ(U32(transposeBlock), end)
		c.MOVQ(left, step)
		c.CMPQ(step, end)
		c.CMOVQGT(end, step)
	}
	next(n)
	c.LEAQ(Mem{Base: s, Index: step, Scale: 4}, s)
	c.TESTQ(step, step)
	c.JE(LabelRef("next"))
	c.MOVQ(to, end)
	c.IMULQ(step, end)
	c.ADDQ(end, d)
	c.CMPQ(n, U8(transposeBlock))
	c.JGE(LabelRef("columns"))
	c.MOVQ(U32(transposeBlock), n)
	c.JMP(LabelRef("columns"))
	c.Label("next")
	next(m)
	c.LEAQ(Mem{Base: dst, Index: step, Scale: 4}, dst)
	c.TESTQ(step, step)
	c.JE(LabelRef("done"))
	c.MOVQ(from, end)
	c.IMULQ(step, end)
	c.ADDQ(end, src)
	c.CMPQ(m, U8(transposeBlock))
	c.JGE(LabelRef("rows"))
	c.MOVQ(U32(transposeBlock), m)
	c.JMP(LabelRef("rows"))
	c.Label("done")
	c.RET()
}

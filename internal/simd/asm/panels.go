package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panelVectors are the registers of a row of sums. With three, the rows that fit beside
// them take fewer loads than multiply-adds.
const panelVectors = 3

func panelsAVX512(c *build.Context) { panels(c, &avx512f64{Context: c}, 8) }
func panelsAVX2(c *build.Context)   { panels(c, &avx2f64{Context: c}, 4) }

// panels writes MulPanels: all sums stay in registers until the last product.
func panels(c *build.Context, x isa64, rows int) {
	name := "panels" + x.name()
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		name+" computes",
		"",
		"\tfor i in 0..rows, j in 0..cols:",
		"\t\tsums[i*cols+j] = sum over p in 0..k of a[p*rows+i] * b[p*cols+j]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(sums, a, b *float64, k int)")
	a, b, k := param(c, "a"), param(c, "b"), param(c, "k")
	acc := make([][panelVectors]reg.VecVirtual, rows)
	for i := range acc {
		for v := range acc[i] {
			acc[i][v] = x.vector()
			x.zero(acc[i][v])
		}
	}
	size := 8 * x.lanes()
	c.TESTQ(k, k)
	c.JE(LabelRef("store"))
	c.Label("loop")
	var column [panelVectors]reg.VecVirtual
	for v := range column {
		column[v] = x.vector()
		c.VMOVUPD(Mem{Base: b, Disp: v * size}, column[v])
	}
	for i := range acc {
		one := x.vector()
		c.VBROADCASTSD(Mem{Base: a, Disp: 8 * i}, one)
		for v := range column {
			c.VFMADD231PD(one, column[v], acc[i][v])
		}
	}
	c.ADDQ(U8(8*rows), a)
	c.ADDQ(I32(panelVectors*size), b)
	c.DECQ(k)
	c.JNE(LabelRef("loop"))
	c.Label("store")
	sums := param(c, "sums")
	for i := range acc {
		for v := range column {
			c.VMOVUPD(acc[i][v], Mem{Base: sums, Disp: (i*panelVectors + v) * size})
		}
	}
	c.VZEROUPPER()
	c.RET()
}

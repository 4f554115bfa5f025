package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// peakChains is the number of independent chains of multiply-adds: enough to
// cover the latency of any pipeline, few enough for 16 registers.
const peakChains = 12

func peakAVX512(c *build.Context) { peak(c, newAVX512(c)) }

func peakAVX2(c *build.Context) { peak(c, &avx2{Context: c}) }

// peak writes rounds of multiply-adds with nothing in their way.
func peak(c *build.Context, x isa) {
	name := "peak" + x.name()
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		name+" computes",
		"",
		"\tfor range rounds:",
		"\t\ta[k] += a[k] * a[k] for k in 0..12, each a register of zeros",
	)
	c.SignatureExpr("func(rounds int)")
	rounds := param(c, "rounds")
	acc := make([]reg.VecVirtual, peakChains)
	for k := range acc {
		acc[k] = x.vector()
		x.zero(acc[k])
	}
	c.Label("loop")
	for range 2 {
		for _, a := range acc {
			c.VFMADD231PS(a, a, a)
		}
	}
	c.SUBQ(U8(2), rounds)
	c.JG(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

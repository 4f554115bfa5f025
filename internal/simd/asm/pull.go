package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func addAVX512(c *build.Context)    { add(c, newAVX512(c)) }
func addAVX2(c *build.Context)      { add(c, newAVX2(c, maskTable(c, "addMasks"))) }
func pullAVX512(c *build.Context)   { pull(c, newAVX512(c), false) }
func pullAVX2(c *build.Context)     { pull(c, newAVX2(c, maskTable(c, "pullMasks")), false) }
func pullToAVX512(c *build.Context) { pull(c, newAVX512(c), true) }
func pullToAVX2(c *build.Context)   { pull(c, newAVX2(c, maskTable(c, "pullToMasks")), true) }

// add writes a row of what PullToMeanRow adds up.
func add(c *build.Context, x isa) {
	c.Function("add" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"add"+x.name()+" computes",
		"",
		"\tfor j in 0..n:",
		"\t\tsum[j] += w[j]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(sum, w *float32, n int)")
	s := &stream{Context: c, isa: x}
	off := c.GP64()
	sums, ws := slice(c, "sum", off), slice(c, "w", off)
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			sum, w := s.load(sums, b), s.load(ws, b)
			c.VADDPS(w, sum, sum)
			s.store(sum, sums, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

// pull writes a row of PullToMeanRow, or one of PullToMean, of which all weights have one center. The
// product is rounded before it is added, as Go rounds it.
func pull(c *build.Context, x isa, one bool) {
	name, center, at := "pull", "center *float32, n int, lambda", "[j]"
	if one {
		name, center, at = "pullTo", "n int, center, lambda", ""
	}
	c.Function(name + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		name+x.name()+" computes",
		"",
		"\tfor j in 0..n:",
		"\t\tdw[j] += lambda * (w[j]-center"+at+")",
	)
	c.Pragma("noescape")
	arguments := "dw, w, "
	if one {
		arguments = "dw, w *float32, "
	}
	c.SignatureExpr("func(" + arguments + center + " float32)")
	s := &stream{Context: c, isa: x}
	lambda, off := s.broadcast("lambda"), c.GP64()
	dws, ws := slice(c, "dw", off), slice(c, "w", off)
	var own reg.VecVirtual
	var centers Mem
	if one {
		own = s.broadcast("center")
	} else {
		centers = slice(c, "center", off)
	}
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			w, dw, m := s.load(ws, b), s.load(dws, b), own
			if !one {
				m = s.load(centers, b)
			}
			c.VSUBPS(m, w, w)
			c.VMULPS(lambda, w, w)
			c.VADDPS(w, dw, dw)
			s.store(dw, dws, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func smoothAVX512(c *build.Context) { smooth(c, newAVX512(c)) }
func smoothAVX2(c *build.Context)   { smooth(c, newAVX2(c, maskTable(c, "smoothMasks"))) }

// smooth writes a row of Smooth.
func smooth(c *build.Context, x isa) {
	c.Function("smooth" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"smooth"+x.name()+" computes",
		"",
		"\tfor j in 0..n:",
		"\t\tdw[j] += lambda * (((w[j]-before[j]) + (w[j]-after[j])) + ((w[j]-above[j]) + (w[j]-below[j])))",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dw, w, before, after, above, below *float32, n int, lambda float32)")
	s := &stream{Context: c, isa: x}
	lambda, off := s.broadcast("lambda"), c.GP64()
	dws, ws := slice(c, "dw", off), slice(c, "w", off)
	neighbours := []Mem{slice(c, "before", off), slice(c, "after", off), slice(c, "above", off), slice(c, "below", off)}
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			w, sums := s.load(ws, b), [2]Op{}
			for i := range sums {
				d, e := s.load(neighbours[2*i], b), s.load(neighbours[2*i+1], b)
				c.VSUBPS(d, w, d)
				c.VSUBPS(e, w, e)
				c.VADDPS(e, d, d)
				sums[i] = d
			}
			c.VADDPS(sums[1], sums[0], sums[0])
			dw := s.load(dws, b)
			c.VFMADD231PS(lambda, sums[0], dw)
			s.store(dw, dws, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
)

func keepTimesAVX512(c *build.Context) { keepTimes(c, newAVX512(c)) }
func keepTimesAVX2(c *build.Context)   { keepTimes(c, newAVX2(c, maskTable(c, "keepTimesMasks"))) }

// keepTimes writes KeepTimes.
func keepTimes(c *build.Context, x isa) {
	c.Function("keepTimes" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"keepTimes"+x.name()+" computes",
		"",
		"\tfor i in 0..n:",
		"\t\tkept[i] = s[i]",
		"\t\ts[i] = s[i] * phi[i]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(kept, s, phi *float32, n int)")
	s := &stream{Context: c, isa: x}
	off := c.GP64()
	kept, own, phi := slice(c, "kept", off), slice(c, "s", off), slice(c, "phi", off)
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			v, f := s.load(own, b), s.load(phi, b)
			s.store(v, kept, b)
			c.VMULPS(f, v, v)
			s.store(v, own, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

func addTimesAVX512(c *build.Context) { addTimes(c, newAVX512(c)) }
func addTimesAVX2(c *build.Context)   { addTimes(c, newAVX2(c, maskTable(c, "addTimesMasks"))) }

// addTimes writes AddTimes.
func addTimes(c *build.Context, x isa) {
	c.Function("addTimes" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"addTimes"+x.name()+" computes",
		"",
		"\tfor i in 0..n:",
		"\t\tsum[i] += a[i] * s[i]",
		"\t\ts[i] = s[i] * phi[i]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(sum, a, s, phi *float32, n int)")
	s := &stream{Context: c, isa: x}
	off := c.GP64()
	sum, as, own, phi := slice(c, "sum", off), slice(c, "a", off), slice(c, "s", off), slice(c, "phi", off)
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			v, a, to := s.load(own, b), s.load(as, b), s.load(sum, b)
			c.VFMADD231PS(v, a, to)
			s.store(to, sum, b)
			f := s.load(phi, b)
			c.VMULPS(f, v, v)
			s.store(v, own, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

// keepTimesNEON writes KeepTimes.
func keepTimesNEON(w *neonWriter) {
	w.begin("keepTimesNEON", "kept, s, phi *float32, n int", 32,
		"\tfor i in 0..n:",
		"\t\tkept[i] = s[i]",
		"\t\ts[i] = s[i] * phi[i]",
	)
	w.arguments("kept", "s", "phi", "n")
	w.parts("", "R3", []neonPart{neonQuads, neonQuad, neonSingle}, func(p neonPart) {
		w.load(p, "R1", 0)
		w.load(p, "R2", 4)
		w.store(p, 0, "R0")
		for b := range p.registers {
			w.mul(b, 4+b, b)
		}
		w.store(p, 0, "R1")
		for _, address := range []string{"R0", "R1", "R2"} {
			w.op("ADD $%d, %s, %s", 4*p.points, address, address)
		}
	})
	w.op("RET")
}

// addTimesNEON writes AddTimes.
func addTimesNEON(w *neonWriter) {
	w.begin("addTimesNEON", "sum, a, s, phi *float32, n int", 40,
		"\tfor i in 0..n:",
		"\t\tsum[i] += a[i] * s[i]",
		"\t\ts[i] = s[i] * phi[i]",
	)
	w.arguments("sum", "a", "s", "phi", "n")
	w.parts("", "R4", []neonPart{neonQuads, neonQuad, neonSingle}, func(p neonPart) {
		w.load(p, "R0", 0)
		w.load(p, "R1", 4)
		w.load(p, "R2", 8)
		w.load(p, "R3", 12)
		for b := range p.registers {
			w.fma(4+b, 8+b, b)
			w.mul(8+b, 12+b, 8+b)
		}
		w.store(p, 0, "R0")
		w.store(p, 8, "R2")
		for _, address := range []string{"R0", "R1", "R2", "R3"} {
			w.op("ADD $%d, %s, %s", 4*p.points, address, address)
		}
	})
	w.op("RET")
}

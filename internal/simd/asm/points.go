package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func scaledSquareAVX512(c *build.Context) { scaledSquare(c, newAVX512(c)) }
func scaledSquareAVX2(c *build.Context) {
	scaledSquare(c, newAVX2(c, maskTable(c, "scaledSquareMasks")))
}

func scaleAVX512(c *build.Context) { scale(c, newAVX512(c)) }
func scaleAVX2(c *build.Context)   { scale(c, newAVX2(c, maskTable(c, "scaleMasks"))) }

func rescaleAVX512(c *build.Context) { rescale(c, newAVX512(c)) }
func rescaleAVX2(c *build.Context)   { rescale(c, newAVX2(c, maskTable(c, "rescaleMasks"))) }

// rowLoop writes body for each of m rows; body moves its own pointers.
func rowLoop(c *build.Context, name string, body func()) {
	m := param(c, "m")
	c.TESTQ(m, m)
	c.JE(LabelRef("none" + name))
	c.Label("rows" + name)
	body()
	c.DECQ(m)
	c.JNE(LabelRef("rows" + name))
	c.Label("none" + name)
}

// scaledSquare writes ScaledSquare.
func scaledSquare(c *build.Context, x isa) {
	c.Function("scaledSquare" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"scaledSquare"+x.name()+" computes",
		"",
		"\tfor i in 0..m, p in 0..n:",
		"\t\tdst[i*ld+p] = scale[i] * phi[i*ld+p] * phi[i*ld+p]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, phi, scale *float32, m, n, ld int)")
	s := &stream{Context: c, isa: x}
	dst, phi, scale, ld, off := param(c, "dst"), param(c, "phi"), param(c, "scale"), floats(c, "ld"), c.GP64()
	rowLoop(c, "", func() {
		k := x.vector()
		c.VBROADCASTSS(Mem{Base: scale}, k)
		s.run("Points", param(c, "n"), off, func() {
			s.each(func(b int) {
				f := s.load(Mem{Base: phi, Index: off, Scale: 1}, b)
				t := x.vector()
				c.VMULPS(f, k, t)
				c.VMULPS(f, t, t)
				s.store(t, Mem{Base: dst, Index: off, Scale: 1}, b)
			})
		})
		c.ADDQ(ld, dst)
		c.ADDQ(ld, phi)
		c.ADDQ(U8(4), scale)
	})
	c.VZEROUPPER()
	c.RET()
}

// column is a walk down the rows of s at the points of a stream's iteration.
func column(s *stream, name string, base, off, ld reg.GPVirtual, visit func(at Mem)) {
	at := s.GP64()
	s.MOVQ(base, at)
	s.ADDQ(off, at)
	rowLoop(s.Context, name, func() {
		visit(Mem{Base: at})
		s.ADDQ(ld, at)
	})
}

// multiply writes the product of a column and the factors of its points.
func multiply(s *stream, name string, base, off, ld reg.GPVirtual, factor []reg.VecVirtual) {
	column(s, name, base, off, ld, func(at Mem) {
		s.each(func(b int) {
			r := s.load(at, b)
			s.VMULPS(factor[b], r, r)
			s.store(r, at, b)
		})
	})
}

// scale writes Scale.
func scale(c *build.Context, x isa) {
	c.Function("scale" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"scale"+x.name()+" computes",
		"",
		"\tfor i in 0..m, p in 0..n:",
		"\t\ts[i*ld+p] *= factor[p]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(s, factor *float32, m, n, ld int)")
	s := &stream{Context: c, isa: x}
	base, factors, ld, off := param(c, "s"), param(c, "factor"), floats(c, "ld"), c.GP64()
	s.run("", param(c, "n"), off, func() {
		var factor []reg.VecVirtual
		s.each(func(b int) { factor = append(factor, s.load(Mem{Base: factors, Index: off, Scale: 1}, b)) })
		multiply(s, s.part("Multiply"), base, off, ld, factor)
	})
	c.VZEROUPPER()
	c.RET()
}

// part names a label apart in a stream's two bodies.
func (s *stream) part(name string) string {
	if s.masked {
		return name + "Masked"
	}
	return name
}

// rescale writes Rescale. Magnitudes are compared as integers, which orders
// them, with NaN above all.
func rescale(c *build.Context, x isa) {
	t := newConstants(c, "rescale"+x.name()+"Constants")
	magnitude, bias, special, highest := t.bits(0x7fffffff), t.bits(127), t.bits(255), t.bits(127+126)

	c.Function("rescale" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"rescale"+x.name()+" computes",
		"",
		"\tfor p in 0..n:",
		"\t\te = exponentOf(max over i in 0..m of abs(s[i*ld+p]))",
		"\t\tfactor[p] = 2^-e",
		"\t\texponent[p] += e",
		"\t\ts[i*ld+p] *= factor[p] for i in 0..m",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(s, factor *float32, exponent *int32, m, n, ld int)")
	s := &stream{Context: c, isa: x}
	base, factors, exponents, ld, off := param(c, "s"), param(c, "factor"), param(c, "exponent"), floats(c, "ld"), c.GP64()
	s.run("", param(c, "n"), off, func() {
		var top []reg.VecVirtual
		s.each(func(int) {
			r := x.vector()
			x.zero(r)
			top = append(top, r)
		})
		column(s, s.part("Top"), base, off, ld, func(at Mem) {
			s.each(func(b int) {
				r := s.load(at, b)
				x.and(magnitude, r, r)
				c.VPMAXUD(r, top[b], top[b])
			})
		})
		s.each(func(b int) {
			e := top[b]
			c.VPSRLD(U8(23), e, e)
			// Both differences are negative, that is all ones once the sign
			// is spread, unless e is 0 or 255.
			valid, under := x.vector(), x.vector()
			x.zero(valid)
			c.VPSUBD(e, valid, valid)
			c.VPSUBD(special, e, under)
			x.and(under, valid, valid)
			c.VPSRAD(U8(31), valid, valid)
			c.VPMINUD(highest, e, e)
			c.VPSUBD(bias, e, e)
			x.and(valid, e, e)

			at := Mem{Base: exponents, Index: off, Scale: 1}
			old := s.load(at, b)
			c.VPADDD(e, old, old)
			s.store(old, at, b)
			f := x.vector()
			c.VMOVUPS(bias, f)
			c.VPSUBD(e, f, f)
			c.VPSLLD(U8(23), f, f)
			s.store(f, Mem{Base: factors, Index: off, Scale: 1}, b)
			top[b] = f
		})
		multiply(s, s.part("Multiply"), base, off, ld, top)
	})
	c.VZEROUPPER()
	c.RET()
}

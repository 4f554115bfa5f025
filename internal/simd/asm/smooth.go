package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func smoothAVX512(c *build.Context) { smooth(&row64{Context: c, isa64: newAVX512f64(c)}) }
func smoothAVX2(c *build.Context) {
	smooth(&row64{Context: c, isa64: newAVX2f64(c, maskTable(c, "smoothMasks"))})
}

// smooth writes Smooth.
func smooth(s *row64) {
	s.function("smooth", "func(dw, w, before, after *float32, m, n, stride int, lambda float32) float64",
		"\tfor i in 0..m, j in 0..n, p = i*stride+j:",
		"\t\tdw[p] += lambda * (w[p]-before[p] + w[p]-after[p])",
		"\treturn sum over all of (w[p]-before[p])^2",
	)
	dw, w, before, after := param(s.Context, "dw"), param(s.Context, "w"), param(s.Context, "before"), param(s.Context, "after")
	n, stride, at := param(s.Context, "n"), param(s.Context, "stride"), s.GP64()
	lambda, sum := s.half(), s.vector()
	b, err := s.Param("lambda").Resolve()
	if err != nil {
		panic(err)
	}
	s.VBROADCASTSS(b.Addr, lambda)
	s.zero(sum)
	s.rows("", param(s.Context, "m"), stride, func() {
		left := s.GP64()
		s.MOVQ(n, left)
		s.run("Row", left, at, func() {
			v, d, other, out, wide := s.half(), s.half(), s.half(), s.half(), s.vector()
			element := Mem{Base: w, Index: at, Scale: 4}
			s.loadHalf(element, s.masked, v)
			element.Base = before
			s.loadHalf(element, s.masked, other)
			s.VSUBPS(other, v, d)
			s.VCVTPS2PD(d, wide)
			s.VFMADD231PD(wide, wide, sum)
			element.Base = after
			s.loadHalf(element, s.masked, other)
			s.VSUBPS(other, v, v)
			s.VADDPS(v, d, d)
			element.Base = dw
			s.loadHalf(element, s.masked, out)
			s.VFMADD231PS(lambda, d, out)
			s.storeHalf(out, s.masked, element)
		})
	}, dw, w, before, after)
	s.Store(s.total(sum), s.ReturnIndex(0))
	s.end()
}

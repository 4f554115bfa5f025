package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func pathsAVX512(c *build.Context) { paths(c, newAVX512f64(c)) }
func pathsAVX2(c *build.Context)   { paths(c, newAVX2f64(c, maskTable(c, "pathMasks"))) }

// paths writes the four kernels that carry an average over paths.
func paths(c *build.Context, x isa64) {
	s := &row64{Context: c, isa64: x}
	pathForward(s)
	pathBackward(s)
	pathGradientMean(s)
	pathGradientVariance(s)
}

func (s *row64) function(name, signature string, doc ...string) {
	name += s.name()
	s.Function(name)
	s.Attributes(attr.NOSPLIT)
	s.Doc(append([]string{name + " computes", ""}, doc...)...)
	s.Pragma("noescape")
	s.SignatureExpr(signature)
}

func (s *row64) end() {
	s.VZEROUPPER()
	s.RET()
}

// rows writes body for each row of the matrices of the parameters given, which
// are m rows of n elements without gaps.
func (s *row64) rows(name string, m, n reg.GPVirtual, body func(), pointers ...reg.GPVirtual) {
	s.TESTQ(m, m)
	s.JE(LabelRef("none" + name))
	s.Label("rows" + name)
	body()
	for _, p := range pointers {
		s.LEAQ(Mem{Base: p, Index: n, Scale: 4}, p)
	}
	s.DECQ(m)
	s.JNE(LabelRef("rows" + name))
	s.Label("none" + name)
}

// pathForward writes PathForward: the weights are squared where power is 2.
func pathForward(s *row64) {
	s.function("pathForward", "func(dst, a, c *float64, w *float32, mi, mj, power int)",
		"\tfor j in 0..mj:",
		"\t\tdst[j] = c[j] * sum over i in 0..mi of a[i] * w[i*mj+j]^power",
	)
	dst, a, c, w, n := param(s.Context, "dst"), param(s.Context, "a"), param(s.Context, "c"), param(s.Context, "w"), param(s.Context, "mj")
	power := param(s.Context, "power")
	at := s.GP64()
	s.run("", param(s.Context, "mj"), at, func() {
		sum := s.vector()
		s.zero(sum)
		row, ai, m := s.GP64(), s.GP64(), param(s.Context, "mi")
		s.MOVQ(w, row)
		s.MOVQ(a, ai)
		s.CMPQ(power, U8(2))
		s.JE(LabelRef(s.part("square")))
		term := func(square bool) func() {
			return func() {
				f, x := s.widened(row, at), s.vector()
				s.VBROADCASTSD(Mem{Base: ai}, x)
				if square {
					s.VMULPD(f, f, f)
				}
				s.VFMADD231PD(f, x, sum)
				s.ADDQ(U8(8), ai)
			}
		}
		s.rows(s.part("1"), m, n, term(false), row)
		s.JMP(LabelRef(s.part("ready")))
		s.Label(s.part("square"))
		s.rows(s.part("2"), m, n, term(true), row)
		s.Label(s.part("ready"))
		s.VMULPD(s.wide(c, at), sum, sum)
		s.store(sum, s.masked, Mem{Base: dst, Index: at, Scale: 8})
	})
	s.end()
}

// pathBackward writes PathBackward.
func pathBackward(s *row64) {
	s.function("pathBackward", "func(dst, b *float64, w *float32, mi, mj, power int)",
		"\tfor i in 0..mi:",
		"\t\tdst[i] = sum over j in 0..mj of w[i*mj+j]^power * b[j]",
	)
	dst, b, w, n := param(s.Context, "dst"), param(s.Context, "b"), param(s.Context, "w"), param(s.Context, "mj")
	power, m, at := param(s.Context, "power"), param(s.Context, "mi"), s.GP64()
	row := func(name string, square bool) func() {
		return func() {
			sum, left := s.vector(), s.GP64()
			s.zero(sum)
			s.MOVQ(n, left)
			s.run(name, left, at, func() {
				f := s.widened(w, at)
				if square {
					s.VMULPD(f, f, f)
				}
				s.VFMADD231PD(s.wide(b, at), f, sum)
			})
			s.VMOVSD(s.total(sum), Mem{Base: dst})
			s.ADDQ(U8(8), dst)
		}
	}
	s.CMPQ(power, U8(2))
	s.JE(LabelRef("square"))
	s.rows("1", m, n, row("Row1", false), w)
	s.JMP(LabelRef("ready"))
	s.Label("square")
	s.rows("2", m, n, row("Row2", true), w)
	s.Label("ready")
	s.end()
}

// pathGradientMean writes PathGradientMean.
func pathGradientMean(s *row64) {
	s.function("pathGradientMean", "func(dw, w *float32, a, b *float64, mi, mj int)",
		"\tfor i in 0..mi, j in 0..mj:",
		"\t\tdw[i*mj+j] += float32(w[i*mj+j] * (a[i] * b[j]))",
	)
	dw, w, a, b, n := param(s.Context, "dw"), param(s.Context, "w"), param(s.Context, "a"), param(s.Context, "b"), param(s.Context, "mj")
	at := s.GP64()
	s.rows("", param(s.Context, "mi"), n, func() {
		ai, left := s.vector(), s.GP64()
		s.VBROADCASTSD(Mem{Base: a}, ai)
		s.MOVQ(n, left)
		s.run("Row", left, at, func() {
			t := s.wide(b, at)
			s.VMULPD(ai, t, t)
			s.VMULPD(s.widened(w, at), t, t)
			out, old := Mem{Base: dw, Index: at, Scale: 4}, s.half()
			s.loadHalf(out, s.masked, old)
			s.VADDPS(s.narrowed(t), old, old)
			s.storeHalf(old, s.masked, out)
		})
		s.ADDQ(U8(8), a)
	}, w, dw)
	s.end()
}

// pathGradientVariance writes PathGradientVariance.
func pathGradientVariance(s *row64) {
	s.function("pathGradientVariance", "func(dv, w *float32, a, b *float64, mi, mj int, shift float64)",
		"\tfor i in 0..mi, j in 0..mj:",
		"\t\tdv[i*mj+j] = float32(w[i*mj+j]*(dv[i*mj+j]+a[i]*b[j]) + shift)",
	)
	dv, w, a, b, n := param(s.Context, "dv"), param(s.Context, "w"), param(s.Context, "a"), param(s.Context, "b"), param(s.Context, "mj")
	shift, at := s.vector(), s.GP64()
	from, err := s.Param("shift").Resolve()
	if err != nil {
		panic(err)
	}
	s.VBROADCASTSD(from.Addr, shift)
	s.rows("", param(s.Context, "mi"), n, func() {
		ai, left := s.vector(), s.GP64()
		s.VBROADCASTSD(Mem{Base: a}, ai)
		s.MOVQ(n, left)
		s.run("Row", left, at, func() {
			t := s.widened(dv, at)
			s.VFMADD231PD(s.wide(b, at), ai, t)
			s.VFMADD213PD(shift, s.widened(w, at), t)
			s.storeHalf(s.narrowed(t), s.masked, Mem{Base: dv, Index: at, Scale: 4})
		})
		s.ADDQ(U8(8), a)
	}, w, dv)
	s.end()
}

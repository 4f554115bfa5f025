package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
)

func adamAVX512(c *build.Context) { adam(c, newAVX512(c)) }
func adamAVX2(c *build.Context)   { adam(c, newAVX2(c, maskTable(c, "adamMasks"))) }

// adam writes Adam.
func adam(c *build.Context, x isa) {
	c.Function("adam" + x.name())
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"adam"+x.name()+" computes",
		"",
		"\tfor i in 0..n:",
		"\t\tm[i] = beta1*m[i] + rest1*grad[i]",
		"\t\tv[i] = beta2*v[i] + rest2*(grad[i]*grad[i])",
		"\t\tparam[i] -= rate * m[i] / (sqrt(v[i]*correction2) + epsilon)",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32)")
	s := &stream{Context: c, isa: x}
	rate, beta1, beta2 := s.broadcast("rate"), s.broadcast("beta1"), s.broadcast("beta2")
	rest1, rest2 := s.broadcast("rest1"), s.broadcast("rest2")
	correction2, epsilon := s.broadcast("correction2"), s.broadcast("epsilon")
	off := c.GP64()
	params, grads, ms, vs := slice(c, "param", off), slice(c, "grad", off), slice(c, "m", off), slice(c, "v", off)
	s.run("", param(c, "n"), off, func() {
		s.each(func(b int) {
			g, m := s.load(grads, b), s.load(ms, b)
			t := x.vector()
			c.VMULPS(rest1, g, t)
			c.VFMADD213PS(t, beta1, m) // m = beta1*m + t
			s.store(m, ms, b)
			v := s.load(vs, b)
			c.VMULPS(g, g, g)
			c.VMULPS(rest2, g, g)
			c.VFMADD213PS(g, beta2, v)
			s.store(v, vs, b)
			c.VMULPS(correction2, v, v)
			c.VSQRTPS(v, v)
			c.VADDPS(epsilon, v, v)
			c.VMULPS(rate, m, m)
			c.VDIVPS(v, m, m)
			p := s.load(params, b)
			c.VSUBPS(m, p, p)
			s.store(p, params, b)
		})
	})
	c.VZEROUPPER()
	c.RET()
}

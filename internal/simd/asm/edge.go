package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mostEdge is simd.mostEdge.
const mostEdge = 64

// edgesAVX2 lists the kernels of layers one side of which is local: spread from such a
// layer, gather to it.
func edgesAVX2() []func(*build.Context) {
	var all []func(*build.Context)
	for k := 1; k <= mostLocal; k++ {
		for _, write := range []func(*build.Context, int){gatherForward, gatherBackward, spreadForward, spreadBackward} {
			all = append(all, func(c *build.Context) { write(c, k) })
		}
	}
	return all
}

// An edge is code that goes through the points of a layer between one of k functions and
// one of rows of points.
type edge struct {
	block
	k int
}

func newEdge(c *build.Context, kind string, k int, signature string, doc ...string) *edge {
	name := fmt.Sprintf("%s%dAVX2", kind, k)
	c.Function(name)
	c.Doc(append([]string{name + " computes", "", "\tfor p in 0..n:"}, doc...)...)
	c.Pragma("noescape")
	c.SignatureExpr("func(" + signature + ")")
	e := &edge{block: block{Context: c, from: k, to: k}, k: k}
	e.p = c.GP64()
	c.XORQ(e.p, e.p)
	return e
}

// pointer returns parameter name moved on to the point, by so many floats a point.
func (e *edge) pointer(name string, step int) reg.GPVirtual {
	at, off := param(e.Context, name), e.GP64()
	e.MOVQ(e.p, off)
	e.SHLQ(U8(map[int]int{1: 2, 2: 3, 4: 4}[step]), off)
	e.ADDQ(off, at)
	return at
}

// node returns the point's first node.
func (e *edge) node() reg.GPVirtual {
	at := e.GP64()
	e.MOVLQSX(Mem{Base: param(e.Context, "first"), Index: e.p, Scale: 4}, at)
	return at
}

// count is where the number of points is told: a register less to hold.
func (e *edge) count() Mem {
	n, err := e.Param("n").Resolve()
	if err != nil {
		panic(err)
	}
	return n.Addr
}

// next goes on with the next point.
func (e *edge) next(label string) {
	e.INCQ(e.p)
	e.CMPQ(e.p, e.count())
	e.JNE(LabelRef(label))
}

// four returns addresses of four rows.
func four(at, stride, stride3 reg.Register) []Mem {
	return []Mem{{Base: at}, {Base: at, Index: stride, Scale: 1}, {Base: at, Index: stride, Scale: 2}, {Base: at, Index: stride3, Scale: 1}}
}

// parts writes a loop over count columns, eight, four and one at a time; at moves on by
// their bytes.
func (e *edge) parts(name string, count, at reg.GPVirtual, body func(width int)) {
	left := e.GP64()
	e.MOVQ(count, left)
	e.XORQ(at, at)
	for _, width := range []int{8, 4, 1} {
		loop, done := fmt.Sprintf("%s%d", name, width), fmt.Sprintf("%s%dDone", name, width)
		e.SUBQ(U8(width), left)
		e.JL(LabelRef(done))
		e.Label(loop)
		body(width)
		e.ADDQ(U8(4*width), at)
		e.SUBQ(U8(width), left)
		e.JGE(LabelRef(loop))
		e.Label(done)
		e.ADDQ(U8(width), left)
	}
}

// wide loads one, four or eight values, and zeros behind them.
func (e *edge) wide(m Mem, width int) reg.VecVirtual {
	r := e.YMM()
	e.loadWide(m, r, width)
	return r
}

// loadWide loads them to a register. To the assembler a load of fewer than eight leaves the rest of the
// register as it was, and so a register that is only loaded so is taken from the start of the
// function on: who needs many names a few for all loads.
func (e *edge) loadWide(m Mem, r reg.VecVirtual, width int) {
	switch width {
	case 8:
		e.VMOVUPS(m, r)
	case 4:
		e.VMOVUPS(m, r.AsX())
	default:
		e.VMOVSS(m, r.AsX())
	}
}

func (e *edge) storeWide(r reg.VecVirtual, m Mem, width int) {
	switch width {
	case 8:
		e.VMOVUPS(r, m)
	case 4:
		e.VMOVUPS(r.AsX(), m)
	default:
		e.VMOVSS(r.AsX(), m)
	}
}

// transpose returns the columns of four registers.
func (e *edge) transpose(r []reg.VecVirtual) []reg.VecVirtual {
	low01, high01, low23, high23 := e.XMM(), e.XMM(), e.XMM(), e.XMM()
	e.VUNPCKLPS(r[1], r[0], low01)
	e.VUNPCKHPS(r[1], r[0], high01)
	e.VUNPCKLPS(r[3], r[2], low23)
	e.VUNPCKHPS(r[3], r[2], high23)
	out := []reg.VecVirtual{e.XMM(), e.XMM(), e.XMM(), e.XMM()}
	e.VMOVLHPS(low23, low01, out[0])
	e.VMOVHLPS(low01, low23, out[1])
	e.VMOVLHPS(high23, high01, out[2])
	e.VMOVHLPS(high01, high23, out[3])
	return out
}

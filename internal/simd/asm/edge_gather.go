package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gatherForward writes a layer from rows of points to k functions; two sums take turns.
func gatherForward(c *build.Context, k int) {
	e := newEdge(c, "gatherForward", k, "dst, phi, src *float32, first *int32, w *float32, m, cols, n, ld int",
		fmt.Sprintf("\t\tdst[p,j] = phi[p,j] * sum over i in 0..m of src[i*ld+p] * w[i*cols + first[p]+j], for j in 0..%d", k))
	cols, ld := floats(c, "cols"), floats(c, "ld")
	c.Label("point")
	src, w := e.pointer("src", 1), param(c, "w")
	first := e.node()
	c.LEAQ(Mem{Base: w, Index: first, Scale: 4}, w)
	left, sums := param(c, "m"), []reg.VecVirtual{c.XMM(), c.XMM()}
	c.VXORPS(sums[0], sums[0], sums[0])
	c.VXORPS(sums[1], sums[1], sums[1])
	row := func(i int) {
		x := c.XMM()
		c.VBROADCASTSS(Mem{Base: src}, x)
		if k == 1 {
			c.VFMADD231SS(Mem{Base: w}, x, sums[i])
		} else {
			c.VFMADD231PS(e.operand(Mem{Base: w}, k), x, sums[i])
		}
		c.ADDQ(ld, src)
		c.ADDQ(cols, w)
	}
	c.SUBQ(U8(2), left)
	c.JL(LabelRef("odd"))
	c.Label("rows")
	row(0)
	row(1)
	c.SUBQ(U8(2), left)
	c.JGE(LabelRef("rows"))
	c.Label("odd")
	c.ADDQ(U8(2), left)
	c.JE(LabelRef("done"))
	row(0)
	c.Label("done")
	slot := slotOf(k)
	c.VADDPS(sums[1], sums[0], sums[0])
	c.VMULPS(e.operand(Mem{Base: e.pointer("phi", slot)}, slot), sums[0], sums[0])
	e.store(sums[0], Mem{Base: e.pointer("dst", slot)}, slot)
	e.next("point")
	c.RET()
}

// gatherBackward writes the way back of such a layer and its gradient: by four rows, all
// points after one another, for rows are often a power of two apart, and a walk down many
// of them at each point would find none in the first cache.
func gatherBackward(c *build.Context, k int) {
	e := newEdge(c, "gatherBackward", k, "back, phi, src, u, dw *float32, first *int32, w *float32, m, cols, n, ld int",
		fmt.Sprintf("\t\tback[i*ld+p] = phi[i*ld+p] * sum over j in 0..%d of w[i*cols + first[p]+j] * u[p,j], for i in 0..m", k),
		fmt.Sprintf("\t\tdw[i*cols + first[p]+j] += src[i*ld+p] * u[p,j], for i in 0..m, j in 0..%d", k))
	cols, ld := floats(c, "cols"), floats(c, "ld")
	cols3, ld3 := triple(c, cols), triple(c, ld)
	left, m := c.AllocLocal(8), param(c, "m")
	c.MOVQ(m, left)
	w, dw := param(c, "w"), param(c, "dw")
	c.SUBQ(w, dw)
	src, phi, back := param(c, "src"), param(c, "phi"), param(c, "back")
	slot := slotOf(k)
	for _, rows := range []int{4, 1} {
		loop, done, point := fmt.Sprintf("rows%d", rows), fmt.Sprintf("rows%dDone", rows), fmt.Sprintf("point%d", rows)
		c.SUBQ(U8(rows), left)
		c.JL(LabelRef(done))
		c.Label(loop)
		u := param(c, "u")
		c.XORQ(e.p, e.p)
		c.Label(point)
		x := e.load(Mem{Base: u}, slot)
		at, add := e.node(), c.GP64()
		c.LEAQ(Mem{Base: w, Index: at, Scale: 4}, at)
		c.LEAQ(Mem{Base: at, Index: dw, Scale: 1}, add)
		block := four(at, cols, cols3)[:rows]
		e.from = rows
		var sums reg.VecVirtual
		if k == 1 {
			sums = e.column(block, x)
		} else {
			sums = e.total(e.products(block, x))
		}
		values := e.load(four(phi, ld, ld3)[0], 1)
		for i := 1; i < rows; i++ {
			c.VINSERTPS(U8(0x10*i), four(phi, ld, ld3)[i], values, values)
		}
		c.VMULPS(values, sums, sums)
		for i, to := range four(back, ld, ld3)[:rows] {
			c.VEXTRACTPS(U8(i), sums, to)
		}
		for i, to := range four(add, cols, cols3)[:rows] {
			s := c.XMM()
			c.VBROADCASTSS(four(src, ld, ld3)[i], s)
			if k == 1 {
				c.VFMADD213SS(to, x, s)
			} else {
				c.VFMADD213PS(e.operand(to, k), x, s)
			}
			e.store(s, to, k)
		}
		c.ADDQ(U8(4*slot), u)
		for _, at := range []reg.GPVirtual{src, phi, back} {
			c.ADDQ(U8(4), at)
		}
		c.INCQ(e.p)
		c.CMPQ(e.p, e.count())
		c.JNE(LabelRef(point))
		c.SHLQ(U8(2), e.p) // to the first point again, rows further down
		for _, at := range []reg.GPVirtual{src, phi, back} {
			c.SUBQ(e.p, at)
			c.LEAQ(Mem{Base: at, Index: ld, Scale: uint8(rows)}, at)
		}
		c.LEAQ(Mem{Base: w, Index: cols, Scale: uint8(rows)}, w)
		c.SUBQ(U8(rows), left)
		c.JGE(LabelRef(loop))
		c.Label(done)
		c.ADDQ(U8(rows), left)
	}
	c.RET()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spreadForward writes a layer from k functions to rows of points. The sums of four points
// are put down one point after the other, then turned.
func spreadForward(c *build.Context, k int) {
	e := newEdge(c, "spreadForward", k, "dst, phi, src *float32, first *int32, w *float32, m, n, ld int",
		fmt.Sprintf("\t\tdst[j*ld+p] = phi[j*ld+p] * sum over i in 0..%d of src[p,i] * w[(first[p]+i)*m + j], for j in 0..m", k))
	table := c.AllocLocal(4 * 4 * mostEdge)
	c.Label("group")
	put, end := c.GP64(), e.group(table)
	c.LEAQ(table, put)
	c.Label("point")
	s := e.values("src")
	w, cols := e.rowsOf("w")
	at, cols3 := c.GP64(), triple(c, cols)
	e.parts("columns", param(c, "m"), at, func(width int) {
		t := c.YMM()
		for i, row := range four(w, cols, cols3)[:k] {
			if i == 0 {
				c.VMULPS(e.wide(row, width), s[i], t)
			} else {
				c.VFMADD231PS(e.wide(row, width), s[i], t)
			}
		}
		e.storeWide(t, Mem{Base: put, Index: at, Scale: 1}, width)
		c.ADDQ(U8(4*width), w)
	})
	c.ADDQ(I32(4*mostEdge), put)
	c.INCQ(e.p)
	c.CMPQ(put, end)
	c.JNE(LabelRef("point"))
	e.turn(table, end, []string{"phi", "dst"}, func(at reg.GPVirtual, r []reg.VecVirtual, lanes [][]Mem) {
		if len(r) == 4 {
			r = e.transpose(r)
		} else {
			for i := 1; i < 4; i++ {
				c.VINSERTPS(U8(0x10*i), Mem{Base: at, Disp: 4 * mostEdge * i}, r[0], r[0])
			}
		}
		for i := range r {
			c.VMULPS(lanes[0][i], r[i], r[i])
			c.VMOVUPS(r[i], lanes[1][i])
		}
	}, func(at Mem, lane []Mem) {
		t := e.load(at, 1)
		c.VMULSS(lane[0], t, t)
		c.VMOVSS(t, lane[1])
	}, true)
	c.CMPQ(e.p, e.count())
	c.JNE(LabelRef("group"))
	c.VZEROUPPER()
	c.RET()
}

// spreadBackward writes the way back of such a layer and its gradient. The cotangents of
// four points are turned and put down one point after the other.
func spreadBackward(c *build.Context, k int) {
	e := newEdge(c, "spreadBackward", k, "back, phi, src, u, dw *float32, first *int32, w *float32, m, n, ld int",
		fmt.Sprintf("\t\tback[p,i] = phi[p,i] * sum over j in 0..m of w[(first[p]+i)*m + j] * u[j*ld+p], for i in 0..%d", k),
		fmt.Sprintf("\t\tdw[(first[p]+i)*m + j] += src[p,i] * u[j*ld+p], for i in 0..%d, j in 0..m", k))
	table := c.AllocLocal(4 * 4 * mostEdge)
	c.Label("group")
	end := e.group(table)
	e.turn(table, end, []string{"u"}, func(at reg.GPVirtual, r []reg.VecVirtual, lanes [][]Mem) {
		for i := range r {
			r[i] = e.load(lanes[0][i], 4)
		}
		if len(r) == 4 {
			for i, x := range e.transpose(r) {
				c.VMOVUPS(x, Mem{Base: at, Disp: 4 * mostEdge * i})
			}
			return
		}
		for i := range 4 {
			c.VEXTRACTPS(U8(i), r[0], Mem{Base: at, Disp: 4 * mostEdge * i})
		}
	}, func(at Mem, lane []Mem) {
		c.VMOVSS(e.load(lane[0], 1), at)
	}, false)
	put := c.GP64()
	c.LEAQ(table, put)
	c.Label("point")
	s := e.values("src")
	w, cols := e.rowsOf("w")
	dw, at, cols3 := param(c, "dw"), c.GP64(), triple(c, cols)
	c.SUBQ(param(c, "w"), dw)
	var sums []reg.VecVirtual
	for range k {
		t := c.YMM()
		c.VXORPS(t, t, t)
		sums = append(sums, t)
	}
	x, t := c.YMM(), c.YMM()
	e.parts("columns", param(c, "m"), at, func(width int) {
		// Eight were put down by four: a register of eight would wait for both to be in the
		// cache.
		from := Mem{Base: put, Index: at, Scale: 1}
		e.loadWide(from, x, min(width, 4))
		if width == 8 {
			c.VINSERTF128(U8(1), from.Offset(16), x, x)
		}
		for i, row := range four(w, cols, cols3)[:k] {
			e.loadWide(row, t, width)
			c.VFMADD231PS(t, x, sums[i])
		}
		add := c.GP64()
		c.LEAQ(Mem{Base: w, Index: dw, Scale: 1}, add)
		for i, row := range four(add, cols, cols3)[:k] {
			e.loadWide(row, t, width)
			c.VFMADD231PS(x, s[i], t)
			e.storeWide(t, row, width)
		}
		c.ADDQ(U8(4*width), w)
	})
	var halves []reg.VecVirtual
	for _, t := range sums {
		high := c.XMM()
		c.VEXTRACTF128(U8(1), t, high)
		c.VADDPS(t.AsX(), high, high)
		halves = append(halves, high)
	}
	total, slot := e.total(halves), slotOf(k)
	c.VMULPS(e.operand(Mem{Base: e.pointer("phi", slot)}, slot), total, total)
	e.store(total, Mem{Base: e.pointer("back", slot)}, slot)
	c.ADDQ(I32(4*mostEdge), put)
	c.INCQ(e.p)
	c.CMPQ(put, end)
	c.JNE(LabelRef("point"))
	c.CMPQ(e.p, e.count())
	c.JNE(LabelRef("group"))
	c.VZEROUPPER()
	c.RET()
}

// values returns the layer's values at the point, each in all lanes.
func (e *edge) values(name string) []reg.VecVirtual {
	at := e.pointer(name, slotOf(e.k))
	var all []reg.VecVirtual
	for i := range e.k {
		r := e.YMM()
		e.VBROADCASTSS(Mem{Base: at, Disp: 4 * i}, r)
		all = append(all, r)
	}
	return all
}

// rowsOf returns where the point's rows of weights begin, and a row's bytes.
func (e *edge) rowsOf(name string) (at, cols reg.GPVirtual) {
	at, cols = e.node(), floats(e.Context, "m")
	e.IMULQ(cols, at)
	e.ADDQ(param(e.Context, name), at)
	return at, cols
}

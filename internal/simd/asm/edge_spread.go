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
	e.parts("columns", param(c, "m"), at, func(width int) {
		// Eight were put down by four: a register of eight would wait for both to be in the
		// cache.
		from := Mem{Base: put, Index: at, Scale: 1}
		x := e.wide(from, min(width, 4))
		if width == 8 {
			c.VINSERTF128(U8(1), from.Offset(16), x, x)
		}
		for i, row := range four(w, cols, cols3)[:k] {
			c.VFMADD231PS(e.wide(row, width), x, sums[i])
		}
		add := c.GP64()
		c.LEAQ(Mem{Base: w, Index: dw, Scale: 1}, add)
		for i, row := range four(add, cols, cols3)[:k] {
			t := e.wide(row, width)
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

// group returns the end of the table's rows for the next points, of four at most.
func (e *edge) group(table Mem) reg.GPVirtual {
	end, most := e.GP64(), e.GP64()
	e.MOVQ(e.count(), end)
	e.SUBQ(e.p, end)
	e.MOVQ(U32(4), most)
	e.CMPQ(end, most)
	e.CMOVQGT(most, end)
	e.IMUL3Q(I32(4*mostEdge), end, end)
	e.LEAQ(table, most)
	e.ADDQ(most, end)
	return end
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

// turn writes what is done to the table's values and to those of the rows of points of
// these names: whole by four points and four columns, or by four points and one; and single.
// The point is the first of the group, or with done the one behind it.
func (e *edge) turn(table Mem, end reg.GPVirtual, names []string, whole func(at reg.GPVirtual, r []reg.VecVirtual, lanes [][]Mem), single func(at Mem, lane []Mem), done bool) {
	ld, left, at, count := floats(e.Context, "ld"), param(e.Context, "m"), e.GP64(), e.GP64()
	e.LEAQ(table, at)
	e.MOVQ(end, count)
	e.SUBQ(at, count)
	e.SHRQ(U8(8), count) // points
	if 4*mostEdge != 1<<8 {
		panic("the shift is by a row of the table")
	}
	var lanes []reg.GPVirtual
	for _, name := range names {
		p := e.pointer(name, 1)
		if done {
			back := e.GP64()
			e.MOVQ(count, back)
			e.SHLQ(U8(2), back)
			e.SUBQ(back, p)
		}
		lanes = append(lanes, p)
	}
	e.CMPQ(count, U8(4))
	e.JNE(LabelRef("few"))
	ld3 := triple(e.Context, ld)
	for _, columns := range []int{4, 1} {
		loop, none := fmt.Sprintf("turn%d", columns), fmt.Sprintf("turn%dDone", columns)
		e.SUBQ(U8(columns), left)
		e.JL(LabelRef(none))
		e.Label(loop)
		var rows [][]Mem
		for _, l := range lanes {
			rows = append(rows, four(l, ld, ld3)[:columns])
		}
		r := make([]reg.VecVirtual, columns)
		if done {
			for i := range r {
				r[i] = e.load(Mem{Base: at, Disp: 4 * mostEdge * i}, columns)
			}
		}
		whole(at, r, rows)
		e.ADDQ(U8(4*columns), at)
		for _, l := range lanes {
			e.LEAQ(Mem{Base: l, Index: ld, Scale: uint8(columns)}, l)
		}
		e.SUBQ(U8(columns), left)
		e.JGE(LabelRef(loop))
		e.Label(none)
		e.ADDQ(U8(columns), left)
	}
	e.JMP(LabelRef("turned"))

	e.Label("few")
	e.LEAQ(Mem{Base: at, Index: left, Scale: 4}, left) // the end of a row
	e.Label("fewColumns")
	q, row := e.GP64(), e.GP64()
	e.XORQ(q, q)
	e.MOVQ(at, row)
	e.Label("fewPoints")
	var lane []Mem
	for _, l := range lanes {
		lane = append(lane, Mem{Base: l, Index: q, Scale: 4})
	}
	single(Mem{Base: row}, lane)
	e.ADDQ(I32(4*mostEdge), row)
	e.INCQ(q)
	e.CMPQ(q, count)
	e.JNE(LabelRef("fewPoints"))
	for _, l := range lanes {
		e.ADDQ(ld, l)
	}
	e.ADDQ(U8(4), at)
	e.CMPQ(at, left)
	e.JNE(LabelRef("fewColumns"))
	e.Label("turned")
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// outerAVX512 writes Outer for AVX-512. A tile of dw, two rows by up to seven
// columns or four by up to four, holds one register a cell, points along lanes;
// after the last point the registers of a tile are summed over lanes together.
// A larger tile would share more loads, but its sums would fill the scheduler
// and hold up the next tile's products.
func outerAVX512(c *build.Context) {
	c.Function("outerAVX512")
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"outerAVX512 computes",
		"",
		"\tfor i in 0..mi, j in 0..mj:",
		"\t\tdw[i*mj+j] += sum over p in 0..n of src[i*ld+p] * u[j*ld+p]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dw, src, u *float32, mi, mj, n, ld int)")
	o := &outer512{
		Context: c,
		dw:      param(c, "dw"), u: param(c, "u"),
		pitch: floats(c, "mj"), ld: floats(c, "ld"),
		tail: c.K(),
	}
	o.ld3 = triple(c, o.ld)
	left, bits := param(c, "n"), c.GP64()
	c.ANDQ(U8(zmmFloats-1), left)
	c.MOVQ(I32(-1), bits)
	c.BZHIQ(left, bits, bits)
	c.KMOVW(bits.As32(), o.tail)
	o.odd, o.high = o.constMask(0xcccc), o.constMask(0xff00)

	mj := param(c, "mj")
	forTiles(c, mj, tallest, balanced, func(j int) {
		bits := c.GP64()
		c.MOVQ(U32(1<<j-1), bits)
		cols := c.K()
		c.KMOVW(bits.As32(), cols)
		o.cols = cols
		o.src, o.to = param(c, "src"), c.GP64()
		c.MOVQ(o.dw, o.to)
		mi := param(c, "mi")
		rows := 2
		if j <= 4 {
			rows = 4
		}
		forTiles(c, mi, rows, paired, func(i int) { o.tile(i, j) })
		for range j {
			c.ADDQ(o.ld, o.u)
		}
		c.ADDQ(I32(4*j), o.dw)
	})
	c.VZEROUPPER()
	c.RET()
}

type outer512 struct {
	*build.Context
	dw, u          reg.GPVirtual     // of the tile's first column
	src, to        reg.GPVirtual     // of the tile's first row
	pitch, ld, ld3 reg.GPVirtual     // bytes: a row of dw, a row of src and u
	tail           reg.OpmaskVirtual // points of the last register
	cols           reg.OpmaskVirtual // columns of the tile
	odd, high      reg.OpmaskVirtual // lanes for reduction
}

func (o *outer512) constMask(m uint32) reg.OpmaskVirtual {
	bits, k := o.GP64(), o.K()
	o.MOVQ(U32(m), bits)
	o.KMOVW(bits.As32(), k)
	return k
}

// tile writes the sums of i rows by j columns and moves to the next rows.
func (o *outer512) tile(i, j int) {
	name := fmt.Sprintf("%dx%d", i, j)
	// A register of sums holds rows of eight or, if they fit, of four columns.
	width := 8
	if j <= 4 {
		width = 4
	}
	per := zmmFloats / width

	// What the sums are added to is loaded first: rows are not aligned, so a
	// load would wait for the store of the row before it.
	old := make([]reg.VecVirtual, i)
	to := o.GP64()
	o.MOVQ(o.to, to)
	for a := range old {
		old[a] = o.row(width)
		o.VMOVUPS_Z(Mem{Base: to}, o.cols, old[a])
		o.ADDQ(o.pitch, to)
	}

	acc := make([][]reg.VecVirtual, i)
	for a := range acc {
		acc[a] = make([]reg.VecVirtual, j)
		for b := range acc[a] {
			acc[a][b] = o.ZMM()
			zero512(o.Context, acc[a][b])
		}
	}
	left := param(o.Context, "n")
	s := newRows(o.Context, o.src, o.ld, o.ld3, i)
	u := newRows(o.Context, o.u, o.ld, o.ld3, j)
	o.SUBQ(U8(zmmFloats), left)
	o.JL(LabelRef("tail" + name))
	o.Label("loop" + name)
	o.products(acc, s, u, nil)
	s.step(o.Context, U8(zmmBytes))
	u.step(o.Context, U8(zmmBytes))
	o.SUBQ(U8(zmmFloats), left)
	o.JGE(LabelRef("loop" + name))
	o.Label("tail" + name)
	o.CMPQ(left, I8(-zmmFloats))
	o.JE(LabelRef("sum" + name))
	o.products(acc, s, u, o.tail)
	o.Label("sum" + name)

	for a := 0; a < i; a += per {
		var cells [zmmFloats]reg.VecVirtual
		for r := a; r < min(a+per, i); r++ {
			copy(cells[(r-a)*width:], acc[r])
		}
		sums := o.sum(cells)
		for r := a; r < min(a+per, i); r++ {
			o.VADDPS(o.part(sums, r-a, width), old[r], old[r])
			o.VMOVUPS(old[r], o.cols, Mem{Base: o.to})
			o.ADDQ(o.pitch, o.to)
		}
	}
	for range i {
		o.ADDQ(o.ld, o.src)
	}
}

// products writes acc[a][b] += s[a] * u[b] for one register of points.
func (o *outer512) products(acc [][]reg.VecVirtual, s, u rows, mask reg.Register) {
	in := make([]Op, len(acc))
	for a := range in {
		r := o.ZMM()
		if mask == nil {
			o.VMOVUPS(s.row(a), r)
		} else {
			o.VMOVUPS_Z(s.row(a), mask, r)
		}
		in[a] = r
	}
	for b := range acc[0] {
		x := o.ZMM()
		if mask == nil {
			o.VMOVUPS(u.row(b), x)
		} else {
			o.VMOVUPS_Z(u.row(b), mask, x)
		}
		for a := range acc {
			if mask == nil {
				o.VFMADD231PS(in[a], x, acc[a][b])
			} else {
				o.VFMADD231PS(in[a], x, mask, acc[a][b])
			}
		}
	}
}

// row is a register for a row of sums.
func (o *outer512) row(width int) reg.VecVirtual {
	if width == 8 {
		return o.YMM()
	}
	return o.XMM()
}

// part is row r of a register of sums.
func (o *outer512) part(sums reg.VecVirtual, r, width int) reg.Register {
	switch {
	case r == 0 && width == 8:
		return sums.AsY()
	case r == 0:
		return sums.AsX()
	case width == 8:
		part := o.YMM()
		o.VEXTRACTF64X4(U8(r), sums, part)
		return part
	default:
		part := o.XMM()
		o.VEXTRACTF32X4(U8(r), sums, part)
		return part
	}
}

// sum writes the sums over lanes of up to 16 registers into the lanes of one:
// lane n has the sum of cells[n], or anything where that is nil. Four rounds
// each halve the number of registers and the number of addends in them.
func (o *outer512) sum(cells [zmmFloats]reg.VecVirtual) reg.VecVirtual {
	rounds := []func(x, y reg.VecVirtual) reg.VecVirtual{o.foldPairs, o.foldSingles, o.foldHalves, o.foldQuarters}
	now := cells[:]
	for _, fold := range rounds {
		next := make([]reg.VecVirtual, len(now)/2)
		for i := range next {
			x, y := now[2*i], now[2*i+1]
			switch {
			case x != nil && y != nil:
				next[i] = fold(x, y)
			case x != nil:
				next[i] = fold(x, x)
			}
		}
		now = next
	}
	return now[0]
}

// foldPairs: of each four lanes, x's sums of lanes two apart, then y's.
func (o *outer512) foldPairs(x, y reg.VecVirtual) reg.VecVirtual {
	t := o.ZMM()
	o.VSHUFPD(U8(0x55), y, x, t) // x2 x3 y0 y1
	if x != y {
		o.VBLENDMPS(y, x, o.odd, x) // x0 x1 y2 y3
	}
	o.VADDPS(t, x, x)
	return x
}

// foldSingles: of each four lanes, x's two sums of neighbours, then y's.
func (o *outer512) foldSingles(x, y reg.VecVirtual) reg.VecVirtual {
	t := o.ZMM()
	o.VSHUFPS(U8(0xdd), y, x, t) // x1 x3 y1 y3
	o.VSHUFPS(U8(0x88), y, x, x) // x0 x2 y0 y2
	o.VADDPS(t, x, x)
	return x
}

// foldHalves adds the quarters two apart: x's two sums, then y's.
func (o *outer512) foldHalves(x, y reg.VecVirtual) reg.VecVirtual {
	t := o.ZMM()
	o.VSHUFF64X2(U8(0x4e), y, x, t) // x2 x3 y0 y1
	if x != y {
		o.VBLENDMPS(y, x, o.high, x) // x0 x1 y2 y3
	}
	o.VADDPS(t, x, x)
	return x
}

// foldQuarters adds neighbouring quarters: x's two sums, then y's.
func (o *outer512) foldQuarters(x, y reg.VecVirtual) reg.VecVirtual {
	t := o.ZMM()
	o.VSHUFF64X2(U8(0xdd), y, x, t) // x1 x3 y1 y3
	o.VSHUFF64X2(U8(0x88), y, x, x) // x0 x2 y0 y2
	o.VADDPS(t, x, x)
	return x
}

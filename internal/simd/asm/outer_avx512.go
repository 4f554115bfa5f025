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
// Those sums run between the next tile's first products: one after the other
// they would fill the scheduler and hold the products up.
func outerAVX512(c *build.Context) {
	c.Function("outerAVX512")
	c.Attributes(attr.NOSPLIT)
	c.Doc(outerDoc("outerAVX512")...)
	c.Pragma("noescape")
	c.SignatureExpr(outerSignature)
	o := &outer512{
		Context: c,
		u:       param(c, "u"), pitch: floats(c, "mj"), ld: floats(c, "ld"),
		first: c.K(), odd: c.K(), high: c.K(), cols: c.K(),
	}
	o.ld3 = triple(c, o.ld)
	prefetch(c, param(c, "dw"), param(c, "mi"), o.pitch)
	o.setMask(0xcccc, o.odd)
	o.setMask(0xff00, o.high)

	// The first register of points is the short one, if any is, so that the
	// loop over the others needs no mask.
	o.firstBytes = param(c, "n")
	c.DECQ(o.firstBytes)
	c.ANDQ(U8(zmmFloats-1), o.firstBytes)
	c.INCQ(o.firstBytes)
	bits := c.GP64()
	c.MOVQ(I32(-1), bits)
	c.BZHIQ(o.firstBytes, bits, bits)
	c.KMOVW(bits.As32(), o.first)
	c.SHLQ(U8(2), o.firstBytes)

	dw, left := c.AllocLocal(8), c.AllocLocal(8)
	o.to = param(c, "dw")
	c.MOVQ(o.to, dw)
	mj := param(c, "mj")
	forTiles(c, mj, widest, balanced, func(j int) {
		c.MOVQ(mj, left)
		o.setMask(1<<j-1, o.cols)
		o.src = param(c, "src")
		c.MOVQ(dw, o.to)
		o.columns(j)
		for range j {
			c.ADDQ(o.ld, o.u)
		}
		c.ADDQ(I32(4*j), dw)
		c.MOVQ(left, mj)
	})
	c.VZEROUPPER()
	c.RET()
}

const (
	zmmBytes  = 64
	zmmFloats = 16
)

// widest is the number of columns of the widest tile.
const widest = 7

type outer512 struct {
	*build.Context
	u              reg.GPVirtual     // of the tile's first column
	src            reg.GPVirtual     // of the next tile's first row
	to             reg.GPVirtual     // where the next sums go
	pitch, ld, ld3 reg.GPVirtual     // bytes: a row of dw, a row of src and u
	firstBytes     reg.GPVirtual     // bytes of the first register of points
	first          reg.OpmaskVirtual // its lanes
	cols           reg.OpmaskVirtual // columns of the tile
	odd, high      reg.OpmaskVirtual // lanes for the sums
}

func (o *outer512) setMask(m uint32, k reg.OpmaskVirtual) {
	bits := o.GP64()
	o.MOVQ(U32(m), bits)
	o.KMOVW(bits.As32(), k)
}

// cells are the accumulators of a tile, by row and column.
type cells [][]reg.VecVirtual

func (o *outer512) newCells(rows, cols int) cells {
	a := make(cells, rows)
	for i := range a {
		a[i] = make([]reg.VecVirtual, cols)
		for j := range a[i] {
			a[i][j] = o.ZMM()
		}
	}
	return a
}

// columns writes the loop over rows for j columns. Two sets of registers take
// turns: one is summed while the other is filled.
func (o *outer512) columns(j int) {
	rows := 2
	if j <= 4 {
		rows = 4
	}
	a, b := o.newCells(rows, j), o.newCells(rows, j)
	label := func(s string) string { return fmt.Sprintf("%s%d", s, j) }
	left := param(o.Context, "mi")
	turn := func(name string, full, pending cells, next string) {
		o.Label(label(name))
		o.CMPQ(left, U8(rows))
		o.JL(LabelRef(label(next)))
		o.tile(label(name), full, pending)
		o.SUBQ(U8(rows), left)
	}
	turn("start", a, nil, "rest")
	turn("even", b, a, "endA")
	turn("odd", a, b, "endB")
	o.JMP(LabelRef(label("even")))

	// Fewer rows than a tile has are left. One row still goes together with
	// the sums before it.
	end := func(name string, last, pending cells) {
		o.Label(label(name))
		if rows == 2 {
			o.TESTQ(left, left)
			o.JE(LabelRef(label("sum" + name)))
			o.tile(label(name), last[:1], pending)
			o.run(o.sums(last[:1])...)
			o.JMP(LabelRef(label("done")))
			o.Label(label("sum" + name))
		}
		o.run(o.sums(pending)...)
		o.JMP(LabelRef(label("rest")))
	}
	end("endA", b, a)
	end("endB", a, b)
	o.Label(label("rest"))
	for r := rows - 1; r >= 1; r-- {
		skip := label(fmt.Sprintf("not%d_", r))
		o.CMPQ(left, U8(r))
		o.JNE(LabelRef(skip))
		o.tile(label(fmt.Sprintf("rest%d_", r)), a[:r], nil)
		o.run(o.sums(a[:r])...)
		o.JMP(LabelRef(label("done")))
		o.Label(skip)
	}
	o.Label(label("done"))
}

// spans are the numbers of registers of points that a tile's sums may be spread
// over: the more the better, up to the latency of four rounds.
var spans = []int{6, 3, 1}

// tile writes the products of the next rows, and among the first of them the
// sums of the tile before, if any.
func (o *outer512) tile(name string, acc, before cells) {
	s := newRows(o.Context, o.src, o.ld, o.ld3, len(acc))
	u := newRows(o.Context, o.u, o.ld, o.ld3, len(acc[0]))
	for range acc {
		o.ADDQ(o.ld, o.src)
	}
	more := param(o.Context, "n")
	o.DECQ(more)
	o.SHRQ(U8(4), more)
	for _, span := range spans {
		// Nothing to spread, or no registers to keep it in for long.
		if span > 1 && before == nil || span > 3 && len(acc)*len(acc[0]) > 14 {
			continue
		}
		short := fmt.Sprintf("short%d%s", span, name)
		if span > 1 {
			o.CMPQ(more, U8(span-1))
			o.JL(LabelRef(short))
		}
		products := o.products(acc, s, u, 0, true)
		products = append(products, func() {
			s.step(o.Context, o.firstBytes)
			u.step(o.Context, o.firstBytes)
		})
		for g := range span - 1 {
			products = append(products, o.products(acc, s, u, g*zmmBytes, false)...)
		}
		o.spread(products, o.sums(before))
		if span > 1 {
			s.step(o.Context, I32((span-1)*zmmBytes))
			u.step(o.Context, I32((span-1)*zmmBytes))
			o.SUBQ(U8(span-1), more)
			o.JNE(LabelRef("loop" + name))
			o.JMP(LabelRef("end" + name))
			o.Label(short)
		}
	}
	o.TESTQ(more, more)
	o.JE(LabelRef("end" + name))
	o.Label("loop" + name)
	o.run(o.products(acc, s, u, 0, false))
	s.step(o.Context, U8(zmmBytes))
	u.step(o.Context, U8(zmmBytes))
	o.DECQ(more)
	o.JNE(LabelRef("loop" + name))
	o.Label("end" + name)
}

// products lists acc[a][b] += s[a] * u[b] for the register of points at bytes;
// the first one starts the sums and is masked.
func (o *outer512) products(acc cells, s, u rows, bytes int, first bool) []func() {
	var list []func()
	load := func(m Mem) reg.VecVirtual {
		r := o.ZMM()
		list = append(list, func() {
			if first {
				o.VMOVUPS_Z(m, o.first, r)
			} else {
				o.VMOVUPS(m, r)
			}
		})
		return r
	}
	in := make([]reg.VecVirtual, len(acc))
	for a := range in {
		in[a] = load(s.row(a).Offset(bytes))
	}
	for b := range acc[0] {
		x := load(u.row(b).Offset(bytes))
		for a := range acc {
			list = append(list, func() {
				if first {
					o.VMULPS(in[a], x, acc[a][b])
				} else {
					o.VFMADD231PS(in[a], x, acc[a][b])
				}
			})
		}
	}
	return list
}

func (o *outer512) run(lists ...[]func()) {
	for _, list := range lists {
		for _, f := range list {
			f()
		}
	}
}

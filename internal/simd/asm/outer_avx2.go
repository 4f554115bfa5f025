package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The largest tile of AVX2's Outer: twelve sums leave four of the 16 registers
// for operands.
const (
	outerRows = 3
	outerCols = 4
)

// outerAVX2 writes Outer for AVX2 with FMA. A tile of dw holds one register a
// cell, points along lanes; after the last point each row's registers are summed
// over lanes together.
func outerAVX2(c *build.Context) {
	table := maskTable(c, "outerMasks")
	c.Function("outerAVX2")
	c.Attributes(attr.NOSPLIT)
	c.Doc(outerDoc("outerAVX2")...)
	c.Pragma("noescape")
	c.SignatureExpr(outerSignature)
	o := &outer2{
		Context: c, isa: newAVX2(c, table),
		u: param(c, "u"), pitch: floats(c, "mj"), ld: floats(c, "ld"), dw: param(c, "dw"),
	}
	o.ld3 = triple(c, o.ld)
	mj := param(c, "mj")
	forTiles(c, mj, outerCols, balanced, func(cols int) {
		o.src = param(c, "src")
		o.to = c.GP64()
		c.MOVQ(o.dw, o.to)
		left := param(c, "mi")
		forTiles(c, left, outerRows, paired, func(rows int) { o.tile(rows, cols) })
		for range cols {
			c.ADDQ(o.ld, o.u)
		}
		c.ADDQ(I32(4*cols), o.dw)
	})
	c.VZEROUPPER()
	c.RET()
}

const outerSignature = "func(dw, src, u *float32, mi, mj, n, ld int)"

func outerDoc(name string) []string {
	return []string{
		name + " computes",
		"",
		"\tfor i in 0..mi, j in 0..mj:",
		"\t\tdw[i*mj+j] += sum over p in 0..n of src[i*ld+p] * u[j*ld+p]",
	}
}

type outer2 struct {
	*build.Context
	isa
	dw, u          reg.GPVirtual // of the tile's first column
	src, to        reg.GPVirtual // of the tile's first row
	pitch, ld, ld3 reg.GPVirtual // bytes: a row of dw, a row of src and u
}

// tile writes the sums of rows by cols cells and moves to the next rows.
func (o *outer2) tile(rows, cols int) {
	name := fmt.Sprintf("%dx%d", rows, cols)
	acc := make([][]reg.VecVirtual, rows)
	for a := range acc {
		acc[a] = make([]reg.VecVirtual, cols)
		for b := range acc[a] {
			acc[a][b] = o.vector()
			o.zero(acc[a][b])
		}
	}
	left := param(o.Context, "n")
	s := newRows(o.Context, o.src, o.ld, o.ld3, rows)
	u := newRows(o.Context, o.u, o.ld, o.ld3, cols)
	o.SUBQ(U8(o.lanes()), left)
	o.JL(LabelRef("tail" + name))
	o.Label("loop" + name)
	in := make([]reg.VecVirtual, rows)
	for a := range in {
		in[a] = o.vector()
		o.VMOVUPS(s.row(a), in[a])
	}
	for b := range cols {
		x := o.vector()
		o.VMOVUPS(u.row(b), x)
		for a := range acc {
			o.VFMADD231PS(in[a], x, acc[a][b])
		}
	}
	s.step(o.Context, U8(bytes(o)))
	u.step(o.Context, U8(bytes(o)))
	o.SUBQ(U8(o.lanes()), left)
	o.JGE(LabelRef("loop" + name))

	// The last points go a row at a time: the mask needs a register too.
	o.Label("tail" + name)
	o.ADDQ(U8(o.lanes()), left)
	o.JE(LabelRef("sum" + name))
	o.mask(left)
	for a := range acc {
		y, x := o.vector(), o.vector()
		o.loadMasked(s.row(a), 0, y)
		for b := range acc[a] {
			o.loadMasked(u.row(b), 0, x)
			o.VFMADD231PS(y, x, acc[a][b])
		}
	}
	o.Label("sum" + name)
	for a := range acc {
		o.add(o.sum(acc[a]), cols)
		o.ADDQ(o.pitch, o.to)
		o.ADDQ(o.ld, o.src)
	}
}

// sum sums up to four registers over lanes into the lanes of one of half the
// size; lanes past their number hold anything.
func (o *outer2) sum(row []reg.VecVirtual) reg.VecVirtual {
	last := len(row) - 1
	x, y := o.fold(row[0], row[min(1, last)]), row[0]
	if last > 1 {
		y = o.fold(row[2], row[min(3, last)])
	}
	x = o.fold(x, y)
	high := o.XMM()
	o.VEXTRACTF128(U8(1), x, high)
	sum := x.AsX().(reg.VecVirtual)
	o.VADDPS(high, sum, sum)
	return sum
}

// fold adds neighbours: of each four lanes, x's two sums, then y's.
func (o *outer2) fold(x, y reg.VecVirtual) reg.VecVirtual {
	t := o.YMM()
	o.VSHUFPS(U8(0xdd), y, x, t) // x1 x3 y1 y3
	o.VSHUFPS(U8(0x88), y, x, x) // x0 x2 y0 y2
	o.VADDPS(t, x, x)
	return x
}

// add writes to[b] += sums[b] for b < cols, touching nothing else.
func (o *outer2) add(sums reg.VecVirtual, cols int) {
	at := Mem{Base: o.to}
	switch cols {
	case 4:
		o.VADDPS(at, sums, sums)
		o.VMOVUPS(sums, at)
	case 1:
		o.VADDSS(at, sums, sums)
		o.VMOVSS(sums, at)
	default:
		old := o.XMM()
		o.VMOVSD(at, old)
		if cols == 3 {
			o.VINSERTPS(U8(2<<4), at.Offset(8), old, old)
		}
		o.VADDPS(old, sums, sums)
		o.VMOVLPS(sums, at)
		if cols == 3 {
			o.VEXTRACTPS(U8(2), sums, at.Offset(8))
		}
	}
}

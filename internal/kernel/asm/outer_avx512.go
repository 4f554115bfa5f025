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

// starts and ends are where in a list of products each round of the sums goes.
// A round waits for the one before; the later rounds have less to overlap that
// with and wait longer, for their shuffles cross the register.
var (
	starts = []float64{0, 0.33, 0.60, 0.80, 0.95}
	ends   = []float64{0.33, 0.55, 0.70, 0.88, 1}
)

// spread runs products, and the rounds of sums spread out among them.
func (o *outer512) spread(products []func(), rounds [][]func()) {
	at := make([][]func(), len(products)+1)
	for r, round := range rounds {
		for i, f := range round {
			place := starts[r] + (ends[r]-starts[r])*float64(i+1)/float64(len(round))
			k := int(place * float64(len(products)))
			at[k] = append(at[k], f)
		}
	}
	for i, f := range products {
		o.run(at[i])
		f()
	}
	o.run(at[len(products)])
}

// sums lists the rounds of summing a tile's registers over lanes, and last the
// sums' addition to dw.
func (o *outer512) sums(acc cells) [][]func() {
	if acc == nil {
		return nil
	}
	// A register of sums holds rows of eight or, if they fit, of four columns.
	width := 8
	if len(acc[0]) <= 4 {
		width = 4
	}
	var flat [zmmFloats]reg.VecVirtual
	for r := range acc {
		copy(flat[r*width:], acc[r])
	}
	sums, rounds := o.sum(flat)
	var last []func()
	for r := range acc {
		old := o.row(width)
		last = append(last,
			func() { o.VMOVUPS_Z(Mem{Base: o.to}, o.cols, old) },
			func() { o.VADDPS(o.part(sums, r, width), old, old) },
			func() { o.store(old, len(acc[0])) },
			func() { o.ADDQ(o.pitch, o.to) },
		)
	}
	return append(rounds, last)
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

// store writes the first j lanes of a row to memory, without a mask where rows
// are likely to touch: a load near a masked store waits for it as if the whole
// register had been stored.
func (o *outer512) store(row reg.VecVirtual, j int) {
	to := Mem{Base: o.to}
	switch {
	case j == widest:
		o.VMOVUPS(row, o.cols, to)
	case j > 4:
		o.VMOVUPS(row.AsX(), to)
		high := o.YMM()
		o.VALIGND(U8(j-4), row, row, high)
		o.VMOVUPS(high.AsX(), to.Offset(4*(j-4)))
	case j == 4:
		o.VMOVUPS(row, to)
	case j == 1:
		o.VMOVSS(row, to)
	default:
		o.VMOVLPS(row, to)
		if j == 3 {
			o.VEXTRACTPS(U8(2), row, to.Offset(8))
		}
	}
}

// sum lists the sums over lanes of up to 16 registers into the lanes of one:
// lane n has the sum of register n, or anything where that is nil. Four rounds
// each halve the number of registers and the number of addends in them.
func (o *outer512) sum(regs [zmmFloats]reg.VecVirtual) (reg.VecVirtual, [][]func()) {
	var rounds [][]func()
	now := regs[:]
	for _, fold := range []func(x, y reg.VecVirtual) []func(){o.foldPairs, o.foldSingles, o.foldHalves, o.foldQuarters} {
		var round []func()
		next := make([]reg.VecVirtual, len(now)/2)
		for i := range next {
			x, y := now[2*i], now[2*i+1]
			if x == nil {
				continue
			}
			if y == nil {
				y = x
			}
			round = append(round, fold(x, y)...)
			next[i] = x
		}
		now = next
		rounds = append(rounds, round)
	}
	return now[0], rounds
}

// foldPairs: of each four lanes, x's sums of lanes two apart, then y's.
func (o *outer512) foldPairs(x, y reg.VecVirtual) []func() {
	t := o.ZMM()
	return []func(){
		func() { o.VSHUFPD(U8(0x55), y, x, t) }, // x2 x3 y0 y1
		func() { o.blend(y, o.odd, x) },         // x0 x1 y2 y3
		func() { o.VADDPS(t, x, x) },
	}
}

// foldSingles: of each four lanes, x's two sums of neighbours, then y's.
func (o *outer512) foldSingles(x, y reg.VecVirtual) []func() {
	t := o.ZMM()
	return []func(){
		func() { o.VSHUFPS(U8(0xdd), y, x, t) }, // x1 x3 y1 y3
		func() { o.VSHUFPS(U8(0x88), y, x, x) }, // x0 x2 y0 y2
		func() { o.VADDPS(t, x, x) },
	}
}

// foldHalves adds the quarters two apart: x's two sums, then y's.
func (o *outer512) foldHalves(x, y reg.VecVirtual) []func() {
	t := o.ZMM()
	return []func(){
		func() { o.VSHUFF64X2(U8(0x4e), y, x, t) }, // x2 x3 y0 y1
		func() { o.blend(y, o.high, x) },           // x0 x1 y2 y3
		func() { o.VADDPS(t, x, x) },
	}
}

// foldQuarters adds neighbouring quarters: x's two sums, then y's.
func (o *outer512) foldQuarters(x, y reg.VecVirtual) []func() {
	t := o.ZMM()
	return []func(){
		func() { o.VSHUFF64X2(U8(0xdd), y, x, t) }, // x1 x3 y1 y3
		func() { o.VSHUFF64X2(U8(0x88), y, x, x) }, // x0 x2 y0 y2
		func() { o.VADDPS(t, x, x) },
	}
}

// blend writes y's lanes of a mask into x.
func (o *outer512) blend(y reg.VecVirtual, k reg.OpmaskVirtual, x reg.VecVirtual) {
	if x != y {
		o.VBLENDMPS(y, x, k, x)
	}
}

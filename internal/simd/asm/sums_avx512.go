package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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

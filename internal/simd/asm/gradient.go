package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gradientRows lists, by number of nodes, the rows of weights whose sums are taken
// together: sixteen sums at most, which end up in the lanes of one register.
var gradientRows = map[int]int{2: 2, 3: 3, 4: 4, 5: 3, 6: 2, 7: 2}

// shortTile is the number of points that a gradient takes at most; in Go it has
// the same name.
const shortTile = 32

// gradientsAVX512 writes the gradients of all widths.
func gradientsAVX512() []func(*build.Context) {
	var all []func(*build.Context)
	for m := 2; gradientRows[m] > 0; m++ {
		all = append(all, func(c *build.Context) { writeGradient(c, m) })
	}
	return all
}

// gradient writes the gradients by the weights of layers that have m nodes before
// and behind, over a tile so short that it needs no loop: without one, the sums
// over lanes of a layer overlap with the products of the next.
type gradient struct {
	outer512
	m      int
	link   reg.GPVirtual
	at     reg.GPVirtual // dw of the layer
	lanes  []reg.OpmaskVirtual
	masked bool
}

func writeGradient(c *build.Context, m int) {
	name := fmt.Sprintf("gradient%dAVX512", m)
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(name+" computes, from the last link backwards,", "",
		"\tfor each of count links:",
		fmt.Sprintf("\t\touter(dw[w:], states[src*ld:], u, %d, %d, n, ld)", m, m),
		"\t\tu += step", "",
		fmt.Sprintf("for n up to %d.", shortTile))
	c.Pragma("noescape")
	c.SignatureExpr("func(links *int64, count int, dw, u *float32, step int, states *float32, n, ld int)")
	g := &gradient{m: m, outer512: outer512{Context: c, ld: floats(c, "ld"), odd: c.K(), high: c.K(), u: param(c, "u")}}
	g.ld3 = triple(c, g.ld)
	g.setMask(0xcccc, g.odd)
	g.setMask(0xff00, g.high)
	g.link, g.at = param(c, "links"), c.GP64()
	n, count := param(c, "n"), param(c, "count")
	c.CMPQ(n, U8(shortTile))
	c.JNE(LabelRef("rest"))
	g.loop("full", count)
	c.Label("rest")
	g.lanes = lanesLeft(c, n, shortTile/zmmFloats)
	g.masked = true
	g.loop("masked", count)
}

// lanesLeft writes the masks of the registers that hold the last left points, and
// uses left up.
func lanesLeft(c *build.Context, left reg.GPVirtual, registers int) []reg.OpmaskVirtual {
	bits, none := c.GP64(), c.GP64()
	var lanes []reg.OpmaskVirtual
	c.XORQ(none, none)
	for range registers {
		k := c.K()
		c.MOVQ(I32(-1), bits)
		c.BZHIQ(left, bits, bits) // all ones from 64 on
		c.KMOVW(bits.As32(), k)
		lanes = append(lanes, k)
		c.SUBQ(I32(zmmFloats), left)
		c.CMOVQLT(none, left)
	}
	return lanes
}

func (g *gradient) loop(name string, count reg.GPVirtual) {
	g.Label(name)
	src, base := g.GP64(), param(g.Context, "states")
	g.MOVLQSX(Mem{Base: g.link, Disp: linkSrc}, src)
	g.IMULQ(g.ld, src)
	g.ADDQ(base, src)
	base = param(g.Context, "dw")
	g.MOVQ(Mem{Base: g.link, Disp: linkW}, g.at)
	g.LEAQ(Mem{Base: base, Index: g.at, Scale: 4}, g.at)
	prefetchWeights(g.Context, g.at, g.m, -linkSize)
	s := newRows(g.Context, src, g.ld, g.ld3, g.m)
	u := newRows(g.Context, g.u, g.ld, g.ld3, g.m)
	var pending [][]func()
	for row := 0; row < g.m; row += gradientRows[g.m] {
		acc := g.newCells(min(gradientRows[g.m], g.m-row), g.m)
		g.spread(g.products(acc, s, u, row), pending)
		pending = g.sums(acc, row)
	}
	g.run(pending...)
	g.ADDQ(floats(g.Context, "step"), g.u)
	g.SUBQ(U8(linkSize), g.link)
	g.DECQ(count)
	g.JNE(LabelRef(name))
	g.VZEROUPPER()
	g.RET()
}

// products lists the products of rows from row on with all columns.
func (g *gradient) products(acc cells, s, u rows, row int) []func() {
	var list []func()
	load := func(m Mem, b int) reg.VecVirtual {
		r := g.ZMM()
		list = append(list, func() {
			if g.masked {
				g.VMOVUPS_Z(m, g.lanes[b], r)
			} else {
				g.VMOVUPS(m, r)
			}
		})
		return r
	}
	for b := range shortTile / zmmFloats {
		in := make([]reg.VecVirtual, len(acc))
		for a := range in {
			in[a] = load(s.row(row+a).Offset(b*zmmBytes), b)
		}
		for j := range acc[0] {
			x := load(u.row(j).Offset(b*zmmBytes), b)
			for a := range acc {
				list = append(list, func() {
					if b == 0 {
						g.VMULPS(in[a], x, acc[a][j])
					} else {
						g.VFMADD231PS(in[a], x, acc[a][j])
					}
				})
			}
		}
	}
	return list
}

// sums lists the rounds of summing a tile over lanes and of adding the sums to dw,
// where rows of all columns lie one after the other.
func (g *gradient) sums(acc cells, row int) [][]func() {
	var flat [zmmFloats]reg.VecVirtual
	for i, r := range acc {
		copy(flat[i*g.m:], r)
	}
	sums, rounds := g.sum(flat)
	var last []func()
	cells := len(acc) * g.m
	for size, at := zmmFloats, 0; size > 0; size /= 2 {
		if cells&size > 0 {
			from := at
			last = append(last, func() { g.add(sums, from, size, Mem{Base: g.at, Disp: 4 * (row*g.m + from)}) })
			at += size
		}
	}
	return append(rounds, last)
}

// add writes the addition of size sums from lane at on to memory. Pieces of a
// power of two touch none of the memory around them, as a mask would: a load near
// a store waits for it as if both were whole registers.
func (g *gradient) add(sums reg.VecVirtual, at, size int, to Mem) {
	part := sums
	switch {
	case at == 0:
	case size == 8:
		part = g.ZMM()
		g.VEXTRACTF32X8(U8(at/8), sums, part.AsY())
	default:
		part = g.ZMM()
		g.VEXTRACTF32X4(U8(at/4), sums, part.AsX())
		if at%4 > 0 {
			g.VPERMILPS(U8(at%4), part.AsX(), part.AsX())
		}
	}
	now := g.ZMM() // not in place, for the registers' other parts are still needed
	switch size {
	case 16:
		g.VADDPS(to, part, now)
		g.VMOVUPS(now, to)
	case 8:
		g.VADDPS(to, part.AsY(), now.AsY())
		g.VMOVUPS(now.AsY(), to)
	case 4:
		g.VADDPS(to, part.AsX(), now.AsX())
		g.VMOVUPS(now.AsX(), to)
	case 2:
		g.VMOVSD(to, now.AsX())
		g.VADDPS(now.AsX(), part.AsX(), now.AsX())
		g.VMOVLPS(now.AsX(), to)
	case 1:
		g.VADDSS(to, part.AsX(), now.AsX())
		g.VMOVSS(now.AsX(), to)
	}
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func layerAVX512(c *build.Context) {
	// Seven outputs by four registers of points leave four of the 32 registers
	// for operands, and seven divides 21, the width that matters most.
	layer(c, newAVX512(c), []layerTile{{1, 8}, {2, 4}, {3, 4}, {4, 4}, {5, 4}, {6, 4}, {7, 4}})
}

func layerAVX2(c *build.Context) {
	layer(c, newAVX2(c, maskTable(c, "layerMasks")), []layerTile{{1, 8}, {2, 4}, {3, 4}, {4, 2}, {5, 2}, {6, 2}})
}

// A layerTile is a number of outputs and of registers of points whose sums are
// kept in registers together. Eight sums or more keep the multipliers busy.
type layerTile struct{ outputs, wide int }

// layer writes Layer. The outputs are cut into tiles; a tile goes through the
// points in blocks, and holds a block's sums in registers while it walks the
// inputs. tiles lists one for each number of outputs, from 1.
func layer(c *build.Context, x isa, tiles []layerTile) {
	name := "layer" + x.name()
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		name+" computes",
		"",
		"\tfor j in 0..mj, p in 0..n:",
		"\t\tdst[j*ld+p] = phi[j*ld+p] * sum over i in 0..mi of w[i*wi+j*wj] * src[i*ld+p]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, phi, w, src *float32, wi, wj, mi, mj, n, ld int)")
	l := &layerWriter{
		Context: c, isa: x,
		dst: param(c, "dst"), phi: param(c, "phi"), w: param(c, "w"), src: param(c, "src"),
		wi: floats(c, "wi"), wj: floats(c, "wj"), ld: floats(c, "ld"),
		left: c.GP64(), off: c.GP64(),
	}
	l.wj3 = triple(c, l.wj)
	mj := param(c, "mj")
	forTiles(c, mj, len(tiles), balanced, func(j int) {
		l.tile(tiles[j-1])
		for range j {
			c.ADDQ(l.ld, l.dst)
			c.ADDQ(l.ld, l.phi)
			c.ADDQ(l.wj, l.w)
		}
	})
	c.VZEROUPPER()
	c.RET()
}

type layerWriter struct {
	*build.Context
	isa
	dst, phi, w, src reg.GPVirtual // of the tile's first output
	wi, wj, wj3, ld  reg.GPVirtual // bytes
	left, off        reg.GPVirtual // points left, bytes done
}

// tile writes the loop over points: blocks of the tile's width, then, for what
// is left, blocks of what a mask can cover, full and not.
func (l *layerWriter) tile(t layerTile) {
	j := t.outputs
	full, half, tail, done := fmt.Sprintf("full%d", j), fmt.Sprintf("half%d", j), fmt.Sprintf("tail%d", j), fmt.Sprintf("done%d", j)
	l.Load(l.Param("n"), l.left)
	l.XORQ(l.off, l.off)
	next := func(again string, points int) {
		l.ADDQ(I32(4*points), l.off)
		l.SUBQ(I32(points), l.left)
		l.JMP(LabelRef(again))
	}
	l.Label(full)
	l.CMPQ(l.left, I32(t.wide*l.lanes()))
	l.JL(LabelRef(half))
	l.block(j, t.wide, false)
	next(full, t.wide*l.lanes())
	l.Label(half)
	l.CMPQ(l.left, I32(l.maskable()))
	l.JL(LabelRef(tail))
	l.block(j, l.maskable()/l.lanes(), false)
	next(half, l.maskable())
	l.Label(tail)
	l.TESTQ(l.left, l.left)
	l.JE(LabelRef(done))
	l.mask(l.left)
	l.block(j, l.maskable()/l.lanes(), true)
	l.Label(done)
}

// block writes the sums of j outputs at wide registers of points.
func (l *layerWriter) block(j, wide int, masked bool) {
	name := fmt.Sprintf("%dx%d", j, wide)
	if masked {
		name += "masked"
	}
	acc := make([][]reg.VecVirtual, j)
	for a := range acc {
		acc[a] = make([]reg.VecVirtual, wide)
		for b := range acc[a] {
			acc[a][b] = l.vector()
			l.zero(acc[a][b])
		}
	}
	src, i := l.GP64(), l.GP64()
	l.MOVQ(l.src, src)
	l.ADDQ(l.off, src)
	w := newRows(l.Context, l.w, l.wj, l.wj3, j)
	l.Load(l.Param("mi"), i)
	l.TESTQ(i, i)
	l.JE(LabelRef("end" + name))
	l.Label("loop" + name)
	in := make([]Op, wide)
	for b := range in {
		m := Mem{Base: src, Disp: b * bytes(l)}
		switch {
		case masked:
			r := l.vector()
			l.loadMasked(m, b, r)
			in[b] = r
		case b == wide-1 && j*wide+wide+1 > l.registers():
			in[b] = m // registers are short: the last column stays in memory
		default:
			r := l.vector()
			l.VMOVUPS(m, r)
			in[b] = r
		}
	}
	for a := range acc {
		x := l.vector()
		l.VBROADCASTSS(w.row(a), x)
		for b := range acc[a] {
			l.VFMADD231PS(in[b], x, acc[a][b])
		}
	}
	l.ADDQ(l.ld, src)
	w.step(l.Context, l.wi)
	l.DECQ(i)
	l.JNE(LabelRef("loop" + name))
	l.Label("end" + name)

	phi, dst := l.GP64(), l.GP64()
	l.MOVQ(l.phi, phi)
	l.ADDQ(l.off, phi)
	l.MOVQ(l.dst, dst)
	l.ADDQ(l.off, dst)
	for a := range acc {
		for b, r := range acc[a] {
			from, to := Mem{Base: phi, Disp: b * bytes(l)}, Mem{Base: dst, Disp: b * bytes(l)}
			if masked {
				l.mulMasked(from, b, r)
				l.storeMasked(r, b, to)
				continue
			}
			l.VMULPS(from, r, r)
			l.VMOVUPS(r, to)
		}
		if a < j-1 {
			l.ADDQ(l.ld, phi)
			l.ADDQ(l.ld, dst)
		}
	}
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	zmmBytes  = 64
	zmmFloats = 16

	// tallest is the number of outputs of the largest tile. Seven outputs by
	// four registers of points leave four of the 32 registers for operands, and
	// seven divides 21, the width that matters most.
	tallest = 7
)

// layerAVX512 writes Layer for AVX-512. The outputs are cut into tiles of up to
// seven; a tile goes through the points in blocks, and holds a block's sums in
// registers while it walks the inputs.
func layerAVX512(c *build.Context) {
	c.Function("layerAVX512")
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"layerAVX512 computes",
		"",
		"\tfor j in 0..mj, p in 0..n:",
		"\t\tdst[j*ld+p] = phi[j*ld+p] * sum over i in 0..mi of w[i*wi+j*wj] * src[i*ld+p]",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(dst, phi, w, src *float32, wi, wj, mi, mj, n, ld int)")
	l := &layer512{
		Context: c,
		dst:     param(c, "dst"), phi: param(c, "phi"), w: param(c, "w"), src: param(c, "src"),
		wi: floats(c, "wi"), wj: floats(c, "wj"), ld: floats(c, "ld"),
		left: c.GP64(), off: c.GP64(),
	}
	l.wj3 = triple(c, l.wj)
	mj := param(c, "mj")
	forTiles(c, mj, tallest, balanced, func(j int) {
		l.tile(j)
		for range j {
			c.ADDQ(l.ld, l.dst)
			c.ADDQ(l.ld, l.phi)
			c.ADDQ(l.wj, l.w)
		}
	})
	c.VZEROUPPER()
	c.RET()
}

type layer512 struct {
	*build.Context
	dst, phi, w, src reg.GPVirtual // of the tile's first output
	wi, wj, wj3, ld  reg.GPVirtual // bytes
	left, off        reg.GPVirtual // points left, bytes done
}

// tile writes the loop over points for j outputs.
func (l *layer512) tile(j int) {
	wide := 4
	if j == 1 {
		wide = 8 // four chains of FMA would wait for each other
	}
	full, tail, done := fmt.Sprintf("full%d", j), fmt.Sprintf("tail%d", j), fmt.Sprintf("done%d", j)
	l.Load(l.Param("n"), l.left)
	l.XORQ(l.off, l.off)
	l.Label(full)
	l.CMPQ(l.left, U8(wide*zmmFloats-1))
	l.JLE(LabelRef(tail))
	l.block(j, wide, nil)
	l.ADDQ(I32(wide*zmmBytes), l.off)
	l.SUBQ(I32(wide*zmmFloats), l.left)
	l.JMP(LabelRef(full))

	// The rest goes two registers at a time, masked.
	l.Label(tail)
	l.TESTQ(l.left, l.left)
	l.JLE(LabelRef(done))
	bits := l.GP64()
	l.MOVQ(I32(-1), bits)
	l.BZHIQ(l.left, bits, bits)
	masks := []reg.OpmaskVirtual{l.K(), l.K()}
	l.KMOVW(bits.As32(), masks[0])
	l.SHRQ(U8(zmmFloats), bits)
	l.KMOVW(bits.As32(), masks[1])
	l.block(j, len(masks), masks)
	l.ADDQ(I32(len(masks)*zmmBytes), l.off)
	l.SUBQ(I32(len(masks)*zmmFloats), l.left)
	l.JMP(LabelRef(tail))
	l.Label(done)
}

// block writes the sums of j outputs at wide registers of points, under masks
// if there are any.
func (l *layer512) block(j, wide int, masks []reg.OpmaskVirtual) {
	kind := "block"
	if masks != nil {
		kind = "masked"
	}
	loop, end := fmt.Sprintf("%s%d", kind, j), fmt.Sprintf("%send%d", kind, j)
	acc := make([][]reg.VecVirtual, j)
	for a := range acc {
		acc[a] = make([]reg.VecVirtual, wide)
		for b := range acc[a] {
			acc[a][b] = l.ZMM()
			zero512(l.Context, acc[a][b])
		}
	}
	src, i := l.GP64(), l.GP64()
	l.MOVQ(l.src, src)
	l.ADDQ(l.off, src)
	w := newRows(l.Context, l.w, l.wj, l.wj3, j)
	l.Load(l.Param("mi"), i)
	l.TESTQ(i, i)
	l.JLE(LabelRef(end))
	l.Label(loop)
	in := make([]Op, wide)
	for b := range in {
		m := Mem{Base: src, Disp: b * zmmBytes}
		// Where registers are short the last column stays in memory.
		if masks == nil && b == wide-1 && j == tallest {
			in[b] = m
			continue
		}
		r := l.ZMM()
		l.load(m, masks, b, r)
		in[b] = r
	}
	for a := range acc {
		x := l.ZMM()
		l.VBROADCASTSS(w.row(a), x)
		for b := range acc[a] {
			l.VFMADD231PS(in[b], x, acc[a][b])
		}
	}
	l.ADDQ(l.ld, src)
	w.step(l.Context, l.wi)
	l.DECQ(i)
	l.JNE(LabelRef(loop))
	l.Label(end)

	phi, dst := l.GP64(), l.GP64()
	l.MOVQ(l.phi, phi)
	l.ADDQ(l.off, phi)
	l.MOVQ(l.dst, dst)
	l.ADDQ(l.off, dst)
	for a := range acc {
		for b := range acc[a] {
			at := Mem{Base: phi, Disp: b * zmmBytes}
			to := Mem{Base: dst, Disp: b * zmmBytes}
			if masks == nil {
				l.VMULPS(at, acc[a][b], acc[a][b])
				l.VMOVUPS(acc[a][b], to)
				continue
			}
			l.VMULPS_Z(at, acc[a][b], masks[b], acc[a][b])
			l.VMOVUPS(acc[a][b], masks[b], to)
		}
		if a < j-1 {
			l.ADDQ(l.ld, phi)
			l.ADDQ(l.ld, dst)
		}
	}
}

// load loads a register of points, zero where mask b is clear.
func (l *layer512) load(m Mem, masks []reg.OpmaskVirtual, b int, to reg.VecVirtual) {
	if masks == nil {
		l.VMOVUPS(m, to)
		return
	}
	l.VMOVUPS_Z(m, masks[b], to)
}

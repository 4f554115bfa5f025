package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweepWide lists, by number of nodes, the registers of points that a sweep takes
// through its layers together: states and sums of all nodes are to stay in
// registers, and eight sums or more keep the multipliers busy.
var sweepWide = map[int]int{2: 4, 3: 4, 4: 3, 5: 2, 6: 2, 7: 2}

// sweepsAVX512 writes the sweeps of all widths, forward and backward.
func sweepsAVX512() []func(*build.Context) {
	var all []func(*build.Context)
	for m := 2; sweepWide[m] > 0; m++ {
		for _, backward := range []bool{false, true} {
			all = append(all, func(c *build.Context) { newSweep(c, m, backward).write() })
		}
	}
	return all
}

// sweep writes a pass through layers that have m nodes before and behind. A block
// of points goes through all layers before the next block starts, its states in
// registers: what a layer of few nodes would wait for is mostly its own memory.
type sweep struct {
	*build.Context
	m, wide  int
	backward bool
	name     string

	link, count        reg.GPVirtual // of the block
	dst, phi, w        reg.GPVirtual // of the layer, at the block
	ld, ld3, off, left reg.GPVirtual
	lanes              []reg.OpmaskVirtual // of the last block
	masked             bool
	state, sums        [][]reg.VecVirtual // [m][wide]
}

func newSweep(c *build.Context, m int, backward bool) *sweep {
	s := &sweep{Context: c, m: m, wide: sweepWide[m], backward: backward}
	s.name = fmt.Sprintf("sweepForward%dAVX512", m)
	if backward {
		s.name = fmt.Sprintf("sweepBackward%dAVX512", m)
	}
	return s
}

// Offsets of the fields of a link, and its size.
const (
	linkW, linkSrc, linkPhi, linkBefore = 0, 16, 24, 28
	linkSize                            = 32
)

func (s *sweep) write() {
	c, m := s.Context, s.m
	c.Function(s.name)
	c.Attributes(attr.NOSPLIT)
	if s.backward {
		c.Doc(s.name+" computes, from the last link backwards,", "",
			"\tfor each of count links:",
			fmt.Sprintf("\t\tlayer(dst, phi[before*ld:], w[w:], src, 1, %d, %d, %d, n, ld)", m, m, m),
			"\t\tsrc = dst",
			"\t\tdst += step")
	} else {
		c.Doc(s.name+" computes", "",
			"\tfor each of count links:",
			fmt.Sprintf("\t\tlayer(dst, phi[phi*ld:], w[w:], src, %d, 1, %d, %d, n, ld)", m, m, m),
			"\t\tsrc = dst",
			"\t\tdst += step")
	}
	c.Pragma("noescape")
	c.SignatureExpr("func(links *int64, count int, dst *float32, step int, src, phi, w *float32, n, ld int)")
	s.ld = floats(c, "ld")
	s.ld3 = triple(c, s.ld)
	s.off, s.left = c.GP64(), param(c, "n")
	s.link, s.count, s.dst, s.phi, s.w = c.GP64(), c.GP64(), c.GP64(), c.GP64(), c.GP64()
	s.state, s.sums = s.registers(), s.registers()
	c.XORQ(s.off, s.off)
	c.Label("block")
	c.CMPQ(s.left, I32(16*s.wide))
	c.JL(LabelRef("rest"))
	s.block("Full")
	c.ADDQ(I32(64*s.wide), s.off)
	c.SUBQ(I32(16*s.wide), s.left)
	c.JMP(LabelRef("block"))
	c.Label("rest")
	c.TESTQ(s.left, s.left)
	c.JE(LabelRef("done"))
	s.lanes = lanesLeft(c, s.left, s.wide)
	s.masked = true
	s.block("Rest")
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

func (s *sweep) registers() [][]reg.VecVirtual {
	r := make([][]reg.VecVirtual, s.m)
	for i := range r {
		for range s.wide {
			r[i] = append(r[i], s.ZMM())
		}
	}
	return r
}

// block writes the way of a block of points through all layers, two a turn: what
// were the sums of one are the states of the next.
func (s *sweep) block(name string) {
	s.Load(s.Param("links"), s.link)
	s.Load(s.Param("count"), s.count)
	s.Load(s.Param("dst"), s.dst)
	s.ADDQ(s.off, s.dst)
	src := s.GP64()
	s.Load(s.Param("src"), src)
	s.ADDQ(s.off, src)
	at := newRows(s.Context, src, s.ld, s.ld3, s.m)
	for i, row := range s.state {
		for b, r := range row {
			s.load(at.row(i).Offset(64*b), b, r)
		}
	}
	s.Label("turn" + name)
	s.layer(s.state, s.sums)
	s.DECQ(s.count)
	s.JE(LabelRef("end" + name))
	s.layer(s.sums, s.state)
	s.DECQ(s.count)
	s.JNE(LabelRef("turn" + name))
	s.Label("end" + name)
}

func (s *sweep) load(from Mem, b int, to reg.VecVirtual) {
	if s.masked {
		s.VMOVUPS_Z(from, s.lanes[b], to)
	} else {
		s.VMOVUPS(from, to)
	}
}

// layer writes one layer: in to out, and out to memory.
func (s *sweep) layer(in, out [][]reg.VecVirtual) {
	row, step, wi, wj := linkPhi, linkSize, s.m, 1
	if s.backward {
		row, step, wi, wj = linkBefore, -linkSize, 1, s.m
	}
	s.Load(s.Param("w"), s.w)
	offset := s.GP64()
	s.MOVQ(Mem{Base: s.link, Disp: linkW}, offset)
	s.LEAQ(Mem{Base: s.w, Index: offset, Scale: 4}, s.w)
	s.MOVLQSX(Mem{Base: s.link, Disp: row}, s.phi)
	s.IMULQ(s.ld, s.phi)
	s.ADDQ(s.off, s.phi)
	base := s.GP64()
	s.Load(s.Param("phi"), base)
	s.ADDQ(base, s.phi)
	if !s.masked {
		s.prefetch(row, step, base)
		prefetchWeights(s.Context, s.w, s.m, step)
	}
	for i := range in {
		for j := range out {
			x := s.ZMM()
			s.VBROADCASTSS(Mem{Base: s.w, Disp: 4 * (i*wi + j*wj)}, x)
			for b := range out[j] {
				if i == 0 {
					s.VMULPS(in[i][b], x, out[j][b])
				} else {
					s.VFMADD231PS(in[i][b], x, out[j][b])
				}
			}
		}
	}
	phi := newRows(s.Context, s.phi, s.ld, s.ld3, s.m)
	dst := newRows(s.Context, s.dst, s.ld, s.ld3, s.m)
	for j := range out {
		for b, r := range out[j] {
			from, to := phi.row(j).Offset(64*b), dst.row(j).Offset(64*b)
			if s.masked {
				s.VMULPS_Z(from, r, s.lanes[b], r)
				s.VMOVUPS(r, s.lanes[b], to)
			} else {
				s.VMULPS(from, r, r)
				s.VMOVUPS(r, to)
			}
		}
	}
	move := s.GP64()
	s.ADDQ(I32(step), s.link)
	s.Load(s.Param("step"), move)
	s.LEAQ(Mem{Base: s.dst, Index: move, Scale: 4}, s.dst)
}

// prefetchLinks is how many layers ahead memory is fetched; a chain has as many
// links more at either end.
const prefetchLinks = 8

// prefetch fetches the bases of a later layer: inputs come in any order.
func (s *sweep) prefetch(row, step int, base reg.GPVirtual) {
	ahead := s.GP64()
	s.MOVLQSX(Mem{Base: s.link, Disp: row + prefetchLinks*step}, ahead)
	s.IMULQ(s.ld, ahead)
	s.ADDQ(s.off, ahead)
	s.ADDQ(base, ahead)
	at := newRows(s.Context, ahead, s.ld, s.ld3, s.m)
	for j := range s.m {
		for b := range s.wide {
			s.PREFETCHT0(at.row(j).Offset(64 * b))
		}
	}
}

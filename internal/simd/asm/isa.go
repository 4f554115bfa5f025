package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An isa is an instruction set as the generators of more than one set see it:
// its registers, and how it reads and writes the points after the last full
// register.
type isa interface {
	name() string   // as functions are named after it
	lanes() int     // float32 a register
	registers() int // vector registers
	vector() reg.VecVirtual
	zero(r reg.VecVirtual)
	and(x, y, to Op)

	// mask prepares for left points, 0 < left ≤ maskable(), which the three
	// below take by registers of points b = 0, 1, …
	mask(left reg.GPVirtual)
	maskable() int
	loadMasked(m Mem, b int, to reg.VecVirtual)
	mulMasked(m Mem, b int, x reg.VecVirtual) // x *= memory
	storeMasked(r reg.VecVirtual, b int, m Mem)
}

// bytes is the size of a register.
func bytes(x isa) int { return 4 * x.lanes() }

type avx512 struct {
	*build.Context
	k [2]reg.OpmaskVirtual
}

func newAVX512(c *build.Context) *avx512 {
	return &avx512{c, [2]reg.OpmaskVirtual{c.K(), c.K()}}
}

func (x *avx512) name() string           { return "AVX512" }
func (x *avx512) lanes() int             { return 16 }
func (x *avx512) registers() int         { return 32 }
func (x *avx512) vector() reg.VecVirtual { return x.ZMM() }
func (x *avx512) zero(r reg.VecVirtual)  { zero512(x.Context, r) }
func (x *avx512) and(a, b, to Op)        { x.VPANDD(a, b, to) }
func (x *avx512) maskable() int          { return 32 }

func (x *avx512) mask(left reg.GPVirtual) {
	bits := x.GP64()
	x.MOVQ(I32(-1), bits)
	x.BZHIQ(left, bits, bits)
	x.KMOVW(bits.As32(), x.k[0])
	x.SHRQ(U8(16), bits)
	x.KMOVW(bits.As32(), x.k[1])
}

func (x *avx512) loadMasked(m Mem, b int, to reg.VecVirtual) { x.VMOVUPS_Z(m, x.k[b], to) }

func (x *avx512) mulMasked(m Mem, b int, r reg.VecVirtual) { x.VMULPS_Z(m, r, x.k[b], r) }

func (x *avx512) storeMasked(r reg.VecVirtual, b int, m Mem) { x.VMOVUPS(r, x.k[b], m) }

type avx2 struct {
	*build.Context
	table Mem // eight lanes of ones, then eight of zeros
	m     reg.VecVirtual
}

func newAVX2(c *build.Context, table Mem) *avx2 { return &avx2{c, table, c.YMM()} }

// maskTable writes the table that masks are cut from; it comes before the
// function that uses it.
func maskTable(c *build.Context, name string) Mem {
	t := c.StaticGlobal(name)
	c.DataAttributes(dataAttributes)
	for i := range 16 {
		v := U32(0)
		if i < 8 {
			v = 0xffffffff
		}
		c.AddDatum(4*i, v)
	}
	return t
}

func (x *avx2) name() string           { return "AVX2" }
func (x *avx2) lanes() int             { return 8 }
func (x *avx2) registers() int         { return 16 }
func (x *avx2) vector() reg.VecVirtual { return x.YMM() }
func (x *avx2) zero(r reg.VecVirtual)  { x.VXORPS(r, r, r) }
func (x *avx2) and(a, b, to Op)        { x.VPAND(a, b, to) }
func (x *avx2) maskable() int          { return 8 }

func (x *avx2) mask(left reg.GPVirtual) {
	at := x.GP64()
	x.LEAQ(x.table, at)
	off := x.GP64()
	x.MOVQ(left, off)
	x.NEGQ(off)
	x.VMOVUPS(Mem{Base: at, Index: off, Scale: 4, Disp: 32}, x.m)
}

func (x *avx2) loadMasked(m Mem, _ int, to reg.VecVirtual) { x.VMASKMOVPS(m, x.m, to) }

func (x *avx2) mulMasked(m Mem, _ int, r reg.VecVirtual) {
	t := x.YMM()
	x.VMASKMOVPS(m, x.m, t)
	x.VMULPS(t, r, r)
}

func (x *avx2) storeMasked(r reg.VecVirtual, _ int, m Mem) { x.VMASKMOVPS(r, x.m, m) }

// dataAttributes mark constants that the garbage collector need not look at.
const dataAttributes = attr.RODATA | attr.NOPTR

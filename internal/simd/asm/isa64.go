package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An isa64 is an instruction set as the generators of float64 sums see it: a
// vector of float64, and half a vector of as many float32.
type isa64 interface {
	name() string
	lanes() int // float64 a vector
	vector() reg.VecVirtual
	half() reg.VecVirtual
	zero(r reg.VecVirtual)

	// mask prepares for the last left elements, 0 < left < lanes.
	mask(left reg.GPVirtual)
	load(m Mem, masked bool, to reg.VecVirtual)
	store(r reg.VecVirtual, masked bool, m Mem)
	loadHalf(m Mem, masked bool, to reg.VecVirtual)
	storeHalf(r reg.VecVirtual, masked bool, m Mem)
	total(r reg.VecVirtual) reg.Register // the sum over lanes, in the first; r is lost
}

type avx512f64 struct {
	*build.Context
	k reg.OpmaskVirtual
}

func newAVX512f64(c *build.Context) *avx512f64 { return &avx512f64{c, c.K()} }

func (x *avx512f64) name() string           { return "AVX512" }
func (x *avx512f64) lanes() int             { return 8 }
func (x *avx512f64) vector() reg.VecVirtual { return x.ZMM() }
func (x *avx512f64) half() reg.VecVirtual   { return x.YMM() }
func (x *avx512f64) zero(r reg.VecVirtual)  { zero512(x.Context, r) }

func (x *avx512f64) mask(left reg.GPVirtual) {
	bits := x.GP64()
	x.MOVQ(I32(-1), bits)
	x.BZHIQ(left, bits, bits)
	x.KMOVW(bits.As32(), x.k)
}

func (x *avx512f64) load(m Mem, masked bool, to reg.VecVirtual) {
	if masked {
		x.VMOVUPD_Z(m, x.k, to)
	} else {
		x.VMOVUPD(m, to)
	}
}

func (x *avx512f64) store(r reg.VecVirtual, masked bool, m Mem) {
	if masked {
		x.VMOVUPD(r, x.k, m)
	} else {
		x.VMOVUPD(r, m)
	}
}

func (x *avx512f64) loadHalf(m Mem, masked bool, to reg.VecVirtual) {
	if masked {
		x.VMOVUPS_Z(m, x.k, to)
	} else {
		x.VMOVUPS(m, to)
	}
}

func (x *avx512f64) storeHalf(r reg.VecVirtual, masked bool, m Mem) {
	if masked {
		x.VMOVUPS(r, x.k, m)
	} else {
		x.VMOVUPS(r, m)
	}
}

func (x *avx512f64) total(r reg.VecVirtual) reg.Register {
	high := x.YMM()
	x.VEXTRACTF64X4(U8(1), r, high)
	low := r.AsY().(reg.VecVirtual)
	x.VADDPD(high, low, low)
	return total256(x.Context, low)
}

type avx2f64 struct {
	*build.Context
	table            Mem
	halfMask, masked reg.VecVirtual
}

func newAVX2f64(c *build.Context, table Mem) *avx2f64 {
	return &avx2f64{c, table, c.XMM(), c.YMM()}
}

func (x *avx2f64) name() string           { return "AVX2" }
func (x *avx2f64) lanes() int             { return 4 }
func (x *avx2f64) vector() reg.VecVirtual { return x.YMM() }
func (x *avx2f64) half() reg.VecVirtual   { return x.XMM() }
func (x *avx2f64) zero(r reg.VecVirtual)  { x.VXORPS(r, r, r) }

func (x *avx2f64) mask(left reg.GPVirtual) {
	at, off := x.GP64(), x.GP64()
	x.LEAQ(x.table, at)
	x.MOVQ(left, off)
	x.NEGQ(off)
	x.VMOVUPS(Mem{Base: at, Index: off, Scale: 4, Disp: 32}, x.halfMask)
	x.VPMOVSXDQ(x.halfMask, x.masked)
}

func (x *avx2f64) load(m Mem, masked bool, to reg.VecVirtual) {
	if masked {
		x.VMASKMOVPD(m, x.masked, to)
	} else {
		x.VMOVUPD(m, to)
	}
}

func (x *avx2f64) store(r reg.VecVirtual, masked bool, m Mem) {
	if masked {
		x.VMASKMOVPD(r, x.masked, m)
	} else {
		x.VMOVUPD(r, m)
	}
}

func (x *avx2f64) loadHalf(m Mem, masked bool, to reg.VecVirtual) {
	if masked {
		x.VMASKMOVPS(m, x.halfMask, to)
	} else {
		x.VMOVUPS(m, to)
	}
}

func (x *avx2f64) storeHalf(r reg.VecVirtual, masked bool, m Mem) {
	if masked {
		x.VMASKMOVPS(r, x.halfMask, m)
	} else {
		x.VMOVUPS(r, m)
	}
}

func (x *avx2f64) total(r reg.VecVirtual) reg.Register { return total256(x.Context, r) }

// total256 sums four float64.
func total256(c *build.Context, r reg.VecVirtual) reg.Register {
	high := c.XMM()
	c.VEXTRACTF128(U8(1), r, high)
	low := r.AsX()
	c.VADDPD(high, low, low)
	c.VUNPCKHPD(low, low, high)
	c.VADDSD(high, low, low)
	return low
}

// A row64 is a loop over a row of float32 and float64 elements, by vectors.
type row64 struct {
	*build.Context
	isa64
	masked bool
	pair   bool // of vectors at a time
}

// run writes the loop. body is written for whole vectors and for the masked
// rest; at counts the elements done.
func (s *row64) run(name string, left, at reg.GPVirtual, body func()) {
	s.XORQ(at, at)
	s.resume(name, left, at, body)
}

// runPairs writes the loop with a body for two vectors at a time as well, so that
// one's latency hides the other's.
func (s *row64) runPairs(name string, left, at reg.GPVirtual, body func()) {
	s.XORQ(at, at)
	s.SUBQ(U8(2*s.lanes()), left)
	s.JL(LabelRef("single" + name))
	s.Label("pairs" + name)
	s.pair = true
	body()
	s.pair = false
	s.ADDQ(U8(2*s.lanes()), at)
	s.SUBQ(U8(2*s.lanes()), left)
	s.JGE(LabelRef("pairs" + name))
	s.Label("single" + name)
	s.ADDQ(U8(2*s.lanes()), left)
	s.resume(name, left, at, body)
}

// resume writes the loop from at on.
func (s *row64) resume(name string, left, at reg.GPVirtual, body func()) {
	s.SUBQ(U8(s.lanes()), left)
	s.JL(LabelRef("rest" + name))
	s.Label("full" + name)
	s.masked = false
	body()
	s.ADDQ(U8(s.lanes()), at)
	s.SUBQ(U8(s.lanes()), left)
	s.JGE(LabelRef("full" + name))
	s.Label("rest" + name)
	s.ADDQ(U8(s.lanes()), left)
	s.JE(LabelRef("end" + name))
	s.mask(left)
	s.masked = true
	body()
	s.Label("end" + name)
}

// wide loads float64 elements.
func (s *row64) wide(base, at reg.GPVirtual) reg.VecVirtual {
	r := s.vector()
	s.load(Mem{Base: base, Index: at, Scale: 8}, s.masked, r)
	return r
}

// widened loads float32 elements as float64.
func (s *row64) widened(base, at reg.GPVirtual) reg.VecVirtual {
	return s.widen(Mem{Base: base, Index: at, Scale: 4})
}

func (s *row64) widen(m Mem) reg.VecVirtual {
	h, r := s.half(), s.vector()
	s.loadHalf(m, s.masked, h)
	s.VCVTPS2PD(h, r)
	return r
}

// narrowed rounds a vector to float32.
func (s *row64) narrowed(r reg.VecVirtual) reg.VecVirtual {
	h := s.half()
	if s.lanes() == 8 {
		s.VCVTPD2PS(r, h)
	} else {
		s.VCVTPD2PSY(r, h)
	}
	return h
}

// part names a label apart in the loop's bodies.
func (s *row64) part(name string) string {
	switch {
	case s.masked:
		return name + "Masked"
	case s.pair:
		return name + "Pair"
	}
	return name
}

// vectors returns how many the body is to be written for.
func (s *row64) vectors() int {
	if s.pair {
		return 2
	}
	return 1
}

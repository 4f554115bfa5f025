package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A stream is a loop over some slices of one length, or over the points of some
// rows, by as many registers as one mask covers.
type stream struct {
	*build.Context
	isa
	masked bool
}

// run writes the loop: body is written twice, for full registers and for the
// masked rest, and moves on by off bytes from every slice's start.
func (s *stream) run(name string, left, off reg.GPVirtual, body func()) {
	s.XORQ(off, off)
	s.from(name, left, off, body)
}

// from writes the loop from off on.
func (s *stream) from(name string, left, off reg.GPVirtual, body func()) {
	s.SUBQ(U8(s.maskable()), left)
	s.JL(LabelRef("rest" + name))
	s.Label("full" + name)
	s.masked = false
	body()
	s.ADDQ(I32(4*s.maskable()), off)
	s.SUBQ(U8(s.maskable()), left)
	s.JGE(LabelRef("full" + name))
	s.Label("rest" + name)
	s.ADDQ(U8(s.maskable()), left)
	s.JE(LabelRef("end" + name))
	s.mask(left)
	s.masked = true
	body()
	s.Label("end" + name)
}

// each writes f for every register of an iteration.
func (s *stream) each(f func(b int)) {
	for b := range s.maskable() / s.lanes() {
		f(b)
	}
}

// load loads register b of the slice at m.
func (s *stream) load(m Mem, b int) reg.VecVirtual {
	r := s.vector()
	m = m.Offset(b * bytes(s))
	if s.masked {
		s.loadMasked(m, b, r)
	} else {
		s.VMOVUPS(m, r)
	}
	return r
}

// store stores register b of the slice at m.
func (s *stream) store(r reg.VecVirtual, m Mem, b int) {
	m = m.Offset(b * bytes(s))
	if s.masked {
		s.storeMasked(r, b, m)
	} else {
		s.VMOVUPS(r, m)
	}
}

// broadcast loads a parameter into every lane.
func (s *stream) broadcast(name string) reg.VecVirtual {
	r := s.vector()
	b, err := s.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	s.VBROADCASTSS(b.Addr, r)
	return r
}

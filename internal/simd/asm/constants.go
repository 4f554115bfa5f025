package main

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// A constants table holds each value once a lane of the widest register, so that
// an instruction can take it straight from memory.
type constants struct {
	*build.Context
	at   Mem
	size int
}

func newConstants(c *build.Context, name string) *constants {
	t := &constants{Context: c, at: c.StaticGlobal(name)}
	c.DataAttributes(dataAttributes)
	return t
}

func (t *constants) bits(v uint32) Mem {
	m := t.at.Offset(t.size)
	for range 16 {
		t.AddDatum(t.size, U32(v))
		t.size += 4
	}
	return m
}

func (t *constants) float(v float64) Mem { return t.bits(math.Float32bits(float32(v))) }

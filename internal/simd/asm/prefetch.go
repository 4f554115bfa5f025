package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// prefetchLines bounds how much a call asks for ahead: a matrix of 32 by 32.
const prefetchLines = 64

// prefetch writes requests for the rows of a matrix at p, pitch bytes apart and
// without gaps. Weights and their gradients come from far away, for each layer
// has its own, and little of them is needed at a time. It uses up p and rows.
func prefetch(c *build.Context, p, rows, pitch reg.GPVirtual) {
	most := c.GP64()
	c.IMULQ(pitch, rows)
	c.MOVQ(U32(64*prefetchLines), most)
	c.CMPQ(rows, most)
	c.CMOVQGT(most, rows)
	c.Label("prefetch")
	c.PREFETCHT0(Mem{Base: p})
	c.ADDQ(U8(64), p)
	c.SUBQ(U8(64), rows)
	c.JG(LabelRef("prefetch"))
}

// prefetchWeights fetches the weights at w, or the gradient by them, of a later layer, in
// the direction of step: they follow one another, but a processor's own prefetching ends
// with every page.
func prefetchWeights(c *build.Context, w reg.GPVirtual, m, step int) {
	bytes := 4 * m * m
	ahead := weightsAhead * bytes
	if step < 0 {
		ahead = -ahead
	}
	for at := 0; at < bytes; at += 64 {
		c.PREFETCHT0(Mem{Base: w, Disp: ahead + at})
	}
}

// weightsAhead is how many layers ahead weights are fetched.
const weightsAhead = 16

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A cut is how a loop over rows is divided into tiles: given the number of rows
// left, it leaves the next tile's height in a register.
type cut func(c *build.Context, left reg.GPVirtual, tallest int) (height reg.GPVirtual)

// balanced takes the tallest tile while two or more are left, then halves the
// rest, so that no tile is too small to fill the FMA pipelines.
func balanced(c *build.Context, left reg.GPVirtual, tallest int) reg.GPVirtual {
	height, half := c.GP64(), c.GP64()
	most := c.GP64()
	c.MOVQ(left, height)
	c.LEAQ(Mem{Base: left, Disp: 1}, half)
	c.SHRQ(U8(1), half)
	c.CMPQ(left, U8(tallest))
	c.CMOVQGT(half, height)
	c.MOVQ(U32(uint32(tallest)), most)
	c.CMPQ(left, U8(2*tallest-1))
	c.CMOVQGT(most, height)
	return height
}

// paired takes the tallest tile while it can, but five rows as three and two
// where four is the tallest: one row alone is slow.
func paired(c *build.Context, left reg.GPVirtual, tallest int) reg.GPVirtual {
	height, other := c.GP64(), c.GP64()
	c.MOVQ(left, height)
	c.MOVQ(U32(uint32(tallest)), other)
	c.CMPQ(left, other)
	c.CMOVQGT(other, height)
	if tallest > 2 {
		c.MOVQ(U32(uint32(tallest-1)), other)
		c.CMPQ(left, U8(tallest+1))
		c.CMOVQEQ(other, height)
	}
	return height
}

// forTiles writes a loop that takes tiles of up to tallest off left until none
// is left, with a body for each height.
func forTiles(c *build.Context, left reg.GPVirtual, tallest int, next cut, body func(height int)) {
	id := left.VirtualIndex()
	start, end := fmt.Sprintf("tiles%d", id), fmt.Sprintf("end%d", id)
	c.Label(start)
	c.TESTQ(left, left)
	c.JLE(LabelRef(end))
	height := next(c, left, tallest)
	for h := tallest; h >= 1; h-- {
		skip := fmt.Sprintf("not%d_%d", id, h)
		if h > 1 {
			c.CMPQ(height, U8(h))
			c.JNE(LabelRef(skip))
		}
		body(h)
		c.SUBQ(U8(h), left)
		c.JMP(LabelRef(start))
		if h > 1 {
			c.Label(skip)
		}
	}
	c.Label(end)
}

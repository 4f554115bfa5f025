package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// zero512 clears a register. avo's table does not know that an exclusive or of
// a register with itself reads nothing; without the mark every accumulator would
// count as live from the function's start.
func zero512(c *build.Context, r reg.VecVirtual) {
	i, err := x86.VPXORD(r, r, r)
	if err != nil {
		panic(err)
	}
	i.CancellingInputs = true
	c.Instruction(i)
}

package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
)

// pauseLoop writes what a loop that waits for another core does between looks.
func pauseLoop(c *build.Context) {
	c.Function("pause")
	c.Attributes(attr.NOSPLIT)
	c.Doc("pause does nothing for some tens of cycles, at little power.")
	c.SignatureExpr("func()")
	c.PAUSE()
	c.RET()
}

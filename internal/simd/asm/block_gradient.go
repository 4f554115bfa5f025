package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// gradientTask's fields, as simd declares them.
const (
	taskDW = 8 * iota
	taskSrc
	taskU
	taskFrom
	taskTo
	taskCols
	taskKind
	taskSize
)

// blockGradient writes the gradient by the weights of some layers. Points come one after
// the other and at each the layers: were it the other way round, a point would often read
// a part of what the last one has just written, and wait until that has gone to the cache.
func blockGradient(c *build.Context) {
	c.Function("blockGradientAVX2")
	c.Attributes(attr.NOSPLIT)
	c.Doc(
		"blockGradientAVX2 computes",
		"",
		"\tfor p in 0..n, each of count layers:",
		"\t\tdw[from[p]+i, to[p]+j] += src[p,i] * u[p,j]",
		"",
		"The kind of a layer is 4*(functions of from - 1) + functions of to - 1.",
	)
	c.Pragma("noescape")
	c.SignatureExpr("func(layers *int64, count, n int)")
	layers, count, n := param(c, "layers"), param(c, "count"), param(c, "n")
	p, p4 := c.GP64(), c.GP64()
	c.XORQ(p, p)
	c.XORQ(p4, p4)

	c.Label("point")
	at, left := c.GP64(), c.GP64()
	c.MOVQ(layers, at)
	c.MOVQ(count, left)

	c.Label("layer")
	field := func(k int) Mem { return Mem{Base: at, Disp: k} }
	cols, corner, to, kind := c.GP64(), c.GP64(), c.GP64(), c.GP64()
	src, u := c.GP64(), c.GP64()
	c.MOVQ(field(taskFrom), corner)
	c.MOVLQSX(Mem{Base: corner, Index: p, Scale: 4}, corner)
	c.MOVQ(field(taskTo), to)
	c.MOVLQSX(Mem{Base: to, Index: p, Scale: 4}, to)
	c.MOVQ(field(taskCols), cols)
	c.IMULQ(cols, corner)
	c.LEAQ(Mem{Base: corner, Index: to, Scale: 4}, corner)
	c.ADDQ(field(taskDW), corner)
	c.MOVQ(field(taskSrc), src)
	c.MOVQ(field(taskU), u)
	c.MOVQ(field(taskKind), kind)

	// The kinds that there are most of come first.
	order := []int{15, 3, 12, 0}
	for k := range mostLocal * mostLocal {
		if k != 15 && k != 3 && k != 12 && k != 0 {
			order = append(order, k)
		}
	}
	for i, k := range order {
		next := fmt.Sprintf("not%d", k)
		if i < len(order)-1 {
			c.CMPQ(kind, U8(k))
			c.JNE(LabelRef(next))
		}
		b := &block{Context: c, from: k/4 + 1, to: k%4 + 1, p: p, p4: p4, cols: cols}
		if b.from == 4 {
			b.cols3 = triple(c, cols)
		}
		s, x := b.load(b.at(src, b.from), slotOf(b.from)), b.load(b.at(u, b.to), slotOf(b.to))
		for i, row := range b.rowsAt(corner) {
			sum := b.spread(s, i)
			if b.to == 1 && i == 0 && b.from > 1 {
				sum = c.XMM() // the others are still to be had of s
				c.VMOVAPS(s, sum)
			}
			if b.to == 1 {
				c.VFMADD213SS(row, x, sum)
			} else {
				c.VFMADD213PS(b.operand(row, b.to), x, sum)
			}
			b.store(sum, row, b.to)
		}
		if i < len(order)-1 {
			c.JMP(LabelRef("done"))
			c.Label(next)
		}
	}

	c.Label("done")
	c.ADDQ(U8(taskSize), at)
	c.DECQ(left)
	c.JNE(LabelRef("layer"))
	c.ADDQ(U8(16), p4)
	c.INCQ(p)
	c.CMPQ(p, n)
	c.JNE(LabelRef("point"))
	c.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows addresses up to eight rows of a matrix by x86's scaled index, so that a
// loop moves two pointers at most instead of one a row.
type rows struct {
	at0, at1        reg.GPVirtual // row 0, row 1
	stride, stride3 reg.GPVirtual // in bytes, and three times that
	n               int
}

// newRows points at n rows that start at base; stride3 is shared by all rows of
// one stride and used only where n > 3.
func newRows(c *build.Context, base, stride, stride3 reg.GPVirtual, n int) rows {
	r := rows{at0: c.GP64(), stride: stride, stride3: stride3, n: n}
	c.MOVQ(base, r.at0)
	if n > 5 {
		r.at1 = c.GP64()
		c.LEAQ(operand.Mem{Base: base, Index: stride, Scale: 1}, r.at1)
	}
	return r
}

// row is the address of row i.
func (r rows) row(i int) operand.Mem {
	m := operand.Mem{Base: r.at0, Index: r.stride}
	switch i {
	case 0:
		m.Index = nil
	case 1, 2, 4:
		m.Scale = uint8(i)
	case 3:
		m.Index, m.Scale = r.stride3, 1
	case 5:
		m.Base, m.Scale = r.at1, 4
	case 6:
		m.Index, m.Scale = r.stride3, 2
	case 7:
		m.Base, m.Index, m.Scale = r.at1, r.stride3, 2
	}
	return m
}

// step moves all rows on by a register or constant of bytes.
func (r rows) step(c *build.Context, bytes operand.Op) {
	c.ADDQ(bytes, r.at0)
	if r.at1 != nil {
		c.ADDQ(bytes, r.at1)
	}
}

// triple returns three times stride.
func triple(c *build.Context, stride reg.GPVirtual) reg.GPVirtual {
	r := c.GP64()
	c.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, r)
	return r
}

// floats loads parameter name, a count of float32, as bytes.
func floats(c *build.Context, name string) reg.GPVirtual {
	r := param(c, name)
	c.SHLQ(operand.U8(2), r)
	return r
}

func param(c *build.Context, name string) reg.GPVirtual {
	r := c.GP64()
	c.Load(c.Param(name), r)
	return r
}

// slice is what a parameter points to, off bytes behind its start.
func slice(c *build.Context, name string, off reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: param(c, name), Index: off, Scale: 1}
}

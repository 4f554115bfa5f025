package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// group returns the end of the table's rows for the next points, of four at most.
func (e *edge) group(table Mem) reg.GPVirtual {
	end, most := e.GP64(), e.GP64()
	e.MOVQ(e.count(), end)
	e.SUBQ(e.p, end)
	e.MOVQ(U32(4), most)
	e.CMPQ(end, most)
	e.CMOVQGT(most, end)
	e.IMUL3Q(I32(4*mostEdge), end, end)
	e.LEAQ(table, most)
	e.ADDQ(most, end)
	return end
}

// turn writes what is done to the table's values and to those of the rows of points of
// these names: whole by four points and four columns, or by four points and one; and single.
// The point is the first of the group, or with done the one behind it.
func (e *edge) turn(table Mem, end reg.GPVirtual, names []string, whole func(at reg.GPVirtual, r []reg.VecVirtual, lanes [][]Mem), single func(at Mem, lane []Mem), done bool) {
	ld, left, at, count := floats(e.Context, "ld"), param(e.Context, "m"), e.GP64(), e.GP64()
	e.LEAQ(table, at)
	e.MOVQ(end, count)
	e.SUBQ(at, count)
	e.SHRQ(U8(8), count) // points
	if 4*mostEdge != 1<<8 {
		panic("the shift is by a row of the table")
	}
	var lanes []reg.GPVirtual
	for _, name := range names {
		p := e.pointer(name, 1)
		if done {
			back := e.GP64()
			e.MOVQ(count, back)
			e.SHLQ(U8(2), back)
			e.SUBQ(back, p)
		}
		lanes = append(lanes, p)
	}
	e.CMPQ(count, U8(4))
	e.JNE(LabelRef("few"))
	ld3 := triple(e.Context, ld)
	for _, columns := range []int{4, 1} {
		loop, none := fmt.Sprintf("turn%d", columns), fmt.Sprintf("turn%dDone", columns)
		e.SUBQ(U8(columns), left)
		e.JL(LabelRef(none))
		e.Label(loop)
		var rows [][]Mem
		for _, l := range lanes {
			rows = append(rows, four(l, ld, ld3)[:columns])
		}
		r := make([]reg.VecVirtual, columns)
		if done {
			for i := range r {
				r[i] = e.load(Mem{Base: at, Disp: 4 * mostEdge * i}, columns)
			}
		}
		whole(at, r, rows)
		e.ADDQ(U8(4*columns), at)
		for _, l := range lanes {
			e.LEAQ(Mem{Base: l, Index: ld, Scale: uint8(columns)}, l)
		}
		e.SUBQ(U8(columns), left)
		e.JGE(LabelRef(loop))
		e.Label(none)
		e.ADDQ(U8(columns), left)
	}
	e.JMP(LabelRef("turned"))

	e.Label("few")
	e.LEAQ(Mem{Base: at, Index: left, Scale: 4}, left) // the end of a row
	e.Label("fewColumns")
	q, row := e.GP64(), e.GP64()
	e.XORQ(q, q)
	e.MOVQ(at, row)
	e.Label("fewPoints")
	var lane []Mem
	for _, l := range lanes {
		lane = append(lane, Mem{Base: l, Index: q, Scale: 4})
	}
	single(Mem{Base: row}, lane)
	e.ADDQ(I32(4*mostEdge), row)
	e.INCQ(q)
	e.CMPQ(q, count)
	e.JNE(LabelRef("fewPoints"))
	for _, l := range lanes {
		e.ADDQ(ld, l)
	}
	e.ADDQ(U8(4), at)
	e.CMPQ(at, left)
	e.JNE(LabelRef("fewColumns"))
	e.Label("turned")
}

package main

import (
	"fmt"
	"strings"
)

// blocksNEON lists the kernels of layers both sides of which are local, as blocksAVX2.
func blocksNEON() (all []func(*neonWriter)) {
	for to := 1; to <= mostLocal; to++ {
		for from := 1; from <= mostLocal; from++ {
			b := neonBlock{from: from, to: to}
			all = append(all, b.forward, b.backward, b.gradient)
		}
	}
	return all
}

// A neonBlock is a layer with from and to functions. Registers 0 to 3 hold the rows of a
// block of weights, and 4 to 7 those of their gradient; a row has zeros behind its values.
type neonBlock struct{ from, to int }

// begin starts a kernel and its loop over the points. It loads the parameters into registers from R0 on; R13
// gets the bytes of a row of weights.
func (b neonBlock) begin(w *neonWriter, kind, points, weights string, doc ...string) {
	name := fmt.Sprintf("block%s%d%dNEON", kind, b.from, b.to)
	names := strings.Split(points+", from, to, "+weights+", cols, n", ", ")
	w.begin(name, fmt.Sprintf("%s *float32, from, to *int32, %s *float32, cols, n int", points, weights), 8*len(names), doc...)
	w.arguments(names...)
	w.op("LSL $2, R%d, R13", len(names)-2)
	w.label("point")
}

// end goes on with the next point; left is a register.
func (b neonBlock) end(w *neonWriter, left string) {
	w.op("SUBS $1, %s, %s", left, left)
	w.op("BNE point")
	w.op("RET")
}

// corner writes where the block of the next point begins to R14, in floats.
func (w *neonWriter) corner(from, to, cols string) {
	w.op("MOVW.P 4(%s), R14", from)
	w.op("MOVW.P 4(%s), R15", to)
	w.op("MUL %s, R14, R14", cols)
	w.op("ADD R15, R14, R14")
}

// rowsAt writes where the rows of a block of weights begin to registers from R20 on.
func (b neonBlock) rowsAt(w *neonWriter, weights string) {
	w.op("ADD R14<<2, %s, R20", weights)
	for i := 1; i < b.from; i++ {
		w.op("ADD R13, R%d, R%d", 19+i, 20+i)
	}
}

// loadRows loads the rows of a block to registers from v on.
func (b neonBlock) loadRows(w *neonWriter, v int) {
	for i := range b.from {
		w.values(fmt.Sprintf("R%d", 20+i), b.to, v+i)
	}
}

func (b neonBlock) forward(w *neonWriter) {
	b.begin(w, "Forward", "dst, phi, src", "w",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tdst[p,j] = phi[p,j] * sum over i in 0..%d of src[p,i] * w[from[p]+i, to[p]+j], for j in 0..%d", b.from, b.to))
	w.corner("R3", "R4", "R6")
	b.rowsAt(w, "R5")
	b.loadRows(w, 0)
	w.next("R2", b.from, 16)
	w.next("R1", b.to, 17)
	w.mulLane(0, 16, 0, 18)
	for i := 1; i < b.from; i++ {
		w.fmaLane(i, 16, i, 18)
	}
	w.mul(17, 18, 18)
	w.put(18, b.to, "R0")
	b.end(w, "R7")
}

func (b neonBlock) backward(w *neonWriter) {
	b.begin(w, "Backward", "back, phi, src, u, dw", "w",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tback[p,i] = phi[p,i] * sum over j in 0..%d of w[from[p]+i, to[p]+j] * u[p,j], for i in 0..%d", b.to, b.from),
		fmt.Sprintf("\t\tdw[from[p]+i, to[p]+j] += src[p,i] * u[p,j], for i in 0..%d, j in 0..%d", b.from, b.to))
	w.corner("R5", "R6", "R8")
	b.rowsAt(w, "R7")
	b.loadRows(w, 0)
	w.next("R3", b.to, 16)
	for i := range b.from {
		w.mul(i, 16, i)
	}
	w.next("R1", b.from, 17)
	b.totals(w)
	w.mul(17, 0, 18)
	w.put(18, b.from, "R0")
	b.addOuter(w, "R4", "R2")
	b.end(w, "R9")
}

// gradient writes the gradient of backward alone.
func (b neonBlock) gradient(w *neonWriter) {
	b.begin(w, "Gradient", "src, u", "dw",
		"\tfor p in 0..n:",
		fmt.Sprintf("\t\tdw[from[p]+i, to[p]+j] += src[p,i] * u[p,j], for i in 0..%d, j in 0..%d", b.from, b.to))
	w.corner("R2", "R3", "R5")
	w.next("R1", b.to, 16)
	b.addOuter(w, "R4", "R0")
	b.end(w, "R6")
}

// addOuter adds to the block of dw the outer product of the next values of src and
// register 16.
func (b neonBlock) addOuter(w *neonWriter, dw, src string) {
	b.rowsAt(w, dw)
	b.loadRows(w, 4)
	w.next(src, b.from, 19)
	for i := range b.from {
		w.fmaLane(16, 19, i, 4+i)
		w.storeValues(4+i, b.to, fmt.Sprintf("R%d", 20+i))
	}
}

// totals writes the sums over the lanes of each row's register to register 0, and a zero to
// the last place of a slot that has no row.
func (b neonBlock) totals(w *neonWriter) {
	switch b.from {
	case 1:
		w.pairs(0, 0, 0)
	case 2:
		w.pairs(0, 1, 0)
	default:
		if b.from == 3 {
			w.zero(3)
		}
		w.pairs(0, 1, 0)
		w.pairs(2, 3, 2)
		w.pairs(0, 2, 0)
		return
	}
	w.pairs(0, 0, 0)
}

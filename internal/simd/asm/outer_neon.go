package main

import "fmt"

// outerNEON writes Outer for NEON: tiles of up to four rows by four columns of
// dw hold one register a cell, points along lanes; after the last point a row's
// registers are added in pairs until one holds the sums.
func outerNEON(w *neonWriter) {
	w.begin("outerNEON", "dw, src, u *float32, mi, mj, n, ld int", 56,
		"\tfor i in 0..mi, j in 0..mj:",
		"\t\tdw[i*mj+j] += sum over p in 0..n of src[i*ld+p] * u[j*ld+p]",
	)
	w.arguments("dw", "src", "u", "mi", "mj", "n", "ld")
	w.op("LSL $2, R4, R7") // bytes of a row of dw
	w.op("LSL $2, R6, R6")
	w.forTiles("columns", "R4", 4, func(j int) {
		w.op("MOVD R0, R8") // where the sums go
		w.op("MOVD R1, R9") // the next row of src
		w.op("MOVD R3, R10")
		w.forTiles(fmt.Sprintf("rows%dx", j), "R10", 4, func(i int) { outerTile(w, i, j) })
		for range j {
			w.op("ADD R6, R2, R2")
		}
		w.op("ADD $%d, R0, R0", 4*j)
	})
	w.op("RET")
}

// outerTile writes the sums of i rows by j columns and moves to the next rows.
// Registers 0 to 15 hold the sums, 16 to 19 a column's points, 20 to 23 a row's.
func outerTile(w *neonWriter, i, j int) {
	rows, columns := []string{"R11", "R12", "R13", "R14"}, []string{"R20", "R21", "R22", "R23"}
	name := fmt.Sprintf("%dx%d", i, j)
	for a := range i {
		for b := range j {
			w.zero(4*a + b)
		}
	}
	for a := range i {
		w.op("MOVD R9, %s", rows[a])
		w.op("ADD R6, R9, R9")
	}
	w.op("MOVD R2, %s", columns[0])
	for b := 1; b < j; b++ {
		w.op("ADD R6, %s, %s", columns[b-1], columns[b])
	}
	w.op("MOVD R5, R15")
	for _, p := range []neonPart{neonQuad, neonSingle} {
		part := p.name + name
		w.label("%s", part)
		w.op("CMP $%d, R15", p.points)
		w.op("BLT %sDone", part)
		for a := range i {
			w.load(p, rows[a], 20+a)
			w.op("ADD $%d, %s, %s", 4*p.points, rows[a], rows[a])
		}
		for b := range j {
			w.load(p, columns[b], 16+b)
			w.op("ADD $%d, %s, %s", 4*p.points, columns[b], columns[b])
			for a := range i {
				w.fma(16+b, 20+a, 4*a+b)
			}
		}
		w.op("SUB $%d, R15, R15", p.points)
		w.op("B %s", part)
		w.label("%sDone", part)
	}
	for a := range i {
		sum := 4 * a
		last := sum + j - 1
		w.pairs(sum, min(sum+1, last), sum)
		if j > 2 {
			w.pairs(sum+2, last, sum+2)
			w.pairs(sum, sum+2, sum)
		} else {
			w.pairs(sum, sum, sum)
		}
		if j == 4 {
			w.op("VLD1 (R8), [V16.S4]")
			w.add(16, sum, 16)
			w.op("VST1 [V16.S4], (R8)")
		} else {
			w.zero(16)
			w.op("MOVD R8, R15")
			for b := range j {
				w.op("VLD1 (R15), V16.S[%d]", b)
				w.op("ADD $4, R15, R15")
			}
			w.add(16, sum, 16)
			w.op("MOVD R8, R15")
			for b := range j {
				w.op("VST1 V16.S[%d], (R15)", b)
				w.op("ADD $4, R15, R15")
			}
		}
		w.op("ADD R7, R8, R8")
	}
}

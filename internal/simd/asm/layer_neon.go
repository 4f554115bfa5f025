package main

import "fmt"

// layerNEON writes Layer for NEON: tiles of up to six outputs by four registers
// of points, whose 24 sums leave eight registers for operands.
func layerNEON(w *neonWriter) {
	w.begin("layerNEON", "dst, phi, w, src *float32, wi, wj, mi, mj, n, ld int", 80,
		"\tfor j in 0..mj, p in 0..n:",
		"\t\tdst[j*ld+p] = phi[j*ld+p] * sum over i in 0..mi of w[i*wi+j*wj] * src[i*ld+p]",
	)
	w.arguments("dst", "phi", "w", "src", "wi", "wj", "mi", "mj", "n", "ld")
	for _, bytes := range []string{"R4", "R5", "R9"} { // wi, wj and ld
		w.op("LSL $2, %s, %s", bytes, bytes)
	}
	w.forTiles("tiles", "R7", 6, func(j int) {
		w.op("MOVD R8, R10") // points left
		w.op("MOVD $0, R11") // bytes done
		for _, p := range []neonPart{neonQuads, neonQuad, neonSingle} {
			name := fmt.Sprintf("%s%d", p.name, j)
			w.label("%s", name)
			w.op("CMP $%d, R10", p.points)
			w.op("BLT %sDone", name)
			layerBlock(w, p, j, name)
			w.op("ADD $%d, R11, R11", 4*p.points)
			w.op("SUB $%d, R10, R10", p.points)
			w.op("B %s", name)
			w.label("%sDone", name)
		}
		for range j {
			w.op("ADD R9, R0, R0")
			w.op("ADD R9, R1, R1")
			w.op("ADD R5, R2, R2")
		}
	})
	w.op("RET")
}

// layerBlock writes the sums of j outputs at one part of the points. Registers
// 0 to 23 hold the sums, 24 to 27 the inputs, 28 and 29 weights in turn; R12 is
// where the inputs are, R20 and up where the outputs' weights are.
func layerBlock(w *neonWriter, p neonPart, j int, name string) {
	weights := []string{"R20", "R21", "R22", "R23", "R24", "R25"}
	for v := range j * p.registers {
		w.zero(v)
	}
	w.op("ADD R11, R3, R12")
	w.op("MOVD R2, %s", weights[0])
	for a := 1; a < j; a++ {
		w.op("ADD R5, %s, %s", weights[a-1], weights[a])
	}
	w.op("MOVD R6, R13")
	w.op("CBZ R13, %sEnd", name)
	w.label("%sLoop", name)
	w.load(p, "R12", 24)
	w.op("ADD R9, R12, R12")
	for a := range j {
		x := 28 + a%2
		w.op("VLD1R.P (%s)(R4), [V%d.S4]", weights[a], x)
		for b := range p.registers {
			w.fma(24+b, x, a*p.registers+b)
		}
	}
	w.op("SUBS $1, R13, R13")
	w.op("BNE %sLoop", name)
	w.label("%sEnd", name)
	w.op("ADD R11, R1, R12")
	w.op("ADD R11, R0, R13")
	for a := range j {
		w.load(p, "R12", 24)
		for b := range p.registers {
			w.mul(24+b, a*p.registers+b, a*p.registers+b)
		}
		w.store(p, a*p.registers, "R13")
		if a < j-1 {
			w.op("ADD R9, R12, R12")
			w.op("ADD R9, R13, R13")
		}
	}
}

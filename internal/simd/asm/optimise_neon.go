package main

// parts writes a loop that takes parts off the number of elements left, the largest first.
func (w *neonWriter) parts(name, left string, all []neonPart, body func(p neonPart)) {
	for _, p := range all {
		w.label("%s%s", name, p.name)
		w.op("CMP $%d, %s", p.points, left)
		w.op("BLT %s%sDone", name, p.name)
		body(p)
		w.op("SUB $%d, %s, %s", p.points, left, left)
		w.op("B %s%s", name, p.name)
		w.label("%s%sDone", name, p.name)
	}
}

// smoothNEON writes a row of Smooth.
func smoothNEON(w *neonWriter) {
	w.begin("smoothNEON", "dw, w, before, after, above, below *float32, n int, lambda float32", 60,
		"\tfor j in 0..n:",
		"\t\tdw[j] += lambda * (((w[j]-before[j]) + (w[j]-after[j])) + ((w[j]-above[j]) + (w[j]-below[j])))",
	)
	w.arguments("dw", "w", "before", "after", "above", "below", "n")
	w.op("FMOVS lambda+56(FP), F28")
	w.parts("", "R6", []neonPart{neonQuads, neonQuad, neonSingle}, func(p neonPart) {
		// Registers 0 to 3 hold w, those from 4 on the sums over the neighbours in the row and
		// from 12 on over those in the column.
		w.load(p, "R1", 0)
		for k, address := range []string{"R2", "R3", "R4", "R5"} {
			at := 4 + 4*k
			w.load(p, address, at)
			for b := range p.registers {
				w.sub(b, at+b, at+b)
				if k%2 == 1 {
					w.add(at-4+b, at+b, at-4+b)
				}
			}
		}
		w.load(p, "R0", 20)
		for b := range p.registers {
			w.add(4+b, 12+b, 4+b)
			w.fmaLane(4+b, 28, 0, 20+b)
		}
		w.store(p, 20, "R0")
		for _, address := range []string{"R0", "R1", "R2", "R3", "R4", "R5"} {
			w.op("ADD $%d, %s, %s", 4*p.points, address, address)
		}
	})
	w.op("RET")
}

// adamBlocksNEON writes AdamBlocks. Registers 20 to 26 hold the constants, 27 the share of
// an element in a block's mean, 30 zeros.
func adamBlocksNEON(w *neonWriter) {
	w.begin("adamBlocksNEON", "param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32", 68,
		"\tfor blocks of 32 of i in 0..n, the last of which may be shorter:",
		"\t\tv[0] = beta2*v[0] + rest2 / i's * sum of grad[i]*grad[i]",
		"\t\tfactor = rate / (sqrt(v[0]*correction2) + epsilon)",
		"\t\tm[i] = beta1*m[i] + rest1*grad[i]",
		"\t\tparam[i] -= factor * m[i]",
		"\t\tgrad[i] = 0",
		"\t\tv = v[1:]",
	)
	w.arguments("param", "grad", "m", "v", "n")
	for k, name := range []string{"rate", "beta1", "beta2", "rest1", "rest2", "correction2", "epsilon"} {
		w.op("FMOVS %s+%d(FP), F%d", name, 40+4*k, 20+k)
	}
	w.zero(30)
	w.label("block")
	w.op("MOVD $%d, R5", adamBlock)
	w.op("CMP R5, R4")
	w.op("CSEL LT, R4, R5, R5") // elements of the block
	w.op("CBZ R5, end")
	w.op("SUB R5, R4, R4")
	w.op("SCVTFS R5, F27")
	w.op("FDIVS F27, F24, F27")
	w.op("MOVD R5, R6")
	w.op("MOVD R1, R7")
	for b := range neonQuads.registers {
		w.zero(16 + b)
	}
	all := []neonPart{neonQuads, neonQuad, neonSingle}
	w.parts("sum", "R6", all, func(p neonPart) {
		w.load(p, "R7", 0)
		for b := range p.registers {
			w.fma(b, b, 16+b)
		}
		w.op("ADD $%d, R7, R7", 4*p.points)
	})
	w.add(16, 17, 16)
	w.add(18, 19, 18)
	w.add(16, 18, 16)
	w.pairs(16, 16, 16)
	w.pairs(16, 16, 16)
	w.op("FMULS F27, F16, F16")
	w.op("FMOVS (R3), F17")
	w.op("FMULS F22, F17, F17")
	w.op("FADDS F16, F17, F17")
	w.op("FMOVS F17, (R3)")
	w.op("ADD $4, R3, R3")
	w.op("FMULS F25, F17, F17")
	w.op("FSQRTS F17, F17")
	w.op("FADDS F26, F17, F17")
	w.op("FDIVS F17, F20, F29") // the factor
	w.parts("move", "R5", all, func(p neonPart) {
		w.load(p, "R1", 0)
		w.load(p, "R2", 4)
		w.load(p, "R0", 8)
		for b := range p.registers {
			w.mulLane(4+b, 21, 0, 4+b)
			w.fmaLane(b, 23, 0, 4+b)
			w.fmsLane(4+b, 29, 0, 8+b)
			w.op("VMOV V30.B16, V%d.B16", b)
		}
		w.store(p, 0, "R1")
		w.store(p, 4, "R2")
		w.store(p, 8, "R0")
		for _, address := range []string{"R0", "R1", "R2"} {
			w.op("ADD $%d, %s, %s", 4*p.points, address, address)
		}
	})
	w.op("B block")
	w.label("end")
	w.op("RET")
}

package main

// values loads so many values, and zeros behind them.
func (w *neonWriter) values(address string, count, v int) {
	switch count {
	case 1:
		w.op("FMOVS (%s), F%d", address, v)
	case 2:
		w.op("FMOVD (%s), F%d", address, v)
	case 3:
		w.op("FMOVD (%s), F%d", address, v)
		w.op("ADD $8, %s, R19", address)
		w.op("VLD1 (R19), V%d.S[2]", v)
	default:
		w.op("VLD1 (%s), [V%d.S4]", address, v)
	}
}

// storeValues stores so many values.
func (w *neonWriter) storeValues(v, count int, address string) {
	switch count {
	case 1:
		w.op("FMOVS F%d, (%s)", v, address)
	case 2:
		w.op("FMOVD F%d, (%s)", v, address)
	case 3:
		w.op("FMOVD F%d, (%s)", v, address)
		w.op("ADD $8, %s, R19", address)
		w.op("VST1 V%d.S[2], (R19)", v)
	default:
		w.op("VST1 [V%d.S4], (%s)", v, address)
	}
}

// next loads the values at a point of so many functions and moves the address to the next
// point's.
func (w *neonWriter) next(address string, support, v int) {
	w.values(address, slotOf(support), v)
	w.op("ADD $%d, %s, %s", 4*slotOf(support), address, address)
}

// put stores them.
func (w *neonWriter) put(v, support int, address string) {
	w.storeValues(v, slotOf(support), address)
	w.op("ADD $%d, %s, %s", 4*slotOf(support), address, address)
}

// fmaLane writes acc += x * one lane of y.
func (w *neonWriter) fmaLane(x, y, lane, acc int) { w.laneWord(0x4f801000, "FMLA", x, y, lane, acc) }

// fmsLane writes acc −= x * one lane of y.
func (w *neonWriter) fmsLane(x, y, lane, acc int) { w.laneWord(0x4f805000, "FMLS", x, y, lane, acc) }

// mulLane writes x * one lane of y.
func (w *neonWriter) mulLane(x, y, lane, to int) { w.laneWord(0x4f809000, "FMUL", x, y, lane, to) }

// laneWord is like word; the lane's number has its high bit in bit 11 and the low one in
// bit 21.
func (w *neonWriter) laneWord(code uint32, name string, x, y, lane, to int) {
	code |= uint32(y)<<16 | uint32(x)<<5 | uint32(to) | uint32(lane&1)<<21 | uint32(lane>>1)<<11
	w.op("WORD $0x%08x // %s V%d.4S, V%d.4S, V%d.S[%d]", code, name, to, x, y, lane)
}

package example

import "math"

// Input is an input of the borehole function.
type Input struct {
	Name   string
	Lo, Hi float64
	Unit   string
	Means  string

	decimals int // in the table
}

// Inputs returns the inputs of [Flow] in order, with the ranges of Harper & Gupta
// as listed in Surjanovic & Bingham, Virtual Library of Simulation Experiments:
// Borehole Function (https://www.sfu.ca/~ssurjano/borehole.html).
func Inputs() []Input {
	return []Input{
		{"rw", 0.05, 0.15, "m", "radius of the borehole", 5},
		{"r", 100, 50000, "m", "radius of influence", 0},
		{"Tu", 63070, 115600, "m²/yr", "transmissivity of the upper aquifer", 0},
		{"Hu", 990, 1110, "m", "potentiometric head of the upper aquifer", 2},
		{"Tl", 63.1, 116, "m²/yr", "transmissivity of the lower aquifer", 2},
		{"Hl", 700, 820, "m", "potentiometric head of the lower aquifer", 2},
		{"L", 1120, 1680, "m", "length of the borehole", 1},
		{"Kw", 9855, 12045, "m/yr", "hydraulic conductivity of the borehole", 0},
	}
}

// Target is the name of the target's column, the flow, and Unit its unit.
const (
	Target = "flow"
	Unit   = "m³/yr"
)

// Flow returns the flow of water through a borehole between two aquifers, in
// m³/yr, without noise, of x in the order of [Inputs]:
//
//	2π Tu (Hu − Hl) / (ln(r/rw) (1 + 2 L Tu / (ln(r/rw) rw² Kw) + Tu/Tl))
//
// Harper & Gupta, Sensitivity/Uncertainty Analysis of a Borehole Scenario Comparing
// Latin Hypercube Sampling and Deterministic Sensitivity Approaches, BMI/ONWI-516,
// 1983.
func Flow(x [8]float64) float64 {
	rw, r, tu, hu, tl, hl, l, kw := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
	logRatio := math.Log(r / rw)
	return 2 * math.Pi * tu * (hu - hl) / (logRatio * (1 + 2*l*tu/(logRatio*rw*rw*kw) + tu/tl))
}

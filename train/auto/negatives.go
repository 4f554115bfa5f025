package auto

import (
	"math"
	"math/rand/v2"

	"beziergp/internal/process/basis"
)

// Negative samples are rows that are not, drawn beside those that are: what a process says
// of the former it cannot have learned from anywhere else.

const (
	// redrawn is the number of inputs, at most, that a negative sample of Var f has drawn
	// anew.
	redrawn = 2
	// precision is what a training row weighs against a negative sample: Var f where both
	// are as likely is one over it, nearly.
	precision = 100
)

// drawNegatives makes every other row a negative sample in some of the inputs given, and
// the targets tell which.
func (d *dataset) drawNegatives(x, y []float32, inputs []int, rng *rand.Rand) {
	for p := range y {
		y[p] = float32(p % 2)
		if p%2 == 0 {
			continue
		}
		for range 1 + rng.IntN(redrawn) {
			i := inputs[rng.IntN(len(inputs))]
			switch b := d.bases[i]; {
			case !basis.Ordered(b):
				x[p*d.Inputs+i] = float32(rng.IntN(b.Nodes()))
			case d.distinct[i] > 1:
				x[p*d.Inputs+i] = rng.Float32()
			}
		}
	}
}

// contrastiveLoss is the part of the evidence lower bound that Var f = f has, with the
// divergence from the prior taken at negative samples, y = 1, in the place of the control
// points:
//
//	½ precision · f                            at training rows
//	KL(N(0, f) ‖ N(0, 1)) = ½ (f − 1 − log f)  at negative samples
func contrastiveLoss(f float64, y []float32) (value, slope float64) {
	if y[0] == 0 {
		return 0.5 * precision * f, 0.5 * precision
	}
	f = max(f, smallestNoise)
	return 0.5 * (f - 1 - math.Log(f)), 0.5 * (1 - 1/f)
}

// redrawLast makes every other row a negative sample, a copy of the one before with its
// last input drawn anew; the targets tell which are rows.
func redrawLast(x, y []float32, d int, rng *rand.Rand) {
	for p := range y {
		y[p] = float32(1 - p%2)
		if p%2 == 1 {
			copy(x[p*d:(p+1)*d-1], x[(p-1)*d:p*d-1])
			x[(p+1)*d-1] = rng.Float32()
		}
	}
}

package auto

import (
	"math"
	"math/rand/v2"

	"beziergp/internal/process/basis"
)

// Negative samples are drawn at random beside the training rows, from a distribution that
// covers more than these do (noise-contrastive estimation, Gutmann & Hyvärinen, JMLR 13,
// 2012). They teach a surface what it is where there are no rows.

const (
	// redrawn is the number of inputs, at most, that a negative sample of Var f has drawn
	// anew.
	redrawn = 2
	// precision is the weight of a training row against a negative sample. Where both are
	// equally likely the loss is least at Var f = 1/(1 + precision).
	precision = 100
)

// drawNegatives makes every other row of a batch a negative sample, by drawing one or two
// of the inputs given anew, and sets the targets to 1 for negative samples and 0 for rows.
func (d *dataset) drawNegatives(x, y []float32, inputs []int, rng *rand.Rand) {
	for p := range y {
		y[p] = float32(p % 2)
		if p%2 == 0 {
			continue
		}
		for range 1 + rng.IntN(redrawn) {
			i := inputs[rng.IntN(len(inputs))]
			category, ok := basis.Bare(d.bases[i]).(basis.Category)
			switch {
			case ok:
				x[p*d.Inputs+i] = float32(category.First(rng.IntN(category.Nodes())))
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

// redrawLast makes every other row of a batch a negative sample, a copy of the row before
// it with its last input drawn anew, uniformly, and sets the targets to 1 for rows and 0
// for negative samples.
func redrawLast(x, y []float32, d int, rng *rand.Rand) {
	for p := range y {
		y[p] = float32(1 - p%2)
		if p%2 == 1 {
			copy(x[p*d:(p+1)*d-1], x[(p-1)*d:p*d-1])
			x[(p+1)*d-1] = rng.Float32()
		}
	}
}

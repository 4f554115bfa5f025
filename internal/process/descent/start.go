package descent

import (
	"math/rand/v2"

	"beziergp/internal/process/surface"
)

// Start lays the weights w of a group of mean buttresses that descent starts from. W = 1
// everywhere makes a buttress the constant one, since a basis adds up to one; so W is 1
// and noise of a small deviation, and the first layers are ±amplitude times that in turn,
// by which the buttresses cancel.
//
// Each column of several outputs' layer is ±1 times that, with a sign drawn for every output and
// pair of buttresses that cancel: so outputs start near zero, where buttresses are even in number,
// and each pair learns a combination of outputs of its own. With equal signs all would begin
// with the sum of the outputs, whose slope is always zero for a softmax.
func Start(g surface.Group, w []float32, amplitude, deviation float64, rng *rand.Rand) {
	outputs := g.Ensemble.Outputs()
	signs := make([]float32, outputs)
	for k := range g.Ensemble.Buttresses() {
		own := g.Ensemble.Weights(w, k)
		sign := amplitude * float64(1-2*(k%2))
		first := g.Ensemble.Widths()[g.Ensemble.Orderings()[k][0]]
		for i := range own {
			own[i] = float32(1 + deviation*rng.NormFloat64())
			if i < first {
				own[i] *= float32(sign)
			}
		}
		if outputs == 1 {
			continue
		}
		if k%2 == 0 {
			for t := range signs {
				signs[t] = float32(1 - 2*rng.IntN(2))
			}
		}
		last := g.Ensemble.Widths()[g.Ensemble.Orderings()[k][g.Ensemble.Inputs()-1]]
		for i := range own[len(own)-last*outputs:] {
			own[len(own)-last*outputs+i] *= signs[i%outputs]
		}
	}
}

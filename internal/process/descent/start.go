package descent

import (
	"math/rand/v2"

	"beziergp/internal/process/surface"
)

// Start lays the weights w of a group of mean buttresses that descent starts from. W = 1
// everywhere makes a buttress the constant one, since a basis adds up to one; so W is 1
// and noise of a small deviation, and the first layers are ±amplitude times that in turn,
// by which the buttresses cancel.
func Start(g surface.Group, w []float32, amplitude, deviation float64, rng *rand.Rand) {
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
	}
}

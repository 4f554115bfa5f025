package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

var threeClasses = Classes{Base: []float64{-0.5, -1.5, -2}}

// The losses are minus the logarithm of the softmax, and the slopes their derivatives, whatever
// the size of f.
func TestLossesOfClasses(t *testing.T) {
	for _, g := range [][]float64{{0, 0, 0}, {1, -2, 0.5}, {50, -50, 3}, {-50, -49, 0}, {1000, 999, 998}} {
		for own := range g {
			what := fmt.Sprintf("class %d at %v", own, g)
			slope := make([]float64, 3)
			value := threeClasses.Losses(g, []float32{float32(own)}, slope)
			if most := max(g[0], g[1], g[2]); most < 10 {
				var sum float64
				for k := range g {
					sum += math.Exp(threeClasses.Base[k] + g[k])
				}
				testkit.Close(t, what, value, -math.Log(math.Exp(threeClasses.Base[own]+g[own])/sum), 1e-12, 1e-12)
			}
			slopesAreDerivatives(t, what, threeClasses, own, g, slope)
		}
	}
}

// slopesAreDerivatives compares the slopes of a class's loss at g with central differences.
func slopesAreDerivatives(t *testing.T, what string, law Classes, own int, g, slope []float64) {
	t.Helper()
	const h = 1e-5
	for k := range g {
		at := func(by float64) float64 {
			moved := append([]float64{}, g...)
			moved[k] += by
			return law.Losses(moved, []float32{float32(own)}, make([]float64, len(g)))
		}
		testkit.Close(t, what+", slope", slope[k], (at(h)-at(-h))/(2*h), 1e-6, 1e-7)
	}
}

// Probabilities add up to one, are the softmax without variance, and draw nearer to each other
// with it, about as draws of f do.
func TestProbabilitiesOfClasses(t *testing.T) {
	mean, p := []float64{2, -1, 0.5}, make([]float64, 3)
	threeClasses.Probabilities(mean, 0, p)
	for k := range p {
		loss := threeClasses.Losses(mean, []float32{float32(k)}, make([]float64, 3))
		testkit.Close(t, "without variance", p[k], math.Exp(-loss), 1e-12, 0)
	}
	const variance, draws = 1.5, 200000
	rng, drawn, of := rand.New(rand.NewPCG(3, 0)), make([]float64, 3), make([]float64, 3)
	for range draws {
		g := make([]float64, 3)
		for k := range g {
			g[k] = mean[k] + math.Sqrt(variance)*rng.NormFloat64()
		}
		threeClasses.Probabilities(g, 0, of)
		for k := range of {
			drawn[k] += of[k] / draws
		}
	}
	threeClasses.Probabilities(mean, variance, p)
	testkit.Close(t, "sum", p[0]+p[1]+p[2], 1, 1e-12, 0)
	for k := range p {
		testkit.Close(t, "beside draws", p[k], drawn[k], 0, 0.02)
	}
}

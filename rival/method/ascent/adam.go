package ascent

import "math"

// Adam is Kingma and Ba's optimiser (ICLR 2015, section 2, with ε beside the averages
// that are not corrected) with their constants, upwards and in float64. optim.Adam has
// algorithm 1 in float32, and neither can stand in for the other.
type Adam struct {
	first, second []float64
	steps         float64
}

// Step moves x along the gradient, by about rate a parameter.
func (a *Adam) Step(x, gradient []float64, rate float64) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	if a.first == nil {
		a.first, a.second = make([]float64, len(x)), make([]float64, len(x))
	}
	a.steps++
	rate *= math.Sqrt(1-math.Pow(beta2, a.steps)) / (1 - math.Pow(beta1, a.steps))
	for i, g := range gradient {
		a.first[i] += (1 - beta1) * (g - a.first[i])
		a.second[i] += (1 - beta2) * (g*g - a.second[i])
		x[i] += rate * a.first[i] / (math.Sqrt(a.second[i]) + epsilon)
	}
}

package buttress

// Effect returns, for every input, the coefficients q of the conditional mean of
// the sum of all buttresses given that input alone, the others being integrated
// out:
//
//	E[f | x_γ] = Σ_i q_γ[i] φ_i(x_γ),  E[f] = Σ_i q_γ[i] means[γ][i] for any γ
//
// means holds every input's basis functions averaged over that input's
// distribution, [d][m]: 1/m for a uniform one. The inputs are taken to be
// independent. w is the weights of the mean buttresses, length Size. One forward
// and one backward sweep through each buttress gives all inputs at once.
func (e *Ensemble) Effect(w []float32, means [][]float64) [][]float64 {
	e.needsOne("conditional means")
	q := make([][]float64, e.Inputs())
	for i, m := range e.widths {
		q[i] = make([]float64, m)
	}
	s := e.NewPaths()
	for k := range e.orderings {
		own := e.Weights(w, k)
		s.forward(e, k, own, 1, means)
		s.backward(func(_ int, l *layer, a, b []float64) {
			weights := l.weights(own)
			for j := range l.cols {
				var arrives float64
				for i, v := range a {
					arrives += v * float64(weights[i*l.cols+j])
				}
				q[l.input][j] += arrives * b[j]
			}
		})
	}
	return q
}

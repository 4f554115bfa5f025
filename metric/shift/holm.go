package shift

import "slices"

// Holm returns probabilities that allow for the number of tests: with the i-th smallest of
// k, from 0 on,
//
//	max over j ≤ i of min(1, (k − j) p_j).
//
// Taking those below α for true, one false alarm or more among all of them has a probability
// of at most α, however the tests depend on each other (Holm, Scandinavian Journal of
// Statistics 6, 1979).
func Holm(probabilities []float64) []float64 {
	order := make([]int, len(probabilities))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case probabilities[a] < probabilities[b]:
			return -1
		case probabilities[a] > probabilities[b]:
			return 1
		}
		return 0
	})
	adjusted, least := make([]float64, len(order)), 0.0
	for i, at := range order {
		least = max(least, min(1, float64(len(order)-i)*probabilities[at]))
		adjusted[at] = least
	}
	return adjusted
}

package train

import "math/rand/v2"

// split shares the numbers below n out in k parts at random.
func split(n, k int, seed uint64) [][]int {
	numbers := rand.New(rand.NewPCG(seed, streamFolds)).Perm(n)
	k = min(k, n)
	parts := make([][]int, k)
	for i := range parts {
		parts[i] = numbers[i*n/k : (i+1)*n/k]
	}
	return parts
}

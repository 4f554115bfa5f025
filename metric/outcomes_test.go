package metric_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/metric"
	"beziergp/predictive"
)

// Outcomes are those of every row alone, whatever the number of workers.
func TestOutcomes(t *testing.T) {
	const n, before = 300, 7
	rng := rand.New(rand.NewPCG(1, 2))
	var all []predictive.Distribution
	var y []float64
	var want []predictive.Outcome
	for i := range n {
		all = append(all, predictive.Distribution{Location: rng.NormFloat64(), Scale: 0.5 + rng.Float64()})
		y = append(y, rng.NormFloat64())
		want = append(want, all[i].Outcome(y[i], before+1+i))
	}
	for _, workers := range []int{0, 1, 3} {
		got := metric.Outcomes(workers, n, before, func(i int) (predictive.Distribution, float64) { return all[i], y[i] })
		if !slices.Equal(got, want) {
			t.Errorf("by %d workers outcomes differ from those of the rows", workers)
		}
	}
}

package train

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/testkit"
)

// Errors that consist of a part of all members, a part of all without the same fold
// and a part of their own: what twins and the differences of members tell of the
// average is what its errors are.
func TestErrorOfTheAverage(t *testing.T) {
	const n, folds, twins = 50000, 5, 2
	for _, c := range []struct{ common, fold, own float64 }{{1, 0, 0.5}, {1, 0.3, 0.3}, {0.2, 1, 0.5}, {0.01, 0, 1}} {
		rng := rand.New(rand.NewPCG(1, 2))
		members := make([][]float64, folds+twins)
		for k := range members {
			members[k] = make([]float64, n)
		}
		average := make([]float64, n)
		for j := range n {
			common := c.common * rng.NormFloat64()
			for k := range members {
				if k < folds {
					members[k][j] = c.fold * rng.NormFloat64()
				}
			}
			for k := range twins {
				members[folds+k][j] = members[k][j]
			}
			for _, m := range members {
				m[j] += common + c.own*rng.NormFloat64()
				average[j] += m[j] / float64(len(members))
			}
		}
		spread := func(_ *sample, errors []float64) float64 {
			var sum float64
			for _, e := range errors {
				sum += e * e
			}
			return sum / float64(len(errors))
		}
		own := square(c.own)
		a := agreement{len(members), twins, (own + square(c.fold)) / own}
		pairs := &sample{own: members[0]}
		got := a.ofAverage(pairs, pairs, members[folds], spread)
		testkit.Close(t, "share of the spread", got, spread(nil, average)/stat.Mean([]float64{spread(nil, members[0]), spread(nil, members[1])}, nil), 0.05, 0.01)
	}
}

func TestClimbFindsTheTop(t *testing.T) {
	for _, top := range []float64{-7.3, -1, -0.4, 0, 0.2, 2, 5.9} {
		got := climb(func(x float64) float64 { return 3 - square(x-top) })
		testkit.Close(t, "top", got, top, 0, 1e-12)
	}
	if at := climb(func(x float64) float64 { return x }); at != factorSteps {
		t.Errorf("without a top climb ends at %g", at)
	}
	if at := climb(func(float64) float64 { return 1 }); at != 0 {
		t.Errorf("on flat ground climb goes to %g", at)
	}
}

package auto

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/testkit"
)

// Errors that consist of a part of all members, a part of all without the same fold
// and a part of their own: what replicates and the differences of members tell of the
// average is what its errors are.
func TestErrorOfTheAverage(t *testing.T) {
	const n, folds, replicates = 50000, 5, 2
	for _, c := range []struct{ common, fold, own float64 }{{1, 0, 0.1}, {1, 0, 0.5}, {1, 0.3, 0.3}, {1, 1, 0.5}, {0.01, 0, 1}} {
		rng := rand.New(rand.NewPCG(1, 2))
		members := make([][]float64, folds+replicates)
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
			for k := range replicates {
				members[folds+k][j] = members[k][j]
			}
			for _, m := range members {
				m[j] += common + c.own*rng.NormFloat64()
				average[j] += m[j] / float64(len(members))
			}
		}
		meanSquare := func(errors []float64) float64 { return floats.Dot(errors, errors) / n }
		own := square(c.own)
		got := ofAverage(make([]float32, n), &sample{rows: upTo(n), own: members[0]}, members[folds],
			ambiguity(len(members), replicates, (own+square(c.fold))/own))
		switch want := meanSquare(average); {
		case c.common >= c.fold+c.own:
			testkit.Close(t, "mean square", meanSquare(got), want, 0.1, 0)
		case meanSquare(got) < want || meanSquare(got) > meanSquare(members[0]):
			// Squares that would be negative are zero: errors come out larger, but not as
			// large as those of one member.
			t.Errorf("mean square %g, not between the average's %g and a member's %g", meanSquare(got), want, meanSquare(members[0]))
		}
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

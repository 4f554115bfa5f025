package main

import (
	"math"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// What is learned of a table of every law is near the law that drew it, and intervals hold
// their rows.
func TestCurvesOfLikelihoodsAreNearTheTruth(t *testing.T) {
	testkit.Long(t)
	all, err := learnedLaws()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(likelihood.Names()) {
		t.Fatalf("%d tables", len(all))
	}
	for _, l := range all {
		for k, truth := range l.Truth {
			off, mean, spread := 0.0, 0.0, 0.0
			for i, v := range truth {
				off += (l.Mean[k][i] - v) * (l.Mean[k][i] - v) / float64(len(truth))
				mean += v / float64(len(truth))
			}
			for _, v := range truth {
				spread += (v - mean) * (v - mean) / float64(len(truth))
			}
			if off > 0.45*0.45*spread {
				t.Errorf("%s, curve %d: RMS distance %.2f of the truth's deviation", l.Name, k, math.Sqrt(off/spread))
			}
		}
		if l.Lower == nil {
			continue
		}
		inside := 0
		for i, x := range l.X {
			at := int(math.Round(x * float64(len(l.At)-1)))
			if l.Lower[at] <= l.Y[i] && l.Y[i] <= l.Upper[at] {
				inside++
			}
		}
		if share := float64(inside) / float64(len(l.X)); share < 0.9 {
			t.Errorf("%s: intervals hold %.3f of the rows", l.Name, share)
		}
	}
}

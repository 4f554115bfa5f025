package likelihood

import (
	"math"
	"testing"
)

func TestTargetsThatLawsDoNotGive(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, _ []float64) {
		wrong := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
		lo, hi := l.Support()
		if !math.IsInf(lo, 0) {
			wrong = append(wrong, lo-1)
		}
		if !math.IsInf(hi, 0) {
			wrong = append(wrong, hi+1)
		}
		if l.Discrete() {
			wrong = append(wrong, 0.5)
		}
		for _, y := range wrong {
			if l.Check(y) == nil {
				t.Errorf("%g is taken", y)
			}
			if got := l.LogDensity(y, 0.3); !math.IsInf(got, -1) {
				t.Errorf("log p(%g) = %g", y, got)
			}
		}
	})
}

// Whatever f, what is said is a number.
func TestNothingOverflows(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		for _, y := range targets {
			for _, f := range []float64{-1e6, -800, -700, -50, 50, 700, 800, 1e6} {
				a, b, c := l.Log(y, f)
				mean := l.Mean(f)
				all := []float64{a, b, c, l.LogDensity(y, f), l.CDF(y, f), mean, l.Variance(f), l.Link(mean)}
				for _, v := range []float64{1e-6, 1, 100, 1e4} {
					a, b, c := l.Expected(y, f, v)
					all = append(all, a, b, c)
				}
				for i, v := range all {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("y = %g, f = %g: the %d. number is %g", y, f, i, v)
					}
				}
				if p := l.CDF(y, f); p < 0 || p > 1 {
					t.Errorf("P(y ≤ %g | %g) = %g", y, f, p)
				}
			}
		}
		for _, mean := range []float64{0, 1e-300, 1, 1e300} {
			if f := l.Link(mean); math.IsNaN(f) || math.IsInf(f, 0) {
				t.Errorf("the link of %g is %g", mean, f)
			}
		}
	})
}

package auto_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp"
	"beziergp/likelihood"
	"beziergp/metric"
	"beziergp/train/auto"
)

// Amounts whose errors are none of a gamma law, here of two humps that lie apart, have a density ratio: their likelihood is far
// larger than without, as many fresh rows as rows out of fold lie in narrower intervals, and the mean is that of the law.
func TestAmountsOfTwoHumps(t *testing.T) {
	if testing.Short() {
		t.Skip("fits models")
	}
	humps := law(func(r *rand.Rand) ([]float64, float64, float64) {
		x := r.Float64()
		mean := 50 * math.Exp(math.Sin(6*x))
		return []float64{x, r.Float64()}, mean, mean * (0.4 + 1.2*float64(r.IntN(2))) * math.Exp(0.2*r.NormFloat64())
	})
	rows, fresh := humps.sample(1500, 1), humps.sample(2000, 2)
	var nlpd, width [2]float64
	for i, without := range [][]auto.Ingredient{nil, {auto.DensityRatio}} {
		var outOfFold beziergp.OutOfFold
		m, err := beziergp.Fit(context.Background(), rows.table(t, 0), "y", beziergp.Options{
			Workers: 2, Likelihood: likelihood.NewLaw(likelihood.Gamma{Shape: 1}, 0), Recipe: auto.Recipe{Effort: auto.Fast, Ablation: without}, OutOfFold: &outOfFold,
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(context.Background(), fresh.table(t, 0), beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var own float64
		for k, y := range outOfFold.Observed {
			own -= outOfFold.Distribution(k).LogDensity(y) / float64(len(outOfFold.Observed))
		}
		for k, y := range fresh.y {
			nlpd[i] -= p.Distribution(k).LogDensity(y) / float64(len(fresh.y))
			width[i] += (p.Upper[k] - p.Lower[k]) / float64(len(fresh.y))
		}
		if math.Abs(own-nlpd[i]) > 0.15 {
			t.Errorf("without %v: NLPD %g out of fold and %g of fresh rows", without, own, nlpd[i])
		}
		if off := metric.RMSE(fresh.mean, p.Mean); off > 6 {
			t.Errorf("without %v: means are off by %g", without, off)
		}
		if c, seen := metric.Coverage(fresh.y, p.Lower, p.Upper), metric.Coverage(outOfFold.Observed, outOfFold.Lower, outOfFold.Upper); c < 0.94 || math.Abs(c-seen) > 0.02 {
			t.Errorf("without %v: %g of fresh rows and %g of those out of fold lie in the 95 %% intervals", without, c, seen)
		}
	}
	if nlpd[0] > nlpd[1]-0.3 || width[0] > 0.9*width[1] {
		t.Errorf("NLPD %g, and %g without a density ratio; intervals %g and %g wide", nlpd[0], nlpd[1], width[0], width[1])
	}
}

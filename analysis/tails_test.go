package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/predictive"
)

// withTails returns the model with these residuals and their scores.
func withTails(t testing.TB, m *model.Model, residuals []float64) *model.Model {
	t.Helper()
	var errs []float64
	for _, r := range residuals {
		errs = append(errs, math.Abs(r))
	}
	s := profile.NewScores(make([]float64, len(residuals)), errs)
	for _, r := range residuals {
		s.Add(r, 0, 0, 0, predictive.Distribution{Scale: 1})
	}
	m = withResiduals(t, m, float64(design.rows))
	training := m.Training()
	mean, variance := stat.PopMeanVariance(residuals, nil)
	n := len(residuals)
	training.Residuals = &model.Residuals{Rows: n, Mean: mean, Std: math.Sqrt(variance), Effective: float64(n)}
	return must[*model.Model](t)(model.New(model.Parts{
		Posterior: m.Posterior(), Inputs: m.Inputs(), Outputs: []model.Output{m.Output()}, Policy: m.Policy(), Training: training, Profile: m.Profile().With(s),
	}))
}

// reach returns how many s/√n the residuals add to half of the 95 % interval of an average over rows
// like those of the training.
func reach(t testing.TB, plain *model.Model, residuals []float64) float64 {
	t.Helper()
	with, without := analysed(t, withTails(t, plain, residuals), nil).Integral(), analysed(t, plain, nil).Integral()
	mean, variance := stat.PopMeanVariance(residuals, nil)
	return 1.96 * math.Sqrt((with.Std*with.Std-without.Std*without.Std-mean*mean)/(variance/float64(len(residuals))))
}

// What heavy tails add is where the transformation of Hall (1992), S + γS²/3√n + γ²S³/27n + γ/6√n
// of S = √n (mean − μ)/s, is −1.96, γ² being κ − 3; residuals of a κ of 3 and less have none.
func TestHeavyTailsReachFarther(t *testing.T) {
	plain, _ := fixture(t, "")
	for _, each := range []int{2, 4, 8, 40, 100} { // of so many residuals one is −1, one is 1
		residuals := make([]float64, 400)
		for i := 0; i+1 < len(residuals); i += each {
			residuals[i], residuals[i+1] = 1, -1
		}
		n := float64(len(residuals))
		kappa := 1 + (float64(each)/2-1)*n/(n-1) // E r⁴/(E r²)², of the sample's variance of r²
		x, c := reach(t, plain, residuals), math.Sqrt(max(0, kappa-3)/n)
		testkit.Close(t, "transformed", x-c*x*x/3+c*c*x*x*x/27-c/6, 1.96, 0, 1e-4)
	}
	// One residual of all is the heaviest tail there is.
	one := make([]float64, 400)
	one[7] = 3
	testkit.Close(t, "one of all", reach(t, plain, one), 6.12, 0.001, 0)
	// Those of log(1 + y) have scores in other units.
	logged, _ := fixture(t, box.Log1p)
	testkit.Close(t, "log1p", reach(t, logged, one), 1.96, 1e-6, 0)
}

// Means of skewed residuals are in their intervals about as often as these say, where a
// Gaussian's are not; those of symmetric ones no less often.
func TestIntervalsOfSkewedMeansHold(t *testing.T) {
	plain, _ := fixture(t, "")
	const n, trials = 200, 250
	rng := rand.New(rand.NewPCG(21, 22))
	for _, law := range []struct {
		name        string
		mean        float64
		draw        func() float64
		least, most float64
	}{
		{"Gaussian", 0, rng.NormFloat64, 0.92, 0.985},
		{"log-normal, σ = 1.5", math.Exp(1.125), func() float64 { return math.Exp(1.5 * rng.NormFloat64()) }, 0.91, 0.99},
		{"log-normal, σ = 2", math.Exp(2), func() float64 { return math.Exp(2 * rng.NormFloat64()) }, 0.86, 0.97},
	} {
		var held, before int
		for range trials {
			residuals := make([]float64, n)
			for i := range residuals {
				residuals[i] = law.draw()
			}
			mean, variance := stat.PopMeanVariance(residuals, nil)
			off := math.Abs(mean-law.mean) / math.Sqrt(variance/n)
			if off <= reach(t, plain, residuals) {
				held++
			}
			if off <= 1.96 {
				before++
			}
		}
		share := float64(held) / trials
		t.Logf("%s: %.3f, and %.3f by 1.96", law.name, share, float64(before)/trials)
		if share < law.least || share > law.most || held < before {
			t.Errorf("%s: %.3f of the intervals hold", law.name, share)
		}
	}
}

// Scores that a model lacks, or errors that are all the same, add nothing.
func TestTailsThatAreNotKnown(t *testing.T) {
	plain, _ := fixture(t, "")
	testkit.Close(t, "equal errors", reach(t, plain, slices.Repeat([]float64{-2, 2}, 50)), 1.96, 1e-6, 0)
	m := withResiduals(t, plain, float64(design.rows)) // has no scores
	with, without := analysed(t, m, nil).Integral(), analysed(t, plain, nil).Integral()
	testkit.Close(t, "no scores", with.Std*with.Std-without.Std*without.Std, residualMean*residualMean+residualStd*residualStd/float64(design.rows), 1e-9, 0)
}

package auto_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/model"
	"beziergp/train"
	"beziergp/train/auto"
)

// Of a function that is linear in a skewed input the selection takes the linear scaling and
// not that by ranks, and the additive model alone.
func TestAdditiveIsChosen(t *testing.T) {
	o := learn(t, "line of skewed", 120, rough...)
	if len(o.Structures) != 1 || o.has("bernstein") || o.Structures[0].Scaling != string(train.Linear) {
		t.Errorf("structures %+v", o.Structures)
	}
	if !(o.rmse < 0.1) {
		t.Errorf("error %g for noise of deviation 0.3 at 120 rows", o.rmse)
	}
}

// The selection takes the additive model where the deviance of the best candidate is lower
// by less than a standard error.
func TestAdditiveWhereNothingElseIsToldFromIt(t *testing.T) {
	if o := learn(t, "slightly bent", 80, rough...); o.has("bernstein") {
		t.Errorf("structures %+v", o.Structures)
	}
}

// Gaussian noise of constant variance about a linear function is found to be that: varying
// noise, a density ratio and heavy tails must gain likelihood, and Var f keeps its factor
// unless a smaller one gains some.
func TestNothingIsFoundInGaussianNoise(t *testing.T) {
	o := learn(t, "Gaussian", 300, rough...)
	if o.Output().LogNoise != nil {
		t.Error("the noise varies")
	}
	if o.predictions.Density != nil {
		t.Error("the distributions have a shape")
	}
	if o.Scales.Tails != 0 {
		t.Errorf("the tails are those of %g degrees of freedom", o.Scales.Tails)
	}
	if o.Scales.Epistemic < 0.1 {
		t.Errorf("Var f is scaled by %g", o.Scales.Epistemic)
	}
	if o.Gain != 1 {
		t.Errorf("averaging of lines, which are all alike, leaves %g of the noise", o.Gain)
	}
	if !(o.told > 0.85 && o.told < 1.15) {
		t.Errorf("predicted variances are %g times the squared errors", o.told)
	}
}

// The average of members that differ errs less than they do, and the predicted variance is
// that of the errors of the average.
func TestAveragingGain(t *testing.T) {
	o := learn(t, "interactions", 80, rough...)
	if o.Members != 7 { // three of them replicates
		t.Errorf("%d members", o.Members)
	}
	if !(o.Gain > 0.3 && o.Gain < 0.8) {
		t.Errorf("averaging leaves %g of the noise", o.Gain)
	}
	if !(o.told > 0.7 && o.told < 1.35) {
		t.Errorf("predicted variances are %g times the squared errors", o.told)
	}
	one := learn(t, "interactions", 80, append(rough[:2:2], auto.Averaging)...)
	if got := math.Pow(o.Model.Noise()/one.Model.Noise(), 2); math.Abs(got-o.Gain) > 1e-6 {
		t.Errorf("the variance of the noise is %g times that of one member, not %g", got, o.Gain)
	}
}

// Out-of-fold errors estimate the errors on new rows, but for the averaging gain.
func TestErrorOutOfFoldIsThatOfNewRows(t *testing.T) {
	for name, o := range map[string]*outcome{
		"interactions":    learn(t, "interactions", 80, rough...),
		"local structure": learn(t, "local structure", 150, auto.Smoothness),
	} {
		if ratio := o.Training().RMSE / o.off; !(ratio > 0.95 && ratio < 1.4) {
			t.Errorf("%s: the error out of fold is %g times that of fresh rows", name, ratio)
		}
	}
}

// So do scores of the distributions out of fold, with what else is cross-fitted: a noise and
// a density ratio that had seen the row, or a member that had, would score far better.
func TestScoresOutOfFoldAreThoseOfNewRows(t *testing.T) {
	for name, o := range map[string]*outcome{
		"interactions": learn(t, "interactions", 80, append(rough[:2:2], auto.Averaging)...), // of one member
		"two humps":    learn(t, "two humps", 300, rough...),
		"outliers":     learn(t, "outliers", 300, rough...),
	} {
		s := o.Training().OutOfFold
		t.Logf("%s: %+v, of fresh rows NLPD %g", name, *s, o.nlpd)
		if math.Abs(s.NLPD-o.nlpd) > 0.25 || s.Coverage95 < 0.91 {
			t.Errorf("%s: out of fold %+v, of fresh rows NLPD %g", name, *s, o.nlpd)
		}
	}
}

// Noise is learned by the loss of a Student's t, so that a few outliers do not raise its
// variance where it is low.
func TestNoiseBearsWithOutliers(t *testing.T) {
	o := learn(t, "outliers", 300, rough...)
	if quiet, loud := o.std(0, 0.45), o.std(0.55, 1); !(quiet < 0.35*loud) {
		t.Errorf("deviations %g on the quiet side, %g on the loud one", quiet, loud)
	}
}

// Where distributions have to be Gaussian, calibration answers outliers in a region of low
// noise by a floor and a power of σ²(x).
func TestCalibrationBearsWithOutliers(t *testing.T) {
	o := learn(t, "far outliers", 300, append(rough[:2:2], auto.HeavyTails, auto.DensityRatio)...)
	if !(o.nlpd < 0.8) { // 1.9 without both
		t.Errorf("minus the log-likelihood is %g a row", o.nlpd)
	}
	if quiet, loud := o.std(0, 0.45), o.std(0.55, 1); !(quiet > 0.2 && loud < 0.58) {
		t.Errorf("deviations %g on the quiet side and %g on the loud one are not those that were calibrated", quiet, loud)
	}
}

// Conformal intervals cover what they promise, whatever the distribution.
func TestConformalOfFewRows(t *testing.T) {
	for law, rows := range map[string]int{"heavy tails": 200, "two humps": 300, "quiet and loud": 200} {
		if o := learn(t, law, rows, rough...); !(o.conformal > 0.9 && o.conformal < 0.98) { // 0.95 within three deviations
			t.Errorf("%s: %g of the rows lie in their conformal intervals", law, o.conformal)
		}
	}
}

// In the corners of the box, where no rows are, the mean is clamped to a tenth of their range
// beyond the targets, and marked as clamped.
func TestMeansInCornersAreClamped(t *testing.T) {
	rows := laws["difference"].sample(100, 1)
	corners := sample{x: [][]float64{{0.02, 0.98}, {0.98, 0.02}}, mean: make([]float64, 2), y: make([]float64, 2)}
	o := learnFrom(t, rows, corners, 0, rough...)
	lo, hi := slices.Min(rows.y), slices.Max(rows.y)
	within := 0.1*(hi-lo) + 1e-6
	for i, mean := range o.predictions.Mean {
		if o.predictions.Clamped[i]&model.ClampedMean == 0 || mean < lo-within || mean > hi+within {
			t.Errorf("mean %g for targets from %g to %g; clamped: %v", mean, lo, hi, o.predictions.Clamped[i])
		}
	}
}

// Var f is clamped to the largest variance of a distribution within these limits.
func TestVarianceInCornersIsClamped(t *testing.T) {
	rows := laws["diagonal"].sample(200, 1)
	o := learnFrom(t, rows, laws["anywhere"].sample(2000, 2), 0, rough...)
	// A variable within [lo, hi] has a deviation of at most (hi − lo)/2.
	most, clamped := 0.6*(slices.Max(rows.y)-slices.Min(rows.y)), 0
	for i, std := range o.predictions.StdF {
		if o.predictions.Clamped[i]&model.ClampedStd != 0 {
			clamped++
		}
		if std > most*(1+1e-6) {
			t.Fatalf("deviation %g of f, at most %g", std, most)
		}
	}
	if clamped < 30 {
		t.Errorf("%d of %d deviations are clamped", clamped, len(o.predictions.StdF))
	}
}

// levels are rows of a category of so many levels with a target for each, and a little
// noise.
func levels(n, times int) (s sample) {
	r := rand.New(rand.NewPCG(3, 3))
	of := make([]float64, n)
	for i := range of {
		of[i] = r.NormFloat64()
	}
	for i := range n * times {
		s.x = append(s.x, []float64{float64(i % n)})
		s.mean, s.y = append(s.mean, of[i%n]), append(s.y, of[i%n]+0.05*r.NormFloat64())
	}
	return s
}

// Rows of equal inputs are in different folds, so that a row held out has its copies among
// the rows trained on.
func TestCopiesAreInDifferentFolds(t *testing.T) {
	rows := levels(50, 2)
	if o := learnFrom(t, rows, rows, 50, rough...); !(o.Training().RMSE < 0.3) {
		t.Errorf("error out of fold %g", o.Training().RMSE)
	}
}

// A table that is another one twice gives the same model as that one.
func TestRepeatedTable(t *testing.T) {
	rows := levels(40, 1)
	once := learnFrom(t, rows, rows, 40, rough...)
	rows.x, rows.mean, rows.y = append(rows.x, rows.x...), append(rows.mean, rows.mean...), append(rows.y, rows.y...)
	twice := learnFrom(t, rows, rows, 40, rough...)
	if a, b := once.Training().RMSE, twice.Training().RMSE; math.Abs(a-b) > 1e-3*a {
		t.Errorf("error out of fold %g, of the table twice %g", a, b)
	}
}

// In another order the same rows give the same model but for rounding.
func TestOrderOfRows(t *testing.T) {
	one := learn(t, "skewed input", 150, rough...)
	rows := laws["skewed input"].sample(150, 1)
	slices.Reverse(rows.x)
	slices.Reverse(rows.mean)
	slices.Reverse(rows.y)
	other := learnFrom(t, rows, one.fresh, 0, rough...)
	for i, mean := range one.predictions.Mean {
		if math.Abs(other.predictions.Mean[i]-mean) > 0.01 {
			t.Fatalf("fresh row %d is predicted as %g, by the rows in another order as %g", i, mean, other.predictions.Mean[i])
		}
	}
}

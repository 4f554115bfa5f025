package paper

import (
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// fourPasses is a Gaussian of which the bound does not know that it is linear in Var f.
type fourPasses struct {
	likelihood.Gaussian
	variances *int // rows whose variance was asked for
}

func (fourPasses) VarianceSlope() (float64, bool) { return 0, false }

func (l fourPasses) Expectation(y []float32, weights, mean, variance []float64) float64 {
	*l.variances += len(variance)
	return l.Gaussian.Expectation(y, weights, mean, variance)
}

// The recipe takes the likelihood of the training set.
func TestFitTakesAnyLikelihood(t *testing.T) {
	data, o := fixture(t, 300), short
	o.Steps = 50
	want := fit(t, o, data, train.Environment{})
	law := fourPasses{variances: new(int)}
	data.Likelihood = law
	got := fit(t, o, data, train.Environment{})
	if *law.variances != o.Steps*o.Batch {
		t.Errorf("the variance of %d rows was asked for, want %d", *law.variances, o.Steps*o.Batch)
	}
	if !slices.Equal(got.Posterior.Params(), want.Posterior.Params()) || got.Noise != want.Noise {
		t.Error("four passes end elsewhere than a Gaussian's quick way")
	}
	testkit.Close(t, "objective", got.Objective, want.Objective, 1e-12, 0)
}

func TestFitRefusesSeveralOutputs(t *testing.T) {
	data := fixture(t, 300)
	data.Outputs = 2
	if _, err := short.Fit(t.Context(), data, train.Environment{}); err == nil {
		t.Error("two columns of targets are accepted")
	}
}

package paper

import (
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/predictive"
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

// renamed is a Gaussian under another name.
type renamed struct{ likelihood.Gaussian }

func (renamed) Name() string { return "renamed" }

// heavy is a law whose predictive distributions are Student's t.
type heavy struct{ renamed }

func (heavy) Predictive(mean, variance, dispersion float64) predictive.Distribution {
	f, err := predictive.NewFamily(4, false)
	if err != nil {
		panic(err)
	}
	return predictive.Distribution{Location: mean, Scale: math.Sqrt(variance + dispersion), Family: f}
}

// The mean of a transformed target does not exist under a law with heavy tails.
func TestFitRefusesHeavyTailsOfATransformedTarget(t *testing.T) {
	data, o := fixture(t, 300), short
	o.Steps, data.LightTails = 2, true
	for law, refused := range map[likelihood.Likelihood]bool{nil: false, renamed{}: false, heavy{}: true} {
		data.Likelihood = law
		_, err := o.Fit(t.Context(), data, train.Environment{})
		var option *train.OptionError
		if errors.As(err, &option) != refused || refused && option.Option != "likelihood" {
			t.Errorf("%T: error %v", law, err)
		}
	}
	data.LightTails = false
	fit(t, o, data, train.Environment{})
}

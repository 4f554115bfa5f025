package model_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
)

// steeper is a law with E[y | f] = 3 f, the scale of a Gaussian twice and, for F₀, a
// Student's t of 4 degrees of freedom, whose deviation is √2.
type steeper struct{ likelihood.Gaussian }

func (steeper) Name() string { return "steeper" }

func (s steeper) Predictive(mean, variance, dispersion float64) predictive.Distribution {
	d := s.Gaussian.Predictive(mean, variance, dispersion)
	f, err := predictive.NewFamily(4, false)
	if err != nil {
		panic(err)
	}
	return predictive.Distribution{Location: 3 * d.Location, Scale: 2 * d.Scale, Family: f}
}

// A prediction is the predictive distribution of the target's law.
func TestPredictionsAreThoseOfTheLaw(t *testing.T) {
	m, _ := fixture(t)
	if m.Output().Likelihood != (likelihood.Gaussian{}) {
		t.Errorf("a model of no law has the law %v", m.Output().Likelihood)
	}
	plain := predict(t, m, rows(t), model.PredictOptions{})
	other := predict(t, m.WithLaw(steeper{}, 0), rows(t), model.PredictOptions{})
	for row, mean := range plain.Mean {
		testkit.Close(t, "mean", other.Mean[row], 100+3*(mean-100), 1e-12, 0)
		testkit.Close(t, "deviation", other.Std[row], 2*math.Sqrt2*plain.Std[row], 1e-12, 0)
		testkit.Close(t, "deviation of f", other.StdF[row], plain.StdF[row], 0, 0)
	}
	learned := predict(t, m.WithLaw(steeper{}, 3), rows(t), model.PredictOptions{})
	if own, tails := other.Family.Tails(), learned.Family.Tails(); own != 4 || tails != 3 {
		t.Errorf("%g degrees of freedom, and %g where 3 were learned; want those of the law, 4", own, tails)
	}
}

// Files name a law other than the Gaussian, and one that names a law which this version
// does not know is refused in words.
func TestFilesNameTheLaw(t *testing.T) {
	m, _ := fixture(t)
	plain := saved(t, m)
	if bytes.Contains(plain, []byte("likelihood")) {
		t.Error("the file of a Gaussian names its law")
	}
	named := testkit.EditHeader(plain, `\"format\":4`, `\"format\":4,\"likelihood\":\"gaussian\"`)
	again, err := model.Read(bytes.NewReader(named))
	if err != nil || again.Output().Likelihood != (likelihood.Gaussian{}) || !bytes.Equal(saved(t, again), plain) {
		t.Errorf("a Gaussian by its name: %v", err)
	}
	_, err = model.Read(bytes.NewReader(saved(t, m.WithLaw(steeper{}, 0))))
	var bad *model.FileError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), `"steeper" is unknown`) || strings.Contains(err.Error(), "damaged") {
		t.Errorf("an unknown law: %v", err)
	}
}

func TestNewRefusesALawThatNoFileCanName(t *testing.T) {
	m, _ := fixture(t)
	_, err := model.New(model.Parts{
		Posterior: m.Posterior(), Inputs: m.Inputs(), Policy: box.Clip,
		Outputs: []model.Output{{Target: m.Target(), Noise: math.Pi, Likelihood: steeper{}}},
	})
	if err == nil || !strings.Contains(err.Error(), `likelihood "steeper" is unknown`) {
		t.Errorf("error %v", err)
	}
}

// Amounts have a density ratio: the file keeps it, all but the mean follows from the distributions, which are those of their
// values, and the mean is that of the law. Counts have none.
func TestAmountsWithADensityRatio(t *testing.T) {
	gamma := likelihood.NewLaw(likelihood.Gamma{Shape: 4}, 1)
	of := func(law likelihood.Likelihood, ratio *model.Auxiliary) (*model.Model, error) {
		m, _ := fixture(t)
		target := m.Target()
		target.Mean, target.SD = 0, 1
		return model.New(model.Parts{
			Posterior: m.Posterior(), Inputs: m.Inputs(), Policy: box.Clip,
			Outputs: []model.Output{{Target: target, Noise: 1, Likelihood: law, DensityRatio: ratio}},
		})
	}
	plain, err := of(gamma, nil)
	if err != nil {
		t.Fatal(err)
	}
	tilted, err := of(gamma, ratio(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	again, err := model.Read(bytes.NewReader(saved(t, tilted)))
	if err != nil {
		t.Fatal(err)
	}
	without, with := predict(t, plain, rows(t), model.PredictOptions{}), predict(t, again, rows(t), model.PredictOptions{})
	for row, mean := range without.Mean {
		testkit.Close(t, "mean", with.Mean[row], mean, 1e-12, 0)
		d := with.Distribution(row)
		if d.Density == nil {
			t.Fatalf("row %d has no density", row)
		}
		_, std := d.Moments()
		testkit.Close(t, "deviation", with.Std[row], std, 1e-12, 0)
		testkit.Close(t, "lower end", with.Lower[row], d.Quantile(0.025), 1e-9, 0)
		if with.Upper[row] == without.Upper[row] || with.Std[row] == without.Std[row] {
			t.Errorf("row %d: the density ratio changes nothing", row)
		}
	}
	if _, err := of(likelihood.NewLaw(likelihood.Poisson{}, 0), ratio(t, 3)); err == nil || !strings.Contains(err.Error(), "density ratio") {
		t.Errorf("counts with a density ratio: %v", err)
	}
}

package conform_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/likelihood"
	"beziergp/predictive"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/conform"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/deepgp"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/rival/method/simplex"
	"beziergp/rival/method/svgp"
)

// lawsOf returns laws with and without parameters of their own, with exposures, and of classes.
func lawsOf(t *testing.T) map[string]conform.Law {
	t.Helper()
	laws := map[string]conform.Law{}
	for _, s := range []likelihood.Scalar{likelihood.Bernoulli{}, likelihood.Poisson{}, likelihood.NegativeBinomial{Dispersion: 0.3}, likelihood.Gamma{Shape: 3}} {
		family := predictive.NewLawFamily(s)
		laws[s.Name()] = conform.Law{
			Law: lawOf(t, likelihood.NewLaw(s, 0)),
			Draw: func(random *rand.Rand, f []float64) float64 {
				return predictive.Distribution{Location: f[0], Family: family}.Quantile(random.Float64())
			},
			Exposure: !likelihood.Classifies(likelihood.NewLaw(s, 0)),
		}
	}
	three := likelihood.Classes{Base: make([]float64, 3)}
	laws["categorical"] = conform.Law{Law: lawOf(t, three), Draw: func(random *rand.Rand, f []float64) float64 {
		p := make([]float64, len(f))
		three.Probabilities(slices.Clone(f), 0, p)
		u := random.Float64()
		for k, own := range p {
			if u -= own; u < 0 {
				return float64(k)
			}
		}
		return float64(len(p) - 1)
	}}
	return laws
}

func lawOf(t *testing.T, l likelihood.Likelihood) method.Law {
	t.Helper()
	law, err := rival.NewLaw(l)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

func TestMethodsConform(t *testing.T) {
	// A search for the best parameters stops where a step gains less than a millionth of
	// a nat a row, a little elsewhere with every rounding.
	const drift = 0.01
	type held struct {
		method method.Method
		traits conform.Traits
	}
	all := map[string]held{
		"constant":  {constant.Method{}, conform.Traits{Restore: constant.Restore, Lawful: true, Tells: -0.05}},
		"linear":    {linear.Method{}, conform.Traits{DistanceAware: true, Restore: linear.Restore, Lawful: true, Tells: 0.9}},
		"knn":       {knn.Method{}, conform.Traits{Learns: 0.4, Restore: knn.Restore, Lawful: true, Tells: 0.5, AnyLatents: true}},
		"exact":     {exact.Method{}, conform.Traits{Learns: 0.05, Interpolates: 0.01, DistanceAware: true, Drift: drift, Restore: exact.Restore}},
		"rbf":       {exact.Method{Family: covariance.RBF}, conform.Traits{Learns: 0.05, Interpolates: 0.01, DistanceAware: true, Drift: drift, Restore: exact.Restore}},
		"matern32":  {exact.Method{Family: covariance.Matern32}, conform.Traits{Learns: 0.1, Interpolates: 0.05, DistanceAware: true, Drift: drift, Restore: exact.Restore}},
		"sgpr":      {sgpr.Method{Inducing: 25, Steps: 50}, conform.Traits{Learns: 0.05, Interpolates: 0.02, DistanceAware: true, Drift: drift, Restore: sgpr.Restore}},
		"sgprFixed": {sgpr.Method{Inducing: 25, Fixed: true, Steps: 50, Family: covariance.RBF}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: sgpr.Restore}},
		"deepgp":    {deepgp.Method{Inducing: 20, Batch: 50, Steps: 200, Rate: 0.03}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: deepgp.Restore}},
		"deep3":     {deepgp.Method{Layers: 3, Inducing: 20, Batch: 50, Steps: 200, Rate: 0.03, Samples: 16}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: deepgp.Restore}},
		"svgp":      {svgp.Method{Inducing: 20, Batch: 50, Steps: 150, Rate: 0.05}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: svgp.Restore}},
		"simplex":   {simplex.Method{}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: simplex.Restore}},
	}
	for _, m := range rival.Methods() {
		if _, ok := all[m.Name]; !ok {
			t.Errorf("%s is not held to the suite", m.Name)
		}
	}
	laws := lawsOf(t)
	for name, c := range all {
		c.traits.Laws = laws
		t.Run(name, func(t *testing.T) { conform.Run(t, c.method, c.traits) })
	}
}

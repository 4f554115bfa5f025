package conform_test

import (
	"testing"

	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/conform"
	"beziergp/rival/method/constant"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/rival/method/svgp"
)

func TestMethodsConform(t *testing.T) {
	// A search for the best parameters stops where a step gains less than a millionth of
	// a nat a row, a little elsewhere with every rounding.
	const drift = 0.01
	type held struct {
		method method.Method
		traits conform.Traits
	}
	all := map[string]held{
		"constant":  {constant.Method{}, conform.Traits{Restore: constant.Restore}},
		"linear":    {linear.Method{}, conform.Traits{DistanceAware: true, Restore: linear.Restore}},
		"knn":       {knn.Method{}, conform.Traits{Learns: 0.4, Restore: knn.Restore}},
		"exact":     {exact.Method{}, conform.Traits{Learns: 0.05, Interpolates: 0.01, DistanceAware: true, Drift: drift, Restore: exact.Restore}},
		"matern32":  {exact.Method{Family: covariance.Matern32}, conform.Traits{Learns: 0.1, Interpolates: 0.05, DistanceAware: true, Drift: drift, Restore: exact.Restore}},
		"sgpr":      {sgpr.Method{Inducing: 25, Steps: 50}, conform.Traits{Learns: 0.05, Interpolates: 0.02, DistanceAware: true, Drift: drift, Restore: sgpr.Restore}},
		"sgprFixed": {sgpr.Method{Inducing: 25, Fixed: true, Steps: 50, Family: covariance.Matern52}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: sgpr.Restore}},
		"svgp":      {svgp.Method{Inducing: 20, Batch: 50, Steps: 150, Rate: 0.05}, conform.Traits{Learns: 0.1, DistanceAware: true, Drift: drift, Restore: svgp.Restore}},
	}
	for _, m := range rival.Methods() {
		if _, ok := all[m.Name]; !ok {
			t.Errorf("%s is not held to the suite", m.Name)
		}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) { conform.Run(t, c.method, c.traits) })
	}
}

package conform_test

import (
	"testing"

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
	for name, c := range map[string]struct {
		method method.Method
		traits conform.Traits
	}{
		"constant":  {constant.Method{}, conform.Traits{Restore: constant.Restore}},
		"linear":    {linear.Method{}, conform.Traits{Doubts: true, Restore: linear.Restore}},
		"knn":       {knn.Method{}, conform.Traits{Learns: 0.4, Restore: knn.Restore}},
		"exact":     {exact.Method{}, conform.Traits{Learns: 0.05, Interpolates: 0.01, Doubts: true, Drift: drift, Restore: exact.Restore}},
		"matern32":  {exact.Method{Family: covariance.Matern32}, conform.Traits{Learns: 0.1, Interpolates: 0.05, Doubts: true, Drift: drift, Restore: exact.Restore}},
		"sgpr":      {sgpr.Method{Inducing: 25, Steps: 50}, conform.Traits{Learns: 0.05, Interpolates: 0.02, Doubts: true, Drift: drift, Restore: sgpr.Restore}},
		"sgprFixed": {sgpr.Method{Inducing: 25, Fixed: true, Steps: 50, Family: covariance.Matern52}, conform.Traits{Learns: 0.1, Doubts: true, Drift: drift, Restore: sgpr.Restore}},
		"svgp":      {svgp.Method{Inducing: 20, Batch: 50, Steps: 150, Rate: 0.05}, conform.Traits{Learns: 0.1, Doubts: true, Drift: drift, Restore: svgp.Restore}},
	} {
		t.Run(name, func(t *testing.T) { conform.Run(t, c.method, c.traits) })
	}
}

package report

import (
	"strings"
	"testing"

	"beziergp/bench/record"
)

func TestSettledIsWhereACurveStaysNearItsEnd(t *testing.T) {
	for _, test := range []struct {
		curve   [][2]float64
		seconds float64
	}{
		{[][2]float64{{1, 2}, {2, 1.02}, {3, 1.009}, {4, 1}}, 3},
		{[][2]float64{{1, 1.001}, {2, 1.5}, {3, 1}}, 3}, // near once, but not for good
		{[][2]float64{{1, 0.5}, {2, 1}}, 1},
		{[][2]float64{{7, 2}}, 7},
	} {
		if seconds := settled(test.curve); seconds != test.seconds {
			t.Errorf("%v: %g s", test.curve, seconds)
		}
	}
}

func TestQualityNamesTheQuickestFitThatIsAsGood(t *testing.T) {
	fit := func(set, method, version string, rmse, seconds float64, curve ...[2]float64) record.Record {
		return record.Record{Suite: "quality", Set: set, Method: method, RMSE: &rmse, FitSeconds: seconds, Version: version, Curve: curve}
	}
	records := []record.Record{
		fit("protein", "BezierGP auto", "beziergp v1", 3.4, 40),
		fit("protein", "BezierGP auto fast", "beziergp v1", 3.7, 8),
		fit("smooth", "BezierGP auto fast", "beziergp v1", 0.5, 8),
		fit("protein", "quick rival", "torch 2", 3.8, 200, [2]float64{50, 4}, [2]float64{160, 3.8}),
		fit("protein", "good rival", "torch 2", 3.5, 900, [2]float64{800, 3.5}),
		fit("smooth", "good rival", "torch 2", 0.4, 900, [2]float64{800, 0.4}),
		fit("smooth", "no curve", "torch 2", 0.4, 900),
	}
	var page strings.Builder
	newGrid("quality", aggregate(records)).quality(&page)
	for _, line := range []string{
		"| protein | quick rival | 3.8 | 160 | BezierGP auto fast | 3.7 | 8 | 20 |",
		"| protein | good rival | 3.5 | 800 | BezierGP auto | 3.4 | 40 | 20 |",
		"| smooth | good rival | 0.4 | 800 | none |  |  |  |",
	} {
		if !strings.Contains(page.String(), line+"\n") {
			t.Errorf("there is no line %s", line)
		}
	}
	if strings.Contains(page.String(), "no curve") {
		t.Error("a method without a curve is in the table")
	}
	if t.Failed() {
		t.Log(page.String())
	}
}

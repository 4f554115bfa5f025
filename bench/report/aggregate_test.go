package report

import (
	"math"
	"testing"

	"beziergp/bench/record"
)

func of(v float64) *float64 { return &v }

func TestAggregate(t *testing.T) {
	base := record.Record{Suite: "uci", Set: "energy", Method: "Linear", FitSeconds: 1}
	with := func(split int, rmse float64, err string) record.Record {
		r := base
		r.Split, r.RMSE, r.NLPD, r.Error = split, of(rmse), of(-rmse), err
		if err != "" {
			r.RMSE, r.NLPD = nil, nil
		}
		return r
	}
	cells := aggregate([]record.Record{
		with(0, 0, "out of memory"), with(1, 4, ""), with(2, 6, ""), with(0, 2, ""), with(3, 0, "too slow"),
	})
	if len(cells) != 1 {
		t.Fatalf("%d cells", len(cells))
	}
	// 2, 4 and 6 by hand: mean 4, squares 4 + 0 + 4 over 2.
	c := cells[0]
	if c.rmse != (Stat{4, 2}) || c.nlpd != (Stat{-4, 2}) || len(c.made) != 3 || len(c.errors) != 1 || c.errors[0] != "too slow" {
		t.Errorf("%+v", c)
	}
	if !math.IsNaN(c.crps.Mean) || !math.IsNaN(c.memory.Mean) || c.fit != (Stat{1, 0}) {
		t.Errorf("%+v", c)
	}
	one := aggregate([]record.Record{with(0, 3, "")})[0]
	if one.rmse.Mean != 3 || !math.IsNaN(one.rmse.SD) {
		t.Errorf("one fit: %+v", one.rmse)
	}
}

func TestCellsComeInTheSuitesOrder(t *testing.T) {
	var records []record.Record
	for _, method := range []string{"XGBoost", "Constant", "AdaBoost", "BezierGP auto"} {
		for _, set := range []string{"own", "boston", "energy"} {
			records = append(records, record.Record{Suite: "uci", Set: set, Method: method})
		}
	}
	var got []string
	for _, c := range aggregate(records) {
		got = append(got, c.set+" "+c.method)
	}
	want := []string{
		"energy BezierGP auto", "energy Constant", "energy AdaBoost", "energy XGBoost",
		"boston BezierGP auto", "boston Constant", "boston AdaBoost", "boston XGBoost",
		"own BezierGP auto", "own Constant", "own AdaBoost", "own XGBoost",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestSlope(t *testing.T) {
	x, y := []float64{1, 2, 4, 8}, []float64{5, 5, 20, 80} // y = 1.25·x² from 2 on
	if got := slope(x, y, 1); math.Abs(got-2) > 1e-12 {
		t.Errorf("slope %g, want 2", got)
	}
	if got := slope(x, y, 3); !math.IsNaN(got) {
		t.Errorf("the slope of a point is %g", got)
	}
	if got := slope([]float64{1, 2, 3}, []float64{math.NaN(), 7, 7}, 0); math.Abs(got) > 1e-12 {
		t.Errorf("slope %g, want 0", got)
	}
}

func TestDeviationHasNoExponent(t *testing.T) {
	for v, want := range map[float64]string{0.0123: "0.012", 4: "4", 53.2: "53", 140.5: "140", 3e12: "3e+12"} {
		if got := deviation(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

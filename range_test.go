package beziergp_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/rival"
	"beziergp/train/paper"
)

// A range is kept in the model, be its rows in memory or on disk and its method another,
// and what is learned does not depend on it.
func TestFitKeepsTheRange(t *testing.T) {
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i], y[i] = float64(i), math.Max(0, float64(i)-20)
	}
	tab := mustTable(t, column("x", x...), column("y", y...))
	within := &beziergp.Range{Lo: 0, Hi: 100}
	o := beziergp.Options{Workers: 1, Recipe: paper.Recipe{Order: 2, Steps: 20, Orderings: 2}}
	free := fit(t, tab, o)
	o.Range = within
	ctx := context.Background()
	linear := func() *rival.Model {
		method, _ := rival.Find("linear")
		m, err := beziergp.FitRival(ctx, tab, "y", method.New(rival.Settings{}), beziergp.RivalOptions{Range: within})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	cached, err := beziergp.FitCache(ctx, cacheOf(t, tab, "y"), "y", o)
	if err != nil {
		t.Fatal(err)
	}
	own := fit(t, tab, o)
	for name, m := range map[string]interface {
		Predict(context.Context, *beziergp.Table, beziergp.PredictOptions) (*beziergp.Predictions, error)
		Target() box.Target
	}{"in memory": own, "on disk": cached, "another method": linear()} {
		if r := m.Target().Range; r == nil || *r != *within {
			t.Errorf("%s: range %v, want %v", name, r, within)
		}
		p, err := m.Predict(ctx, mustTable(t, column("x", 0, 5, 39)), beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for row := range p.Mean {
			for _, v := range []float64{p.Mean[row], p.Lower[row], p.Upper[row], p.Distribution(row).Quantile(1e-4)} {
				if !within.Contains(v) {
					t.Errorf("%s: row %d: %g beyond %v", name, row, v, within)
				}
			}
		}
	}
	if a, b := free.Posterior().Params(), own.Posterior().Params(); a[0] != b[0] || a[len(a)-1] != b[len(b)-1] {
		t.Error("a range changes what is learned")
	}
}

func TestFitRefusesTargetsBeyondTheRange(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3, 4, 5), column("y", 1, 2, -1, 4, 5))
	o := beziergp.Options{Recipe: paper.Recipe{Steps: 5}, Range: &beziergp.Range{Lo: 0, Hi: math.Inf(1)}}
	_, inMemory := beziergp.Fit(context.Background(), tab, "y", o)
	_, onDisk := beziergp.FitCache(context.Background(), cacheOf(t, tab, "y"), "y", o)
	method, _ := rival.Find("linear")
	_, other := beziergp.FitRival(context.Background(), tab, "y", method.New(rival.Settings{}), beziergp.RivalOptions{Range: o.Range})
	for name, err := range map[string]error{"in memory": inMemory, "on disk": onDisk, "another method": other} {
		var beyond *box.RangeError
		var data *beziergp.DataError
		if !errors.As(err, &beyond) || !errors.As(err, &data) || beyond.Row != 3 || beyond.Value != -1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
	o.Range = &beziergp.Range{Lo: 2, Hi: 1}
	var option *beziergp.OptionError
	if _, err := beziergp.Fit(context.Background(), tab, "y", o); !errors.As(err, &option) {
		t.Errorf("error %v", err)
	}
}

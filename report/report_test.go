package report_test

import (
	"math"
	"slices"
	"testing"

	"beziergp"
	"beziergp/analysis"
	"beziergp/explain"
	"beziergp/metric"
	"beziergp/model"
	"beziergp/report"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

// Scores are those of the functions of package metric over all rows, however few are drawn.
func TestScoresAreOfAllRows(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	tab := rows(250, 2)
	r := reported(t, m, tab, 64, report.Options{Rows: 20})
	y, _ := tab.Column(target)
	p := must[*model.Predictions](t)(m.Predict(ctx, tab, model.PredictOptions{}))
	var nlpd, crps float64
	for i, d := range p.Distributions() {
		nlpd -= d.LogDensity(y[i]) / 250
		crps += d.CRPS(y[i]) / 250
	}
	want := map[string]float64{
		"n": 250, "rmse": metric.RMSE(y, p.Mean), "nlpd": nlpd, "crps": crps, "coverage95": metric.Coverage(y, p.Lower, p.Upper), "r2": metric.R2(y, p.Mean),
		"mae": metric.MAE(y, p.Mean), "medae": metric.MedianAE(y, p.Mean), "mape": metric.MAPE(y, p.Mean), "width95": metric.MeanWidth(p.Lower, p.Upper),
		"interval_score95": metric.IntervalScore(y, p.Lower, p.Upper, 0.95),
	}
	for _, s := range r.Scores {
		if s.Rows == nil || !near(*s.Rows, want[s.Name]) {
			t.Errorf("%s: %v, want %v", s.Name, s.Rows, want[s.Name])
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
	out := m.Training().OutOfFold
	if got := r.Scores[1].OutOfFold; got == nil || *got != out.RMSE {
		t.Errorf("out of fold %v, want %v", got, out.RMSE)
	}
	// Intervals of the levels that the transforms are counted for.
	for _, c := range r.Calibration {
		if c.Of != "these rows" {
			continue
		}
		for k, level := range c.Levels() {
			inside := 0
			for i, d := range p.Distributions() {
				if u := d.CDF(y[i]); math.Abs(2*u-1) <= level {
					inside++
				}
			}
			if got := c.Shares()[k]; math.Abs(got-float64(inside)/250) > 0.0041 { // one row may lie on an edge
				t.Errorf("intervals of %g hold %g, want %g", level, got, float64(inside)/250)
			}
		}
	}
}

// Importance is the mean over all rows of what package explain tells in one piece, and a row's
// parts are its values.
func TestImportanceIsThatOfExplain(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	tab := rows(200, 4)
	r := reported(t, m, tab, 77, report.Options{Rows: 30})
	a := must[*explain.Attributions](t)(explain.Explain(ctx, m, tab, explain.Options{}))
	c := len(a.Columns)
	if len(r.Importance) != c || !near(r.Base, a.Base) {
		t.Fatalf("%d columns, base %g", len(r.Importance), r.Base)
	}
	last := math.Inf(1)
	for _, own := range r.Importance {
		k := slices.Index(a.Columns, own.Column)
		var sum float64
		lowest := math.Inf(1)
		for i := range 200 {
			sum += math.Abs(a.Values[i*c+k]) / 200
			lowest = min(lowest, a.Values[i*c+k])
		}
		if math.Abs(own.MeanAbs-sum) > 1e-4 || math.Abs(own.Lowest-lowest) > 1e-3 || own.MeanAbs > last {
			t.Errorf("%s: %g, want %g; lowest %g, want %g", own.Column, own.MeanAbs, sum, own.Lowest, lowest)
		}
		last = own.MeanAbs
	}
	for _, row := range r.Rows {
		sum := r.Base
		for _, p := range row.Parts {
			sum += float64(p.Value)
			k := slices.Index(a.Columns, r.Importance[p.Column].Column)
			if want := a.Values[(int(row.Row)-1)*c+k]; math.Abs(float64(p.Value)-want) > 1e-3 {
				t.Errorf("row %d, %s: %g, want %g", row.Row, a.Columns[k], p.Value, want)
			}
		}
		if math.Abs(sum-float64(row.F)) > 1e-6 || math.Abs(sum-a.Prediction[row.Row-1]) > 1e-3 {
			t.Errorf("row %d: parts add up to %g, f is %g, want %g", row.Row, sum, row.F, a.Prediction[row.Row-1])
		}
	}
}

// Effects and indices are those of package analysis, in the order of total indices.
func TestEffectsAreThoseOfAnalysis(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	r := reported(t, m, nil, 0, report.Options{})
	a := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
	s := must[*analysis.Sobol](t)(a.Sobol(ctx, analysis.SobolOptions{}))
	for at, e := range r.Effects {
		i := must[int](t)(a.Input(e.Input))
		grids := make([][]float64, len(a.Inputs()))
		grids[i] = a.Grid(i, 41)
		want := a.Effects(grids).Effects[0]
		for k, v := range want.Mean {
			if !near(float64(e.Curves[0].Mean[k]), v) || !near(float64(e.Curves[0].Std[k]), want.Std[k]) {
				t.Errorf("%s at %d: %g ± %g, want %g ± %g", e.Input, k, e.Curves[0].Mean[k], e.Curves[0].Std[k], v, want.Std[k])
			}
		}
		if own := r.Indices[at]; own.Input != e.Input || own.First != s.First[i] || own.Total != s.Total[i].Value || at > 0 && own.Total > r.Indices[at-1].Total {
			t.Errorf("index %d: %+v, want %g and %g", at, own, s.First[i], s.Total[i].Value)
		}
	}
	for k, p := range r.Pairs {
		i, j := must[int](t)(a.Input(p.First)), must[int](t)(a.Input(p.Second))
		if want := s.Pairs[k]; p.Index != want.Index || min(i, j) != want.I || max(i, j) != want.J {
			t.Errorf("pair %d: %+v, want %+v", k, p, want)
		}
		if p.Effect == nil {
			continue
		}
		grid := a.Grid(i, 21)
		for c, curve := range p.Effect.Curves { // by the other way round
			across := a.Grid(j, 4)
			if n := len(across); n > 4 {
				across = []float64{across[0], across[(n-1)/3], across[2*(n-1)/3], across[n-1]}
			}
			want := a.Pair(j, i, across[c:c+1], grid)
			for at, v := range want.Mean {
				if !near(float64(curve.Mean[at]), v) {
					t.Errorf("%s by %s = %s at %g: %g, want %g", p.First, p.Second, curve.Name, grid[at], curve.Mean[at], v)
				}
			}
		}
	}
	if len(r.Effects) != len(a.Inputs()) || len(r.Pairs) == 0 {
		t.Errorf("%d effects, %d pairs", len(r.Effects), len(r.Pairs))
	}
}

// The same rows make the same page whatever the blocks and the workers, and other seeds draw other
// rows; the largest errors are there whatever the seed.
func TestPageDependsOnRowsAlone(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	tab := rows(230, 6)
	one := reported(t, m, tab, 230, report.Options{Rows: 25, Workers: 1})
	two := reported(t, m, tab, 31, report.Options{Rows: 25, Workers: 2})
	if a, b := rendered(t, one), rendered(t, two); a != b || a != rendered(t, one) {
		t.Errorf("pages of %d and %d bytes differ", len(a), len(b))
	}
	other := reported(t, m, tab, 230, report.Options{Rows: 25, Seed: 1})
	y, _ := tab.Column(target)
	p := must[*model.Predictions](t)(m.Predict(ctx, tab, model.PredictOptions{}))
	var errors []float64
	for i := range y {
		errors = append(errors, math.Abs(y[i]-p.Mean[i]))
	}
	slices.Sort(errors)
	least := errors[len(errors)-10]
	drawn := func(r *report.Report) (numbers []int64) {
		large := 0
		for _, row := range r.Rows {
			off := math.Abs(y[row.Row-1] - p.Mean[row.Row-1])
			if row.Largest != (off >= least) {
				t.Errorf("row %d has the error %g, the tenth largest is %g: %v", row.Row, off, least, row.Largest)
			}
			if row.Largest {
				large++
			}
			numbers = append(numbers, row.Row)
		}
		if r.Shown != 25 || r.Total != 230 || large != 10 || len(r.Rows) > 35 || !slices.IsSorted(numbers) {
			t.Errorf("%d of %d rows shown, %d told of, %d with large errors", r.Shown, r.Total, len(r.Rows), large)
		}
		return numbers
	}
	if slices.Equal(drawn(one), drawn(other)) {
		t.Error("seeds draw the same rows")
	}
}

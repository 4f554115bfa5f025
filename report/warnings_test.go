package report_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/report"
	"beziergp/rival/method/linear"
	"beziergp/table"
	"beziergp/train/paper"
)

// without returns the rows with a column replaced, or without it where values is nil.
func replaced(t *testing.T, tab *table.Table, name string, values []float64) *table.Table {
	t.Helper()
	var all []table.Column
	for _, own := range tab.Names() {
		f, _ := tab.Field(own)
		v, _ := tab.Column(own)
		if own == name {
			if v = values; values == nil {
				continue
			}
		}
		all = append(all, table.NewColumn(f, v))
	}
	return must[*table.Table](t)(table.New(all...))
}

// Every warning comes where there is reason for it, and nowhere else.
func TestWarnings(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	fresh := rows(200, 9)
	flat, _ := fresh.Column("flat")
	far := append([]float64{50}, flat[1:]...)
	moved, gone := make([]float64, 200), make([]float64, 200)
	for i := range moved {
		moved[i], gone[i] = flat[i]+1.5, math.NaN()
	}
	odd := replaced(t, fresh, "flat", far)
	for name, c := range map[string]struct {
		rows *table.Table
		says string // nothing: of none of these
	}{
		"fresh rows":     {fresh, ""},
		"training rows":  {rows(300, 1), "300 of the 300 rows scored equal rows that the model was trained on"},
		"outside":        {odd, "flat in 2"},
		"moved":          {replaced(t, fresh, "flat", moved), "distributed otherwise than in the training rows: flat (moved far"},
		"missing":        {replaced(t, fresh, "flat", gone), "More values are missing than in the training rows: flat (100 %"},
		"larger errors":  {replaced(t, fresh, target, shuffled(fresh)), "Errors are larger than out of fold"},
		"narrow":         {replaced(t, fresh, target, shuffled(fresh)), "Intervals are too narrow"},
		"without target": {replaced(t, fresh, target, nil), ""},
	} {
		all := reported(t, m, c.rows, 200, report.Options{}).Warnings
		if c.says == "" { // two rows have values a little beyond
			all = slices.DeleteFunc(all, func(w string) bool { return strings.HasPrefix(w, "2 of 200 rows have a number beyond those") })
		}
		if text := strings.Join(all, "\n"); c.says == "" && text != "" || !strings.Contains(text, c.says) {
			t.Errorf("%s: %q, want %q", name, text, c.says)
		}
	}
}

func shuffled(tab *table.Table) []float64 {
	y, _ := tab.Column(target)
	y = append([]float64(nil), y...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
	return y
}

// A column that is the target in other units is told of, and no other one is.
func TestLeak(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	n := 200
	a, leak, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		a[i] = rng.Float64()
		y[i] = 3*a[i] + rng.NormFloat64()
		leak[i] = 0.3048 * y[i]
	}
	recipe := paper.Recipe{Order: 3, Orderings: 2, Steps: 600, LearningRate: 0.02}
	for _, with := range []bool{false, true} {
		columns := []table.Column{table.ColumnOf("a", a), table.ColumnOf("y", y)}
		if with {
			columns = append(columns, table.ColumnOf("leak", leak))
		}
		tab := must[*table.Table](t)(table.New(columns...))
		m := must[*beziergp.Model](t)(beziergp.Fit(ctx, tab, "y", beziergp.Options{Recipe: recipe}))
		all := strings.Join(reported(t, m, tab, n, report.Options{}).Warnings, "\n")
		if strings.Contains(all, "leak alone explains") != with {
			t.Errorf("with the leak %v: %q", with, all)
		}
	}
}

// A model of another method has scores and rows, and the page says what is missing.
func TestRival(t *testing.T) {
	m := must[*beziergp.Rival](t)(beziergp.FitRival(ctx, rows(200, 1), target, linear.Method{}, beziergp.RivalOptions{}))
	r := reported(t, m, rows(100, 2), 100, report.Options{})
	if r.Importance != nil || r.Effects != nil || len(r.Scores) < 10 || len(r.Rows) != 100 || len(r.Without) != 1 || !strings.Contains(r.Without[0].Why, "another method") {
		t.Errorf("%d columns, %d effects, %d scores, %d rows, without %+v", len(r.Importance), len(r.Effects), len(r.Scores), len(r.Rows), r.Without)
	}
	if page := rendered(t, r); !strings.Contains(page, "What this report has not") || strings.Contains(page, `id="effects"`) {
		t.Error("the page does not say what it has not")
	}
}

// Without rows there is what the model knows; under the policy flag rows outside have no part.
func TestRowsWithoutPrediction(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	r := reported(t, m, nil, 0, report.Options{})
	if r.Rows != nil || r.Importance != nil || len(r.Calibration) != 1 || len(r.Effects) == 0 || r.Scores[0].Rows != nil || len(r.Without) != 1 {
		t.Errorf("%d rows, %d columns, %d calibrations, %d effects, without %+v", len(r.Rows), len(r.Importance), len(r.Calibration), len(r.Effects), r.Without)
	}
	rendered(t, r)
	tab := rows(50, 3)
	flat, _ := tab.Column("flat")
	odd := replaced(t, tab, "flat", append([]float64{1e6}, flat[1:]...))
	b := must[*report.Builder](t)(report.New(m, report.Options{Policy: box.Flag}))
	defer b.Close()
	own := block(t, m, odd, 0, 50)
	own.Predictions = must[*beziergp.Predictions](t)(m.Predict(ctx, odd, beziergp.PredictOptions{Policy: box.Flag}))
	if err := b.Add(ctx, own); err != nil {
		t.Fatal(err)
	}
	r = must[*report.Report](t)(b.Report(ctx))
	nothing := 0
	for _, in := range own.InBox {
		if !in {
			nothing++
		}
	}
	if len(r.Rows) != 50-nothing || nothing == 0 || *r.Scores[0].Rows != float64(50-nothing) || !strings.Contains(strings.Join(r.Warnings, "\n"), "have no prediction") {
		t.Errorf("%d rows, %d without a prediction: %q", len(r.Rows), nothing, r.Warnings)
	}
	rendered(t, r)
}

func TestOptions(t *testing.T) {
	m := must[*beziergp.Model](t)(fitted())
	for _, o := range []report.Options{{Rows: -1}, {Rows: report.MostRows + 1}, {Workers: -1}, {Background: rows(5, 1).Filter(make([]bool, 5))}} {
		var bad *beziergp.OptionError
		if _, err := report.New(m, o); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

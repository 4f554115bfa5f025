package beziergp_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp"
	"beziergp/model"
	"beziergp/rival/method/linear"
	"beziergp/table"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// people is a table of all kinds of columns, with missing values in the inputs and
// in the target, which the category moves by 3 and the flag by 1.
func people(t testing.TB, rows int) *beziergp.Table {
	rng := rand.New(rand.NewPCG(4, 2))
	nan := math.NaN()
	x, c, flag, at, y := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], c[i], flag[i] = rng.Float64(), float64(rng.IntN(3)), float64(rng.IntN(2))
		at[i] = float64(rng.IntN(365 * 24 * 3600))
		y[i] = 3*c[i] + flag[i] + x[i] + 0.05*rng.NormFloat64()
		switch i % 20 {
		case 0:
			c[i] = nan
		case 1:
			x[i] = nan
		case 2:
			y[i] = nan
		}
	}
	void := make([]float64, rows)
	for i := range void {
		void[i] = nan
	}
	return mustTable(t,
		beziergp.Column{Name: "x", Values: x},
		beziergp.Column{Name: "c", Values: c, Kind: table.Category, Levels: []string{"low", "middle", "high"}},
		beziergp.Column{Name: "flag", Values: flag, Kind: table.Boolean},
		beziergp.Column{Name: "at", Values: at, Kind: table.DateTime},
		beziergp.Column{Name: "void", Values: void},
		beziergp.Column{Name: "y", Values: y})
}

func fitPeople(t testing.TB, tab *beziergp.Table) *beziergp.Model {
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{
		Recipe: paper.Recipe{Order: 2, Steps: 1500, LearningRate: 0.01, Orderings: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFitTypedTable(t *testing.T) {
	tab := people(t, 800)
	m := fitPeople(t, tab)
	if got := m.Training(); got.Rows != 760 || got.Dropped != 40 {
		t.Errorf("%d rows, %d dropped", got.Rows, got.Dropped)
	}
	var names []string
	for _, in := range m.Inputs() {
		names = append(names, in.Name)
	}
	if got := strings.Join(names, " "); got != "x c flag at.time at.yearday at.weekday at.hour" {
		t.Errorf("inputs %s", got)
	}
	// Levels in another order, and one that is new, whose prediction is between those of the levels. Rows
	// without a level are a level of their own, as high on average over the year as those that were learned from.
	nan, hidden, lacking := math.NaN(), 0.0, 0
	given := map[string][]float64{}
	for _, name := range []string{"x", "c", "flag", "y"} {
		given[name], _ = tab.Column(name)
	}
	for i, c := range given["c"] {
		if c != c {
			hidden += given["y"][i] - given["x"][i] - given["flag"][i]
			lacking++
		}
	}
	p, err := m.Predict(context.Background(), mustTable(t,
		column("x", 0.5, 0.5, 0.5, 0.5, nan),
		beziergp.Column{Name: "c", Values: []float64{0, 2, nan, 1, 0}, Kind: table.Category, Levels: []string{"high", "never seen", "low"}},
		beziergp.Column{Name: "flag", Values: []float64{0, 0, 0, 0, 0}, Kind: table.Boolean},
		beziergp.Column{Name: "at", Values: []float64{1e6, 1e6, 1e6, 1e6, 1e6}, Kind: table.DateTime}), beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{6.5, 0.5, nan, 3.5, 6.5} { // that of no level below
		if math.Abs(p.Mean[row]-want) > 0.4 {
			t.Errorf("row %d: %g, want about %g", row, p.Mean[row], want)
		}
	}
	const dates = 24
	year := make([]float64, dates)
	for i := range year {
		year[i] = float64(i) * 365 * 24 * 3600 / dates
	}
	some := slices.Repeat([]float64{0.5}, dates)
	all, err := m.Predict(context.Background(), mustTable(t, column("x", some...),
		beziergp.Column{Name: "c", Values: slices.Repeat([]float64{nan}, dates), Kind: table.Category, Levels: []string{"high"}},
		beziergp.Column{Name: "flag", Values: make([]float64, dates), Kind: table.Boolean},
		beziergp.Column{Name: "at", Values: year, Kind: table.DateTime}), beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stat.Mean(all.Mean, nil), hidden/float64(lacking)+0.5; math.Abs(got-want) > 0.4 {
		t.Errorf("without a level %g on average, want about %g", got, want)
	}
	if got := fmt.Sprint(p.InBox); got != "[true true true false true]" {
		t.Errorf("in the box: %s", got)
	}
	// A category must be one, or be text of numbers.
	_, err = m.Predict(context.Background(), mustTable(t, column("x", 1),
		beziergp.Column{Name: "c", Values: []float64{0}, Kind: table.DateTime}, column("flag", 0),
		beziergp.Column{Name: "at", Values: []float64{0}, Kind: table.DateTime}), beziergp.PredictOptions{})
	if err == nil || !strings.Contains(err.Error(), `column "c" is datetime, but category is wanted`) {
		t.Errorf("error %v", err)
	}
}

func TestTypedModelsAreSavedWhole(t *testing.T) {
	tab := people(t, 300)
	m := fitPeople(t, tab)
	again := reread(t, m)
	a, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := again.Predict(context.Background(), tab, beziergp.PredictOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("a model read from its file predicts otherwise")
	}
}

// Codes of levels are names, not numbers: their order leaves the model as it is.
func TestOrderOfLevelsOfPredictionRows(t *testing.T) {
	m := fitPeople(t, people(t, 300))
	for _, levels := range [][]string{{"low", "middle", "high"}, {"high", "low", "middle"}} {
		code := float64(0)
		for i, level := range levels {
			if level == "middle" {
				code = float64(i)
			}
		}
		p, err := m.Predict(context.Background(), mustTable(t, column("x", 0.5),
			beziergp.Column{Name: "c", Values: []float64{code}, Kind: table.Category, Levels: levels},
			column("flag", 1), beziergp.Column{Name: "at", Values: []float64{5e6}, Kind: table.DateTime}), beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.Mean[0]-4.5) > 0.4 {
			t.Errorf("levels %v: %g", levels, p.Mean[0])
		}
	}
}

// A row of weight 3 counts as three rows: the fit of a constant surface is the
// weighted mean.
func TestRowWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var x, y, w []float64
	for range 400 {
		x = append(x, rng.Float64())
		v := float64(rng.IntN(2))
		y = append(y, v)
		w = append(w, 1+2*v)
	}
	w[0], y[0] = 0, 1e6 // as if it were not there
	tab := mustTable(t, column("x", x...), column("y", y...), column("w", w...))
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Weights: "w", Recipe: paper.Recipe{Order: 1, Steps: 2000, LearningRate: 0.01, Orderings: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var sum, weights, mean float64
	for i := 1; i < len(y); i++ {
		sum, weights, mean = sum+w[i]*y[i], weights+w[i], mean+w[i]*p.Mean[i]
	}
	if got, want := mean/weights, sum/weights; math.Abs(got-want) > 0.02 {
		t.Errorf("weighted mean of the fit %g, of the target %g", got, want)
	}
	for bad, says := range map[string]string{"-1": "row 1", "NaN": "row 1"} {
		v := -1.0
		if bad == "NaN" {
			v = math.NaN()
		}
		_, err := beziergp.Fit(context.Background(), mustTable(t, column("x", 0, 1), column("y", 1, 2), column("w", v, 1)), "y", beziergp.Options{Weights: "w"})
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), `column "w"`) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// Learned on its logarithm, a multiplicative target comes back in its own units.
func TestTargetTransform(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	var x, y []float64
	for range 500 {
		v := rng.Float64()
		x, y = append(x, v), append(y, math.Expm1(4*v+0.1*rng.NormFloat64()+0.5))
	}
	tab := mustTable(t, column("x", x...), column("y", y...))
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{TargetTransform: beziergp.Log1p,
		Recipe: paper.Recipe{Order: 3, Steps: 3000, LearningRate: 0.01}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	for i, v := range y {
		if want := math.Expm1(4*x[i] + 0.5 + p.Scale[i]*p.Scale[i]/2); math.Abs(p.Mean[i]/want-1) > 0.2 {
			t.Fatalf("mean at %g is %g, want about %g", x[i], p.Mean[i], want)
		}
		if p.Lower[i] < v && v < p.Upper[i] {
			inside++
		}
	}
	if share := float64(inside) / float64(len(y)); share < 0.9 {
		t.Errorf("%g of the rows lie in their intervals", share)
	}
	_, err = beziergp.Fit(context.Background(), mustTable(t, column("x", 0, 1), column("y", 1, -1)), "y", beziergp.Options{TargetTransform: beziergp.Log1p})
	if err == nil || !strings.Contains(err.Error(), `row 2, column "y"`) {
		t.Errorf("error %v", err)
	}
}

// The default recipe learns from columns of all kinds, too, and predicts any row.
func TestDefaultRecipeOnTypedTable(t *testing.T) {
	tab := people(t, 600)
	m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast}})
	if err != nil {
		t.Fatal(err)
	}
	again := reread(t, m)
	line, err := beziergp.FitRival(context.Background(), tab, "y", linear.Method{}, beziergp.RivalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Seen(), m.Seen()) || !reflect.DeepEqual(line.Seen(), m.Seen()) {
		t.Error("the model, its file and a line on the same rows remember other rows")
	}
	if in := m.Inputs()[0]; in.Knots == nil && !strings.Contains(string(m.Training().Options), `"scaling":"linear"`) {
		t.Errorf("input %q is not mapped by ranks", in.Name)
	}
	nan := math.NaN()
	rows := mustTable(t,
		column("x", 0.5, 0.5, nan, 0.5, 7),
		beziergp.Column{Name: "c", Values: []float64{0, 2, nan, 1, 0}, Kind: table.Category, Levels: []string{"high", "never seen", "low"}},
		beziergp.Column{Name: "flag", Values: []float64{0, 0, nan, 0, 0}, Kind: table.Boolean},
		beziergp.Column{Name: "at", Values: []float64{1e6, 1e6, nan, 1e6, 1e6}, Kind: table.DateTime})
	p, err := again.Predict(context.Background(), rows, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{6.5, 0.5, 4, 3.5} {
		if math.Abs(p.Mean[row]-want) > 0.7 {
			t.Errorf("row %d: %g, want about %g", row, p.Mean[row], want)
		}
	}
	if got := fmt.Sprint(p.InBox); got != "[true true false false false]" {
		t.Errorf("in the box: %s", got)
	}
	conformal, err := again.Predict(context.Background(), rows, beziergp.PredictOptions{Interval: model.ConformalInterval})
	if err != nil {
		t.Fatal(err)
	}
	if ratio := (conformal.Upper[0] - conformal.Mean[0]) / conformal.Std[0]; !(ratio > 1 && ratio < 4) || conformal.Mean[0] != p.Mean[0] {
		t.Errorf("half of a conformal interval is %g deviations", ratio)
	}
	if !(p.StdF[4] > 1.5*p.StdF[0]) {
		t.Errorf("deviation of f far outside %g, inside %g", p.StdF[4], p.StdF[0])
	}
}

// A model without out-of-fold errors has no conformal intervals, and says so.
func TestConformalNeedsTheDefaultRecipe(t *testing.T) {
	tab := people(t, 100)
	_, err := fitPeople(t, tab).Predict(context.Background(), tab, beziergp.PredictOptions{Interval: model.ConformalInterval})
	if err == nil || !strings.Contains(err.Error(), "no conformal intervals") {
		t.Errorf("error %v", err)
	}
}

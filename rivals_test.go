package beziergp_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"beziergp"
	"beziergp/model"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/table"
)

// A rival learns from columns of all kinds, goes to a file, and predicts any row.
func TestRivalOnTypedTable(t *testing.T) {
	m, err := beziergp.FitRival(context.Background(), people(t, 300), "y", sgpr.Method{Inducing: 30, Steps: 40}, beziergp.RivalOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := rival.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	rows := mustTable(t,
		column("x", 0.5, 0.5, math.NaN(), 7),
		beziergp.Column{Name: "c", Values: []float64{0, 2, math.NaN(), 0}, Kind: table.Category, Levels: []string{"high", "never seen", "low"}},
		beziergp.Column{Name: "flag", Values: []float64{0, 0, math.NaN(), 0}, Kind: table.Boolean},
		beziergp.Column{Name: "at", Values: []float64{1e6, 1e6, math.NaN(), 1e6}, Kind: table.DateTime})
	p, err := again.Predict(context.Background(), rows, model.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{6.5, 0.5} {
		if math.Abs(p.Mean[row]-want) > 0.5 {
			t.Errorf("row %d: %g ± %g, want about %g", row, p.Mean[row], p.Std[row], want)
		}
	}
	if !(p.StdF[3] > 3*p.StdF[0]) || p.InBox[3] {
		t.Errorf("deviation of f far outside %g, inside %g", p.StdF[3], p.StdF[0])
	}
}

func TestFitRivalRefuses(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3, 4), column("y", 1, 3, 2, 4))
	for name, c := range map[string]struct {
		method method.Method
		target string
		o      beziergp.RivalOptions
		says   string
	}{
		"target not found": {linear.Method{}, "z", beziergp.RivalOptions{}, `"z"`},
		"bounds":           {linear.Method{}, "y", beziergp.RivalOptions{Bounds: map[string]beziergp.Bounds{"x": {Lo: 2, Hi: 3}}}, "declared bounds"},
		"too many":         {knn.Method{Neighbours: []int{9}}, "y", beziergp.RivalOptions{}, "below the 4 rows"},
	} {
		_, err := beziergp.FitRival(context.Background(), tab, c.target, c.method, c.o)
		var data *beziergp.DataError
		if !errors.As(err, &data) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	var option *beziergp.OptionError
	if _, err := beziergp.FitRival(context.Background(), tab, "y", linear.Method{}, beziergp.RivalOptions{OutOfBox: "wrap"}); !errors.As(err, &option) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := beziergp.FitRival(ctx, tab, "y", linear.Method{}, beziergp.RivalOptions{}); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("model %v, error %v", m, err)
	}
}

// What a rival may, a Bézier process may not.
func TestExtrapolateIsForRivals(t *testing.T) {
	tab := mustTable(t, column("x", 1, 2, 3, 4), column("y", 1, 3, 2, 4))
	var option *beziergp.OptionError
	if _, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{OutOfBox: beziergp.Extrapolate}); !errors.As(err, &option) || !strings.Contains(err.Error(), "beyond the box") {
		t.Errorf("error %v", err)
	}
}

// Texts and truth values are classes by themselves, counts where that is asked for: twice the
// exposure is twice the mean. A method without likelihoods says what to do.
func TestRivalsOfClassesAndCounts(t *testing.T) {
	const n = 60
	var x, years, count, truth, code []float64
	for i := range n {
		v := float64(i%10) / 10
		x, years = append(x, v), append(years, 1+float64(i%3))
		count, truth, code = append(count, math.Floor(years[i]*(1+3*v))), append(truth, math.Round(v)), append(code, float64(i%10/4))
	}
	rows := func(target beziergp.Column) *beziergp.Table {
		return mustTable(t, column("x", x...), column("years", years...), target)
	}
	fit := func(target beziergp.Column, m method.Method, o beziergp.RivalOptions) (*beziergp.Rival, error) {
		return beziergp.FitRival(context.Background(), rows(target), target.Name, m, o)
	}
	kinds := beziergp.Column{Name: "kind", Values: code, Kind: table.Category, Levels: []string{"low", "middle", "high"}}
	left := beziergp.Column{Name: "left", Values: truth, Kind: table.Boolean}
	for _, m := range []method.Method{linear.Method{}, knn.Method{}} {
		for target, level := range map[*beziergp.Column]int{&kinds: 2, &left: 1} {
			fitted, err := fit(*target, m, beziergp.RivalOptions{Exclude: []string{"years"}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := fitted.Predict(context.Background(), mustTable(t, column("x", 0, 0.9)), model.PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if p.Class(0) != 0 || p.Class(1) != level {
				t.Errorf("%T, %s: classes %d and %d", m, target.Name, p.Class(0), p.Class(1))
			}
		}
		fitted, err := fit(column("count", count...), m, beziergp.RivalOptions{Likelihood: mustLaw(t, "poisson"), Exposure: "years"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := fitted.Predict(context.Background(), mustTable(t, column("x", 0.5, 0.5), column("years", 1, 2)), model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if ratio := p.Mean[1] / p.Mean[0]; math.Abs(ratio-2) > 1e-9 || p.Mean[0] < 1.5 || p.Mean[0] > 3 {
			t.Errorf("%T: means %g and %g", m, p.Mean[0], p.Mean[1])
		}
		if _, err := fitted.Predict(context.Background(), mustTable(t, column("x", 0.5)), model.PredictOptions{}); err == nil || !strings.Contains(err.Error(), "years") {
			t.Errorf("%T: without the exposure: %v", m, err)
		}
	}
	_, err := fit(left, sgpr.Method{Inducing: 5, Steps: 3}, beziergp.RivalOptions{})
	var bad *beziergp.DataError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "or the likelihood gaussian") {
		t.Errorf("sgpr of a truth value: %v", err)
	}
	if _, err := fit(left, sgpr.Method{Inducing: 5, Steps: 3}, beziergp.RivalOptions{Likelihood: mustLaw(t, "gaussian")}); err != nil {
		t.Errorf("as a number: %v", err)
	}
}

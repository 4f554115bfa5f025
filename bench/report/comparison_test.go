package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/bench/record"
)

// scored is a method's cell with so many splits; a score of nought leaves a split out.
func scored(set, method string, rmse ...float64) *cell {
	var group []record.Record
	for split, v := range rmse {
		if v != 0 {
			group = append(group, record.Record{Suite: "uci", Set: set, Method: method, Split: split, RMSE: of(v), FitSeconds: 1, Version: "beziergp v1"})
		}
	}
	return newCell("uci", set, method, group)
}

// A method that lacks splits is compared on those that it has.
func TestBeatsOnSharedSplits(t *testing.T) {
	m := criteria()[0]
	all := scored("energy", "", 1, 5, 9)
	for _, test := range []struct {
		other *cell
		want  bool
	}{
		{scored("energy", "", 2, 2, 2), true},
		{scored("energy", "", 2), false},      // 2 against 1, though its mean is smaller
		{scored("energy", "", 0, 0, 8), true}, // 8 against 9, though its mean is larger
		{scored("energy", "", 1, 5, 9), false},
		{scored("energy", "", 0, 0, 0, 1), false}, // no split in common
		{&cell{published: true, rmse: Stat{4, math.NaN()}}, true},
		{&cell{published: true, otherUnits: true, rmse: Stat{4, math.NaN()}}, false},
	} {
		if got := m.beats(test.other, all); got != test.want {
			t.Errorf("%+v beats it: %v", test.other.rmse, got)
		}
	}
}

func TestPairedComparison(t *testing.T) {
	a, b := scored("energy", "", 1, 4, 3, 7), scored("energy", "", 2, 2, 3, 0, 5)
	// On splits 0, 1 and 2: 1 against 2, 4 against 2, 3 against 3. Leads 1, −2 and 0 have the mean −1/3
	// and squares around it 16/9 + 25/9 + 1/9 = 14/3, so a deviation √(7/3) and an error √(7/9).
	d := criteria()[0].paired(a, b)
	if d.fits != 3 || d.wins != 1 || d.ties != 1 || d.losses != 1 {
		t.Errorf("%+v", d)
	}
	for _, c := range []struct{ got, want float64 }{{d.lead, -1. / 3}, {d.sd, math.Sqrt(7. / 9)}, {d.own, 8. / 3}, {d.other, 7. / 3}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%g, want %g: %+v", c.got, c.want, d)
		}
	}
	// −1/3 and √(7/9) of 7/3, in percent.
	if got, want := criteria()[0].comparisonText(d), "−14.3 ± 38 % (1:1, 1 equal)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	one := criteria()[0].paired(a, scored("energy", "", 2))
	if got, want := criteria()[0].comparisonText(one), "+50 % (1:0)"; got != want || !math.IsNaN(one.sd) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := criteria()[0].comparisonText(criteria()[0].paired(a, scored("energy", "", 0, 0, 0, 0, 5))); got != "" {
		t.Errorf("no fit in common: %q", got)
	}
}

// What is better on the splits in common denies the first place, however few they are, and takes
// it only from those that it beats.
func TestFewSplitsDenyTheFirstPlace(t *testing.T) {
	m := criteria()[0]
	own, few, weak := scored("power", "BezierGP auto", 3, 5), scored("power", "LightGBM", 2.9), scored("power", "Linear", 4, 6)
	g := newGrid("uci", []*cell{own, few, weak})
	for _, c := range []struct {
		cell      *cell
		place, of int
		first     bool
	}{{own, 2, 3, false}, {few, 1, 3, true}, {weak, 3, 3, false}} {
		if place, of := g.place(c.cell, m); place != c.place || of != c.of || g.first(c.cell, m) != c.first {
			t.Errorf("%s: place %d of %d, first %v", c.cell.method, place, of, g.first(c.cell, m))
		}
	}
	var page bytes.Buffer
	g.table(&page, m.measure)
	g.verdict(&page)
	for _, want := range []string{
		"| BezierGP auto | 4 ± 1.4 |", "| LightGBM | **2.9 (1 of 2)** |", "| power | RMSE | 4 | 2 of 3 | LightGBM 2.9 (1 of 2 splits: against 3) | – |",
		"RMSE: first among the methods run here on 0 of 1 sets; behind on power to LightGBM.",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, &page)
		}
	}
	// Alone on its set, or without a split in common, none is first.
	g = newGrid("uci", []*cell{own, scored("power", "LightGBM", 0, 0, 1)})
	for _, c := range g.all {
		if place, of := g.place(c, m); place != 1 || of != 1 || g.first(c, m) {
			t.Errorf("%s: place %d of %d", c.method, place, of)
		}
	}
}

func TestSummary(t *testing.T) {
	library := func(set, method string, seconds, beside float64, rmse ...float64) *cell {
		c := scored(set, method, rmse...)
		for i := range c.made {
			c.made[i].Version, c.made[i].FitSeconds, c.made[i].Beside = "lightgbm 4", seconds, of(beside)
		}
		return newCell("uci", set, method, c.made)
	}
	g := newGrid("uci", []*cell{
		scored("energy", "BezierGP auto", 1, 2), scored("energy", "Linear", 3, 4),
		library("energy", "LightGBM", 4, 0, 1, 1), library("energy", "LightGBM + variance", 4, 0, 1, 1),
		scored("boston", "BezierGP auto", 1, 2), library("boston", "LightGBM + variance", 1, 1, 2),
	})
	var page bytes.Buffer
	summary(&page, []*grid{g})
	// Leads −1 and 0 on energy, of a mean of 1; times 1/4 and 1/1, whose geometric mean is a half.
	want := "\n|---|---|---|---|---|---|---|---|\n| uci | LightGBM + variance | 2 | 3 | ahead on 1 of 2; behind on energy −50 ± 50 % |  |  | ~0.5 × |\n\n"
	if !strings.Contains(page.String(), want) {
		t.Errorf("no %q in\n%s", want, &page)
	}
	page.Reset()
	if summary(&page, []*grid{newGrid("uci", g.all[:2])}); page.Len() > 0 {
		t.Errorf("without libraries:\n%s", &page)
	}
}

// Times are those of a quiet machine, where there are any.
func TestTimesOfABusyMachine(t *testing.T) {
	fit := func(split int, seconds float64, beside *float64) record.Record {
		return record.Record{Split: split, RMSE: of(1), FitSeconds: seconds, Beside: beside}
	}
	seconds := measures()[slices.IndexFunc(measures(), func(m measure) bool { return m.name == "fit_seconds" })]
	for _, test := range []struct {
		name string
		fits []record.Record
		want string
	}{
		{"quiet ones", []record.Record{fit(0, 10, of(1.5)), fit(1, 4, of(0.1)), fit(2, 6, nil)}, "5 (2 of 3)"},
		{"all quiet", []record.Record{fit(0, 3, nil), fit(1, 4, nil), fit(2, 5, of(0))}, "4"},
		{"none quiet, processors counted", []record.Record{
			{RMSE: of(1), FitSeconds: 9, CPUSeconds: 8, Workers: 2, Beside: of(1)},             // 4 s if both had been at work
			{Split: 1, RMSE: of(1), FitSeconds: 2, CPUSeconds: 8, Workers: 2, Beside: of(1)},   // 2 s it was
			{Split: 2, RMSE: of(1), FitSeconds: 9, CPUSeconds: 18, Workers: 2, Beside: of(.2)}, // 9 s
		}, "~5"},
		{"none quiet", []record.Record{fit(0, 10, of(1.5)), fit(1, 20, of(0.2)), fit(2, 30, of(1))}, "~20"},
	} {
		c := newCell("uci", "energy", "XGBoost", test.fits)
		if got := newGrid("uci", []*cell{c}).text(c, seconds); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if c.rmse.Mean != 1 || len(c.made) != 3 {
			t.Errorf("%s: scores of %d fits", test.name, len(c.made))
		}
	}
}

// Of classes and counts the log loss and the deviance are compared, and there are no columns of
// what they have not.
func TestSuitesOfOtherTargets(t *testing.T) {
	scored := func(method string, change func(*record.Record)) *cell {
		r := record.Record{Suite: "classes", Set: "telco", Method: method, FitSeconds: 1, Version: "beziergp v1"}
		change(&r)
		return newCell("classes", "telco", method, []record.Record{r})
	}
	classes := newGrid("classes", []*cell{
		scored("BezierGP auto", func(r *record.Record) { r.LogLoss, r.Accuracy, r.ECE = of(0.4), of(0.8), of(0.01) }),
		scored("XGBoost", func(r *record.Record) {
			r.LogLoss, r.Accuracy, r.ECE, r.Version = of(0.5), of(0.81), of(0.02), "xgboost 3"
		}),
	})
	counts := newGrid("counts", []*cell{
		scored("BezierGP auto", func(r *record.Record) { r.Deviance, r.RMSE, r.NLPD, r.CRPS = of(2), of(3), of(1), of(1) }),
		scored("XGBoost", func(r *record.Record) { r.Deviance, r.RMSE, r.Version = of(1), of(3), "xgboost 3" }),
	})
	var names []string
	for _, g := range []*grid{classes, counts} {
		for _, c := range g.criteria() {
			names = append(names, c.name)
		}
	}
	if got, want := strings.Join(names, " "), "log_loss rmse ll crps deviance"; got != want {
		t.Errorf("criteria %s, want %s", got, want)
	}
	var page bytes.Buffer
	classes.table(&page, classes.criteria()[0].measure)
	if !strings.Contains(page.String(), "| BezierGP auto | **0.4** |") {
		t.Errorf("the lower log loss is not in bold:\n%s", &page)
	}
	page.Reset()
	summary(&page, []*grid{classes, counts})
	for _, want := range []string{"| classes | XGBoost | 1 | 1 |  |  |  | ahead on 1 of 1 |  |", "behind on telco −100 % |", "of the other's RMSE, CRPS, log loss and deviance"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, &page)
		}
	}
}

package report

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"beziergp/bench/record"
	"beziergp/plot"
)

// Leads of 1 ± s over 5 splits with a ninth of the rows for tests: t = 1/√((1/5 + 1/9) s²), which is 2.776 at 5 %
// where s is 0.6457. Without the correction s could be 0.805.
func TestOutcomeIsThatOfTheCorrectedTest(t *testing.T) {
	of := func(s, ratio, lead float64) comparison {
		return comparison{fits: 5, lead: lead, sd: s / math.Sqrt(5), ratio: ratio}
	}
	for _, test := range []struct {
		d    comparison
		want outcome
	}{
		{of(0.645, 1./9, 1), better}, {of(0.647, 1./9, 1), level}, {of(0.645, 1./9, -1), worse},
		{of(0.804, 0, 1), better}, {of(0.807, 0, 1), level},
		{of(0, 1./9, 1), better}, {of(0, 1./9, 0), level},
		{comparison{fits: 1, lead: 1, sd: math.NaN()}, untested},
	} {
		if got := test.d.outcome(); got != test.want {
			t.Errorf("%+v: %d, want %d", test.d, got, test.want)
		}
	}
}

// twoSets are records of ours and of a rival, which is worse on one set by far, and has one split of the other.
func twoSets() (records []record.Record) {
	add := func(set, method string, rmse ...float64) {
		for split, v := range rmse {
			records = append(records, record.Record{Suite: "uci", Set: set, Method: method, Split: split, RMSE: &v, FitSeconds: 1, Rows: 90, TestRows: 10, Version: "beziergp v1"})
		}
	}
	add("energy", "BezierGP auto", 1, 1.1, 0.9)
	add("energy", "rival", 2, 2.05, 1.95)
	add("power", "BezierGP auto", 3, 3)
	add("power", "rival", 2)
	add("power", "other", 3)
	return records
}

func TestOutcomesCountSets(t *testing.T) {
	g := newGrid("uci", aggregate(twoSets()))
	o := g.outcomes()
	if want := []plot.TallyRow{{Name: "rival", Counts: [][4]int{{better: 1, untested: 1}, {}, {}}}}; !reflect.DeepEqual(o.Rows, want) {
		t.Errorf("%+v", o.Rows)
	}
	if len(o.Columns) != 3 || o.Columns[0] != "RMSE" {
		t.Errorf("columns %v", o.Columns)
	}
	if d := criteria()[0].paired(g.at("energy", "BezierGP auto"), g.at("energy", "rival")); math.Abs(d.ratio-1./9) > 1e-12 {
		t.Errorf("test rows over training rows: %g", d.ratio)
	}
}

// The page shows the picture, which is written beside the others.
func TestOutcomesAreOnThePage(t *testing.T) {
	dir := write(t, twoSets())
	if page := string(read(t, dir+".md")); !strings.Contains(page, "(benchmarks/uci-tested.svg)") || !strings.Contains(page, "corrected\nresampled t-test") {
		t.Error("the page has no tests")
	}
	if picture := string(read(t, filepath.Join(dir, "uci-tested.svg"))); !strings.Contains(picture, ">rival<") {
		t.Error("the picture lacks the rival")
	}
}

// The bar of a method is a standard error over the sets on either side; of a single set there is none.
func TestReachIsAStandardErrorOverSets(t *testing.T) {
	g := newGrid("uci", []*cell{
		scored("energy", "BezierGP auto", 1), scored("power", "BezierGP auto", 1),
		scored("energy", "rival", 2), scored("power", "rival", 8), scored("energy", "single", 2),
	})
	_, score, reach, _ := g.beside("BezierGP auto", "rival", criteria()[0])
	// log 2 and log 8 have the mean log 4 and the standard error log 2.
	for i, want := range []float64{4, 2, 8} {
		if got := []float64{score, reach[0], reach[1]}[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%d: %g, want %g", i, got, want)
		}
	}
	if _, _, reach, sets := g.beside("BezierGP auto", "single", criteria()[0]); sets != 1 || reach != [2]float64{} {
		t.Errorf("%d sets: %v", sets, reach)
	}
}

package beziergp_test

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/train/paper"
)

// cacheOf caches the rows of a table that have a target.
func cacheOf(t testing.TB, tab *beziergp.Table, target string) *tablecache.Cache {
	t.Helper()
	y, _ := tab.Column(target)
	keep := make([]bool, len(y))
	for i, v := range y {
		keep[i] = v == v
	}
	rows := tab.Filter(keep)
	var fields []table.Field
	var categories []bool
	var columns [][]float64
	for _, name := range rows.Names() {
		f, _ := rows.Field(name)
		values, _ := rows.Column(name)
		fields, columns, categories = append(fields, f), append(columns, values), append(categories, f.Kind == table.Category)
	}
	w, err := tablecache.Create(filepath.Join(t.TempDir(), "cache"), categories)
	if err != nil {
		t.Fatal(err)
	}
	w.Drop(len(y) - rows.Rows())
	if err := w.Append(columns, rows.Rows()); err != nil {
		t.Fatal(err)
	}
	c, err := w.Finish(fields, make([][]float64, len(fields)), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A table on disk makes the same box as in memory, and the same model but for the
// order in which rows are drawn.
func TestFitCacheLearnsWhatFitLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes its time")
	}
	tab := people(t, 3000)
	o := beziergp.Options{Recipe: paper.Recipe{Order: 2, Steps: 2000, LearningRate: 0.01, Orderings: 8}}
	want, err := beziergp.Fit(context.Background(), tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := beziergp.FitCache(context.Background(), cacheOf(t, tab, "y"), "y", o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Inputs(), want.Inputs()) {
		t.Errorf("inputs %+v, in memory %+v", got.Inputs(), want.Inputs())
	}
	if g, w := got.Training(), want.Training(); g.Rows != w.Rows || g.Dropped != w.Dropped {
		t.Errorf("training %+v, in memory %+v", g, w)
	}
	if math.Abs(got.Target().Mean-want.Target().Mean) > 1e-9 || math.Abs(got.Target().SD-want.Target().SD) > 1e-9 {
		t.Errorf("target %+v, in memory %+v", got.Target(), want.Target())
	}
	a, err := got.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var squares float64
	for i := range a.Mean {
		squares += (a.Mean[i] - b.Mean[i]) * (a.Mean[i] - b.Mean[i]) / float64(len(a.Mean))
	}
	if rms := math.Sqrt(squares); rms > 0.15 { // of five seeds they differ by 0.04 to 0.11
		t.Errorf("predictions differ by %g, where the noise is 0.05 and missing values weigh more", rms)
	}
}

func TestFitCacheIsDeterministic(t *testing.T) {
	testkit.Parallel(t)
	c := cacheOf(t, people(t, 1000), "y")
	var params [][]float32
	for _, workers := range []int{1, 2} {
		m, err := beziergp.FitCache(context.Background(), c, "y", beziergp.Options{Workers: workers, Recipe: paper.Recipe{Order: 2, Steps: 50}})
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, m.Posterior().Params())
	}
	if !reflect.DeepEqual(params[0], params[1]) {
		t.Error("the model depends on the number of workers")
	}
}

func TestFitCacheRefuses(t *testing.T) {
	c := cacheOf(t, people(t, 100), "y")
	for weights, says := range map[string]string{"z": `weights: no column "z"`, "c": `weights "c" is a category`} {
		if _, err := beziergp.FitCache(context.Background(), c, "y", beziergp.Options{Weights: weights}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("weights %s: error %v", weights, err)
		}
	}
	for target, says := range map[string]string{"z": `no column "z"`, "c": `column "c": the value is no class`} {
		if _, err := beziergp.FitCache(context.Background(), c, target, beziergp.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("target %s: error %v", target, err)
		}
	}
}

package beziergp_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// fewSteps is the default recipe with few steps, whatever they learn.
var fewSteps = auto.Recipe{Effort: auto.Fast, StepsFactor: 0.03}

// pair is a table with two targets, of which b is lacking in every third row if so.
func pair(t *testing.T, rows int, lacking bool) *beziergp.Table {
	t.Helper()
	var x, z, a, b []float64
	for i := range rows {
		u, v := math.Mod(0.618*float64(i), 1), math.Mod(0.414*float64(i), 1)
		noise := 0.05 * (math.Mod(7.31*float64(i), 1) - 0.5)
		x, z = append(x, u), append(z, v)
		a = append(a, math.Sin(4*u)+v+noise)
		b = append(b, 100+20*(math.Sin(4*u)-v)-20*noise)
		if lacking && i%3 == 0 {
			b[i] = math.NaN()
		}
	}
	return mustTable(t, column("x", x...), column("z", z...), column("a", a...), column("b", b...))
}

func fitPair(t *testing.T, tab *beziergp.Table, o beziergp.Options) *beziergp.Bundle {
	t.Helper()
	b, err := beziergp.FitOutputs(context.Background(), tab, []string{"a", "b"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func predicted(t *testing.T, m beziergp.Fitted, tab *beziergp.Table) *beziergp.Predictions {
	t.Helper()
	p, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Outputs that share nothing are fits of one target each, to the bit.
func TestOutputsAloneAreFits(t *testing.T) {
	tab, recipe := pair(t, 60, false), fewSteps
	recipe.Share = auto.ShareNone
	b := fitPair(t, tab, beziergp.Options{Recipe: recipe})
	for k, target := range b.Targets() {
		one, err := beziergp.Fit(context.Background(), tab, target, beziergp.Options{Recipe: fewSteps, Exclude: []string{"a", "b"}[1-k : 2-k]})
		if err != nil {
			t.Fatal(err)
		}
		var want, got bytes.Buffer
		if err := errors.Join(one.Write(&want), b.Models()[k].Write(&got)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want.Bytes(), got.Bytes()) {
			t.Errorf("target %q: the model of the bundle is another than that of a fit", target)
		}
	}
}

// A row that lacks a target counts for the other, the number of workers changes nothing, and a
// file gives back what was learned.
func TestOutputsOfOneProcess(t *testing.T) {
	testkit.Parallel(t)
	tab, recipe := pair(t, 150, true), fewSteps
	recipe.Share = auto.ShareAll
	var unseen []beziergp.OutOfFold
	b := fitPair(t, tab, beziergp.Options{Recipe: recipe, Workers: 1, OutOfFolds: &unseen})
	a, lacks := b.Models()[0], b.Models()[1]
	if n, m := a.Training(), lacks.Training(); n.Rows != 150 || m.Rows != 100 || m.Dropped != 50 || auto.Together(n.Options) != 2 {
		t.Errorf("%d and %d rows, %d dropped, %d share a process", n.Rows, m.Rows, m.Dropped, auto.Together(n.Options))
	}
	for k, out := range unseen {
		y, _ := tab.Column(b.Targets()[k])
		for i, row := range out.Rows {
			if out.Observed[i] != y[row-1] {
				t.Fatalf("target %d: row %d out of fold was %g and is %g", k, row, y[row-1], out.Observed[i])
			}
		}
		sd := b.Models()[k].Target().SD
		if rmse := b.Models()[k].Training().RMSE; len(out.Rows) == 0 || !(rmse < 0.9*sd) {
			t.Errorf("target %d: RMSE %g of a deviation %g, %d rows out of fold", k, rmse, sd, len(out.Rows))
		}
	}
	again := fitPair(t, tab, beziergp.Options{Recipe: recipe, Workers: 3})
	path := filepath.Join(t.TempDir(), "b.bgp")
	if err := again.Save(path); err != nil {
		t.Fatal(err)
	}
	read, err := serve.LoadOutputs(path)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := beziergp.LoadBundle(path)
	if err != nil || !slices.Equal(bundle.Targets(), b.Targets()) {
		t.Fatalf("loaded as a bundle: %v", err)
	}
	for k, m := range read {
		want := predicted(t, b.Models()[k], tab)
		for _, got := range []*beziergp.Predictions{predicted(t, m, tab), predicted(t, bundle.Models()[k], tab)} {
			if !slices.Equal(want.Mean, got.Mean) || !slices.Equal(want.Std, got.Std) {
				t.Errorf("target %d: other predictions by another number of workers, or from a file", k)
			}
		}
	}
	single := filepath.Join(t.TempDir(), "single.bgp")
	if err := a.Save(single); err != nil {
		t.Fatal(err)
	}
	var bad *model.FileError
	if _, err := beziergp.LoadBundle(single); !errors.As(err, &bad) || !strings.Contains(err.Error(), "load it as one model") {
		t.Errorf("one model loaded as a bundle: %v", err)
	}
	var several *model.SeveralError
	if _, err := beziergp.Load(path); !errors.As(err, &several) || !slices.Equal(several.Targets, []string{"a", "b"}) {
		t.Errorf("loaded as one model: %v", err)
	}
	if _, err := serve.Load(path); !errors.As(err, &several) || !strings.HasSuffix(err.Error(), "or fit a model of each target alone") {
		t.Errorf("served as one model: %v", err)
	}
	if one, err := again.Output("b"); err != nil || one.Target().Name != "b" {
		t.Errorf("output b: %v", err)
	}
	if _, err := again.Output("c"); err == nil {
		t.Error("there is an output c")
	}
}

// A run that is interrupted has models of all targets or none.
func TestOutputsInterrupted(t *testing.T) {
	for i, after := range []int{1, 400, 900, 1, 550, 700, 900} {
		ctx, stop := context.WithCancel(context.Background())
		recipe := fewSteps
		if i < 3 {
			recipe.Share = auto.ShareAll
		}
		last := -1
		b, err := beziergp.FitOutputs(ctx, pair(t, 60, true), []string{"a", "b"}, beziergp.Options{Recipe: recipe, Progress: func(e beziergp.Event) {
			if e.Step < last || e.Step > e.Steps {
				t.Errorf("step %d of %d after %d", e.Step, e.Steps, last)
			}
			if last = e.Step; 1000*e.Step >= after*e.Steps {
				stop()
			}
		}})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d of 1000: error %v", after, err)
		}
		if b != nil && len(b.Models()) != 2 || b == nil && after > 1 {
			t.Errorf("after %d of 1000 there is no model: %v", after, err)
		}
	}
}

func TestOutputsRefuse(t *testing.T) {
	tab := pair(t, 60, false)
	none := slices.Repeat([]float64{math.NaN()}, tab.Rows())
	one, texts, truths := slices.Clone(none), slices.Repeat([]float64{0}, tab.Rows()), slices.Repeat([]float64{0, 1}, tab.Rows()/2)
	one[3], texts[1] = 1, 1
	x, _ := tab.Column("x")
	a, _ := tab.Column("a")
	wide := mustTable(t, column("x", x...), column("a", a...), column("none", none...), column("one", one...), column("same", slices.Repeat([]float64{0}, tab.Rows())...),
		beziergp.Column{Name: "text", Kind: table.Category, Levels: []string{"red", "blue"}, Values: texts},
		beziergp.Column{Name: "truth", Kind: table.Boolean, Values: truths})
	for _, c := range []struct {
		targets []string
		o       beziergp.Options
		want    string
	}{
		{[]string{"a", "a"}, beziergp.Options{}, `"a" stands twice`},
		{[]string{"a"}, beziergp.Options{}, "name two at least"},
		{nil, beziergp.Options{}, "name two at least"},
		{[]string{"a", "x"}, beziergp.Options{Inputs: []string{"x"}}, `the target "x" cannot be an input`},
		{[]string{"a", "none"}, beziergp.Options{}, `target "none": 0 of`},
		{[]string{"a", "one"}, beziergp.Options{}, `target "one": 1 of`},
		{[]string{"a", "same"}, beziergp.Options{}, `target "same" is 0 in every training row`},
		{[]string{"a", "text"}, beziergp.Options{}, `target "text" holds texts like "red"`},
		{[]string{"a", "truth"}, beziergp.Options{}, `target "truth" holds truth values`},
		{[]string{"a", "nosuch"}, beziergp.Options{}, "nosuch"},
		{[]string{"a", "x"}, beziergp.Options{Recipe: paper.Recipe{}}, "the recipe paper learns one"},
		{[]string{"a", "x"}, beziergp.Options{Likelihood: mustLaw(t, "bernoulli-probit")}, "learned as numbers"},
		{[]string{"a", "x"}, beziergp.Options{Exposure: "x"}, "neither an offset nor an exposure"},
		{[]string{"a", "x"}, beziergp.Options{OutOfFold: &beziergp.OutOfFold{}}, "ask by OutOfFolds"},
		{[]string{"a", "x"}, beziergp.Options{Recipe: auto.Recipe{Share: "some"}}, `"some" is unknown`},
	} {
		b, err := beziergp.FitOutputs(context.Background(), wide, c.targets, c.o)
		if b != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.targets, err, c.want)
		}
	}
}

// A target of another kind than the others, here a line among functions of interactions, is learned
// alone where it gains by that, and those share on; nothing depends on the number of workers.
func TestOutputAlone(t *testing.T) {
	var x, z, line, hump, half []float64
	for i := range 240 {
		u, v := math.Mod(0.618*float64(i), 1), math.Mod(0.414*float64(i), 1)
		noise := math.Mod(7.31*float64(i), 1) - 0.5
		x, z, line = append(x, u), append(z, v), append(line, 3*u-2*v+0.05*noise)
		h := math.Sin(6*u)*math.Sin(5*v) + 0.1*noise
		if hump = append(hump, h); i%2 == 0 {
			h = math.NaN()
		}
		half = append(half, 5-3*h)
	}
	tab := mustTable(t, column("x", x...), column("z", z...), column("line", line...), column("hump", hump...), column("half", half...))
	fit := func(share auto.Share, workers int) []*beziergp.Model {
		recipe := auto.Recipe{Effort: auto.Fast, StepsFactor: 0.1, Share: share}
		b, err := beziergp.FitOutputs(context.Background(), tab, []string{"line", "hump", "half"}, beziergp.Options{Recipe: recipe, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return b.Models()
	}
	all, chosen, again := fit(auto.ShareAll, 2), fit(auto.ShareAuto, 1), fit(auto.ShareAuto, 3)
	for k, together := range []int{0, 3, 3} {
		var one, other bytes.Buffer
		m := chosen[k].Training()
		if n := auto.Together(m.Options); n != together {
			t.Errorf("target %d shares the process of %d, want %d; shapes %q", k, n, together, auto.Shapes(m.Options))
		}
		if err := errors.Join(chosen[k].Write(&one), again[k].Write(&other)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Errorf("target %d: another model by another number of workers", k)
		}
	}
	if own, shared := chosen[0].Training().RMSE, all[0].Training().RMSE; !(own < 0.98*shared) {
		t.Errorf("the line errs by %g alone and by %g with the others", own, shared)
	}
	if own, shared := chosen[2].Training().RMSE, all[2].Training().RMSE; own != shared {
		t.Errorf("a target that shares the process errs by %g, and by %g where all have to", own, shared)
	}
}

package beziergp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"beziergp"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/rival/method/sgpr"
	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/train"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// takesEffect fails unless there is a change of every exported field of T that makes what
// run shows another thing, be it an error: no option is passed over in silence.
func takesEffect[T any](t *testing.T, changes map[string]func(o *T), run func(o T) string) {
	t.Helper()
	var none T
	of, plain := reflect.TypeFor[T](), run(none)
	for i := range of.NumField() {
		f := of.Field(i)
		if !f.IsExported() {
			continue
		}
		set, ok := changes[f.Name]
		if !ok {
			t.Errorf("%v.%s: nobody tests that it takes effect", of, f.Name)
			continue
		}
		o := none
		set(&o)
		if reflect.ValueOf(o).Field(i).IsZero() {
			t.Errorf("%v.%s is not set", of, f.Name)
		}
		if run(o) == plain {
			t.Errorf("%v.%s changes nothing", of, f.Name)
		}
	}
}

// shown is what a fit leaves to see: the bytes of the model, or the error.
func shown(m interface{ Write(io.Writer) error }, err error, calls int) string {
	if err != nil {
		return fmt.Sprintf("%d calls, %v", calls, err)
	}
	h := new(hashWriter)
	if err := m.Write(h); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d calls, model %x", calls, *h)
}

// hashWriter is FNV-1a.
type hashWriter uint64

func (h *hashWriter) Write(p []byte) (int, error) {
	for _, b := range p {
		*h = (*h ^ hashWriter(b)) * 1099511628211
	}
	return len(p), nil
}

// odd is a table on which options show.
func odd(t *testing.T) *beziergp.Table {
	var x, z, w, y []float64
	for i := range 40 {
		v := float64(i) / 40
		x, z, w = append(x, v*v), append(z, math.Mod(7*v, 1)), append(w, 1+float64(i%3))
		y = append(y, math.Expm1(math.Sin(4*v))+0.1*math.Mod(13*v, 1))
	}
	return mustTable(t, column("x", x...), column("z", z...), column("w", w...), column("y", y...))
}

// least is the default recipe with as little as it can do.
var least = auto.Recipe{Effort: auto.Fast, Budget: time.Nanosecond, Ablation: []auto.Ingredient{auto.Fine, auto.Smoothness, auto.VaryingNoise, auto.DensityRatio}}

// unknownLaw is a law that no model file can name.
type unknownLaw struct{ likelihood.Gaussian }

func (unknownLaw) Name() string { return "unknown" }

func mustLaw(t *testing.T, name string) likelihood.Likelihood {
	law, err := likelihood.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

func TestEveryOptionTakesEffect(t *testing.T) {
	tab, outOfFold := odd(t), new(beziergp.OutOfFold)
	for _, recipe := range []train.Recipe{paper.Recipe{Steps: 3, Orderings: 1, Order: 3}, least} {
		calls := 0
		takesEffect(t, map[string]func(o *beziergp.Options){
			"Inputs":          func(o *beziergp.Options) { o.Inputs = []string{"z"} },
			"Exclude":         func(o *beziergp.Options) { o.Exclude = []string{"z"} },
			"Plain":           func(o *beziergp.Options) { o.Plain = []string{"none"} },
			"Bounds":          func(o *beziergp.Options) { o.Bounds = map[string]beziergp.Bounds{"x": {Lo: -1, Hi: 3}} },
			"OutOfBox":        func(o *beziergp.Options) { o.OutOfBox = beziergp.Refuse },
			"TargetTransform": func(o *beziergp.Options) { o.TargetTransform = beziergp.Log1p },
			"Weights":         func(o *beziergp.Options) { o.Weights = "w" },
			"ClassWeights":    func(o *beziergp.Options) { o.ClassWeights.Balanced = true },
			"Range":           func(o *beziergp.Options) { o.Range = &beziergp.Range{Lo: -100, Hi: 100} },
			"Group":           func(o *beziergp.Options) { o.Group = "w" },
			"Time":            func(o *beziergp.Options) { o.Time = "x" },
			"Held":            func(o *beziergp.Options) { o.Held = "w" },
			"Split":           func(o *beziergp.Options) { o.Split = "half" },
			"Missing":         func(o *beziergp.Options) { o.Missing = cell.NewWords(nil) },
			"Likelihood":      func(o *beziergp.Options) { o.Likelihood = unknownLaw{} },
			"Offset":          func(o *beziergp.Options) { o.Offset, o.Likelihood = "w", mustLaw(t, "student") },
			"Exposure":        func(o *beziergp.Options) { o.Exposure = "w" },
			"Recipe":          func(o *beziergp.Options) { o.Recipe = paper.Recipe{Steps: 7} },
			"OutOfFold":       func(o *beziergp.Options) { o.OutOfFold = outOfFold },
			"OutOfFolds":      func(o *beziergp.Options) { o.OutOfFolds = new([]beziergp.OutOfFold) },
			"Memory":          func(o *beziergp.Options) { o.Memory = -1 },
			"Workers":         func(o *beziergp.Options) { o.Workers = -1 },
			"Ranks":           func(o *beziergp.Options) { o.Ranks = lost() },
			"Progress":        func(o *beziergp.Options) { o.Progress = func(beziergp.Event) { calls++ } },
		}, func(o beziergp.Options) string {
			*outOfFold = beziergp.OutOfFold{}
			if calls = 0; o.Recipe == nil {
				o.Recipe = recipe
			}
			m, err := beziergp.Fit(context.Background(), tab, "y", o)
			return fmt.Sprint(shown(m, err, calls), len(outOfFold.Rows))
		})
	}
}

func TestEveryOptionOfARecipeTakesEffect(t *testing.T) {
	tab := odd(t)
	with := func(r train.Recipe) string {
		m, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Recipe: r})
		return shown(m, err, 0)
	}
	damaged := filepath.Join(t.TempDir(), "ckpt")
	if err := os.WriteFile(damaged, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	takesEffect(t, map[string]func(o *paper.Recipe){
		"Orderings":       func(o *paper.Recipe) { o.Orderings = 2 },
		"Steps":           func(o *paper.Recipe) { o.Steps = 4 },
		"Batch":           func(o *paper.Recipe) { o.Batch = 3 },
		"LearningRate":    func(o *paper.Recipe) { o.LearningRate = 0.1 },
		"KLWeight":        func(o *paper.Recipe) { o.KLWeight = 0.5 },
		"Spread":          func(o *paper.Recipe) { o.Spread = 0.5 },
		"Seed":            func(o *paper.Recipe) { o.Seed = 9 },
		"Order":           func(o *paper.Recipe) { o.Order = 2 },
		"Orders":          func(o *paper.Recipe) { o.Orders = map[string]int{"x": 2} },
		"Checkpoint":      func(o *paper.Recipe) { o.Checkpoint = damaged },
		"CheckpointEvery": func(o *paper.Recipe) { o.CheckpointEvery = time.Second },
		"Fresh":           func(o *paper.Recipe) { o.Fresh = true },
		"KeepCheckpoint":  func(o *paper.Recipe) { o.KeepCheckpoint = true },
	}, func(o paper.Recipe) string {
		if o.Steps == 0 {
			o.Steps = 3
		}
		return with(o)
	})
	takesEffect(t, map[string]func(o *auto.Recipe){
		"Effort":  func(o *auto.Recipe) { o.Effort = auto.Default },
		"Budget":  func(o *auto.Recipe) { o.Budget = -1 },
		"Seed":    func(o *auto.Recipe) { o.Seed = 5 },
		"Share":   func(o *auto.Recipe) { o.Share = auto.ShareAll },
		"Shapes":  func(o *auto.Recipe) { o.Shapes = []string{"coarse@1"} },
		"Folds":   func(o *auto.Recipe) { o.Folds = 2 },
		"Members": func(o *auto.Recipe) { o.Members = 2 },
		// A budget that is spent leaves no steps to multiply.
		"StepsFactor": func(o *auto.Recipe) { o.StepsFactor = -1 },
		"Ablation":    func(o *auto.Recipe) { o.Ablation = []auto.Ingredient{"nothing known"} },
	}, func(o auto.Recipe) string {
		if o.Effort == "" {
			o.Effort = auto.Fast
		}
		if o.Budget == 0 {
			o.Budget = time.Nanosecond
		}
		if o.Ablation == nil {
			o.Ablation = least.Ablation
		}
		return with(o)
	})
}

func TestEveryOptionOfARivalTakesEffect(t *testing.T) {
	tab, calls := odd(t), 0
	takesEffect(t, map[string]func(o *beziergp.RivalOptions){
		"Inputs":          func(o *beziergp.RivalOptions) { o.Inputs = []string{"z"} },
		"Exclude":         func(o *beziergp.RivalOptions) { o.Exclude = []string{"z"} },
		"Plain":           func(o *beziergp.RivalOptions) { o.Plain = []string{"none"} },
		"Bounds":          func(o *beziergp.RivalOptions) { o.Bounds = map[string]beziergp.Bounds{"x": {Lo: -1, Hi: 3}} },
		"Range":           func(o *beziergp.RivalOptions) { o.Range = &beziergp.Range{Lo: -100, Hi: 100} },
		"Likelihood":      func(o *beziergp.RivalOptions) { o.Likelihood = mustLaw(t, "student") },
		"Offset":          func(o *beziergp.RivalOptions) { o.Offset = "w" },
		"Exposure":        func(o *beziergp.RivalOptions) { o.Exposure = "w" },
		"Split":           func(o *beziergp.RivalOptions) { o.Split = "half" },
		"Missing":         func(o *beziergp.RivalOptions) { o.Missing = cell.NewWords(nil) },
		"OutOfBox":        func(o *beziergp.RivalOptions) { o.OutOfBox = beziergp.Refuse },
		"TargetTransform": func(o *beziergp.RivalOptions) { o.TargetTransform = beziergp.Log1p },
		"Workers":         func(o *beziergp.RivalOptions) { o.Workers = -1 },
		"Seed":            func(o *beziergp.RivalOptions) { o.Seed = 9 },
		"Progress":        func(o *beziergp.RivalOptions) { o.Progress = func(method.Event) { calls++ } },
	}, func(o beziergp.RivalOptions) string {
		calls = 0
		m, err := beziergp.FitRival(context.Background(), tab, "y", sgpr.Method{Inducing: 5, Steps: 3}, o)
		return shown(m, err, calls)
	})
}

func TestEveryOptionOfPredictingTakesEffect(t *testing.T) {
	tab := odd(t)
	m := fit(t, tab, beziergp.Options{Recipe: paper.Recipe{Steps: 3, Orderings: 1}})
	beyond := mustTable(t, column("x", 9), column("z", 9), column("w", 1))
	takesEffect(t, map[string]func(o *beziergp.PredictOptions){
		"Workers":   func(o *beziergp.PredictOptions) { o.Workers = -1 },
		"Policy":    func(o *beziergp.PredictOptions) { o.Policy = beziergp.Refuse },
		"Level":     func(o *beziergp.PredictOptions) { o.Level = 0.5 },
		"Interval":  func(o *beziergp.PredictOptions) { o.Interval = model.ConformalInterval },
		"Point":     func(o *beziergp.PredictOptions) { o.Point = "mode" },
		"Range":     func(o *beziergp.PredictOptions) { o.Range = &beziergp.Range{Lo: 5, Hi: 6} },
		"MeanAlone": func(o *beziergp.PredictOptions) { o.MeanAlone = true },
	}, func(o beziergp.PredictOptions) string {
		p, err := m.Predict(context.Background(), beyond, o)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(p.Point, p.Lower, p.Range)
	})
}

// Progress is never called by two goroutines at once, so that it needs no lock: the race
// detector would tell.
func TestProgressIsCalledOneAtATime(t *testing.T) {
	for _, recipe := range []train.Recipe{least, paper.Recipe{Steps: 20, Orderings: 3}} {
		var inside atomic.Int32
		calls := 0
		_, err := beziergp.Fit(context.Background(), odd(t), "y", beziergp.Options{Recipe: recipe, Workers: 4, Progress: func(beziergp.Event) {
			if inside.Add(1) > 1 {
				t.Error("two calls at once")
			}
			calls++
			inside.Add(-1)
		}})
		if err != nil || calls < 20 {
			t.Errorf("%s: %d calls, error %v", recipe.Name(), calls, err)
		}
	}
}

// Orders and bounds of columns that have none are refused, and a date column beside one
// that is called like a part of it is no trouble.
func TestOptionsOfOtherKinds(t *testing.T) {
	levels, n := []string{"a", "b"}, 40
	var code, truth, when, y, hour []float64
	for i := range n {
		code, truth = append(code, float64(i%2)), append(truth, float64(i/2%2))
		when, hour, y = append(when, float64(i)*50000), append(hour, float64(i%7)), append(y, float64(i%5))
	}
	tab := mustTable(t, beziergp.Column{Name: "c", Values: code, Kind: "category", Levels: levels},
		beziergp.Column{Name: "b", Values: truth, Kind: "boolean"}, beziergp.Column{Name: "when", Values: when, Kind: "datetime"},
		column("when.hour", hour...), column("k", make([]float64, n)...), column("when.time", y...))
	quick := paper.Recipe{Steps: 2, Orderings: 1, Order: 3}
	for name, says := range map[string]string{"c": "is a category", "when": "is a datetime"} {
		_, err := beziergp.Fit(context.Background(), tab, "when.time", beziergp.Options{Recipe: quick, Bounds: map[string]beziergp.Bounds{name: {Lo: 0, Hi: 1}}})
		wantOption(t, err, "bounds", name, says)
	}
	for name, says := range map[string]string{"c": "is a category", "b": "is true or false", "k": "has one value"} {
		own := quick
		own.Orders = map[string]int{name: 3}
		_, err := beziergp.Fit(context.Background(), tab, "when.time", beziergp.Options{Recipe: own})
		wantOption(t, err, "orders", name, says)
	}
	m, err := beziergp.Fit(context.Background(), tab, "when.time", beziergp.Options{Recipe: quick})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range m.Inputs() {
		names = append(names, in.Name)
	}
	if got, want := fmt.Sprint(names), "[c b when.time (2) when.yearday when.weekday when.hour (2) when.hour k]"; got != want {
		t.Errorf("inputs %s, want %s", got, want)
	}
	if _, err := m.Predict(context.Background(), tab, beziergp.PredictOptions{}); err != nil {
		t.Error(err)
	}
}

func wantOption(t *testing.T, err error, option, name, says string) {
	t.Helper()
	var e *beziergp.OptionError
	if !errors.As(err, &e) || e.Option != option || !strings.Contains(e.Problem, fmt.Sprintf("%q", name)) || !strings.Contains(e.Problem, says) {
		t.Errorf("%s of %s: error %v", option, name, err)
	}
}

// Weights of classes are those of their rows, in both recipes.
func TestClassWeightsAreWeightsOfRows(t *testing.T) {
	var x, kinds, weights []float64
	for i := range 60 {
		x, kinds = append(x, float64(i*7%60)), append(kinds, float64(i*i%3%2))
		weights = append(weights, 1+3*kinds[i])
	}
	tab := mustTable(t, column("x", x...), column("w", weights...), beziergp.Column{Name: "kind", Kind: table.Category, Levels: []string{"a", "b"}, Values: kinds})
	for _, recipe := range []train.Recipe{paper.Recipe{Steps: 3, Orderings: 1, Order: 3}, least} {
		fit := func(o beziergp.Options) []float64 {
			o.Recipe, o.Inputs = recipe, []string{"x"}
			m, err := beziergp.Fit(context.Background(), tab, "kind", o)
			if err != nil {
				t.Fatal(err)
			}
			p := predicted(t, m, tab)
			var all []float64
			for i := range tab.Rows() {
				all = append(all, p.Probabilities(i)...)
			}
			return all
		}
		byClass, byRow := fit(beziergp.Options{ClassWeights: beziergp.ClassWeights{Of: map[string]float64{"b": 4}}}), fit(beziergp.Options{Weights: "w"})
		if plain := fit(beziergp.Options{}); !slices.Equal(byClass, byRow) || slices.Equal(byClass, plain) {
			t.Errorf("%T: probabilities %v by class, %v by row, %v without weights", recipe, byClass[:4], byRow[:4], plain[:4])
		}
	}
}

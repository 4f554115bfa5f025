package beziergp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/model"
	"beziergp/train/paper"
)

func column(name string, values ...float64) beziergp.Column {
	return beziergp.Column{Name: name, Values: values}
}

func mustTable(t testing.TB, columns ...beziergp.Column) *beziergp.Table {
	t.Helper()
	tab, err := beziergp.NewTable(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func fit(t testing.TB, tab *beziergp.Table, o beziergp.Options) *beziergp.Model {
	t.Helper()
	m, err := beziergp.Fit(context.Background(), tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func bytesOf(t testing.TB, m *beziergp.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reread returns the model that the file of another one is.
func reread(t testing.TB, m *beziergp.Model) *beziergp.Model {
	t.Helper()
	again, err := model.Read(bytes.NewReader(bytesOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func TestFitRefuses(t *testing.T) {
	x, y := column("x", 1, 2, 3, 4), column("y", 1, 3, 2, 4)
	for name, c := range map[string]struct {
		table  *beziergp.Table
		target string
		o      beziergp.Options
		says   string
	}{
		"target not found": {mustTable(t, x, y), "z", beziergp.Options{}, `"z"`},
		"one row":          {mustTable(t, column("x", 1), column("y", 2)), "y", beziergp.Options{}, "too few training rows with a target, 1"},
		"target only":      {mustTable(t, y), "y", beziergp.Options{}, "no column is left"},
		"all excluded":     {mustTable(t, x, y), "y", beziergp.Options{Exclude: []string{"x"}}, "no column is left"},
		"exclude unknown":  {mustTable(t, x, y), "y", beziergp.Options{Exclude: []string{"w"}}, `"w"`},
		"target as input":  {mustTable(t, x, y), "y", beziergp.Options{Inputs: []string{"y"}}, "cannot be an input"},
		"constant target":  {mustTable(t, x, column("y", 5, 5, 5, 5)), "y", beziergp.Options{}, "nothing to learn"},
		"constant inputs":  {mustTable(t, column("x", 5, 5, 5, 5), y), "y", beziergp.Options{}, "same inputs"},
		"order 26":         {mustTable(t, x, y), "y", beziergp.Options{Recipe: paper.Recipe{Order: 26}}, "from 1 to 25"},
		"order -1":         {mustTable(t, x, y), "y", beziergp.Options{Recipe: paper.Recipe{Order: -1}}, "from 1 to 25"},
		"order of unknown": {mustTable(t, x, y), "y", beziergp.Options{Recipe: paper.Recipe{Orders: map[string]int{"w": 3}}}, `"w"`},
		"bounds too small": {mustTable(t, x, y), "y", beziergp.Options{Bounds: map[string]beziergp.Bounds{"x": {Lo: 0, Hi: 3}}}, "row 4"},
		"bounds unknown":   {mustTable(t, x, y), "y", beziergp.Options{Bounds: map[string]beziergp.Bounds{"w": {Lo: 0, Hi: 3}}}, `"w"`},
		"policy":           {mustTable(t, x, y), "y", beziergp.Options{OutOfBox: "maybe"}, "maybe"},
		"steps":            {mustTable(t, x, y), "y", beziergp.Options{Recipe: paper.Recipe{Steps: -3}}, "steps"},
	} {
		m, err := beziergp.Fit(context.Background(), c.table, c.target, c.o)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}

// Two rows, constant columns and more inputs than rows are odd but no mistakes.
func TestSmallTables(t *testing.T) {
	o := quick
	recipe := o.Recipe.(paper.Recipe)
	recipe.Steps = 50
	o.Recipe = recipe
	wide := []beziergp.Column{column("y", 1, 2, 3)}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, name := range strings.Split("abcdefghij", "") {
		wide = append(wide, column(name, rng.Float64(), rng.Float64(), rng.Float64()))
	}
	for _, tab := range []*beziergp.Table{
		mustTable(t, column("x", 1, 2), column("y", 1, 2)),
		mustTable(t, column("x", 1, 2, 3), column("c", 4, 4, 4), column("y", 1, 2, 4)),
		mustTable(t, column("x", 1, 1, 2), column("y", 1, 2, 4)),
		mustTable(t, wide...),
	} {
		p, err := fit(t, tab, o).Predict(context.Background(), tab, beziergp.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, mean := range p.Mean {
			if math.IsNaN(mean) || !(p.Std[i] > 0) || !p.InBox[i] {
				t.Errorf("%v row %d: %g ± %g", tab.Names(), i, mean, p.Std[i])
			}
		}
	}
}

// A constant column changes nothing, and a value other than its constant flags.
func TestConstantColumns(t *testing.T) {
	n := 100
	constant := make([]float64, n)
	for i := range constant {
		constant[i] = 8
	}
	base := wave(n)
	a, _ := base.Column("a")
	b, _ := base.Column("b")
	y, _ := base.Column("y")
	m := fit(t, mustTable(t, column("a", a...), column("c", constant...), column("b", b...), column("y", y...)), quick)
	point := mustTable(t, column("a", 0.5, 0.5), column("b", 0.5, 0.5), column("c", 8, 9))
	p, err := m.Predict(context.Background(), point, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Mean[0] != p.Mean[1] || !p.InBox[0] || p.InBox[1] {
		t.Errorf("means %v, in the box %v", p.Mean, p.InBox)
	}
}

// Units of inputs and target are a matter of names: scaled and moved tables give
// scaled and moved predictions.
func TestUnitsDoNotMatter(t *testing.T) {
	base := wave(150)
	a, _ := base.Column("a")
	b, _ := base.Column("b")
	y, _ := base.Column("y")
	times := func(v []float64, scale, shift float64) []float64 {
		out := slices.Clone(v)
		for i := range out {
			out[i] = out[i]*scale + shift
		}
		return out
	}
	m := fit(t, base, quick)
	// Powers of two, so that nothing is rounded on the way.
	other := fit(t, mustTable(t, column("a", times(a, 1024, 0)...), column("b", times(b, -0.25, 0)...), column("y", times(y, 64, 0)...)), quick)
	p, err := m.Predict(context.Background(), base, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := other.Predict(context.Background(), mustTable(t, column("a", times(a, 1024, 0)...), column("b", times(b, -0.25, 0)...)), beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// b is mirrored, which is another starting point: predictions agree to the noise.
	for i := range p.Mean {
		if math.Abs(q.Mean[i]/64-p.Mean[i]) > 0.05 || math.Abs(q.Std[i]/64/p.Std[i]-1) > 0.2 {
			t.Errorf("row %d: %g ± %g, in other units %g ± %g", i, p.Mean[i], p.Std[i], q.Mean[i]/64, q.Std[i]/64)
		}
	}
}

func TestFitIsDeterministic(t *testing.T) {
	one, four := quick, quick
	one.Workers, four.Workers = 1, 4
	want := bytesOf(t, fit(t, wave(200), one))
	if !bytes.Equal(want, bytesOf(t, fit(t, wave(200), four))) {
		t.Error("the number of workers changes the model file")
	}
	seeded := quick
	recipe := seeded.Recipe.(paper.Recipe)
	recipe.Seed = 5
	seeded.Recipe = recipe
	if bytes.Equal(want, bytesOf(t, fit(t, wave(200), seeded))) {
		t.Error("the seed changes nothing")
	}
}

func TestModelTellsHowItWasMade(t *testing.T) {
	m := fit(t, wave(200), quick)
	var recipe paper.Recipe
	if err := json.Unmarshal(m.Training().Options, &recipe); err != nil {
		t.Fatal(err)
	}
	if recipe.Steps != 500 || recipe.Batch != 500 || recipe.LearningRate != 0.02 || m.Training().Rows != 200 || m.Training().Recipe != "paper" {
		t.Errorf("training of %d rows by %q, recipe %+v", m.Training().Rows, m.Training().Recipe, recipe)
	}
	if rmse := m.Training().RMSE; rmse < 0.03 || rmse > 0.07 {
		t.Errorf("training RMSE %g, want about the noise, 0.05", rmse)
	}
}

func TestOptionErrors(t *testing.T) {
	for name, o := range map[string]beziergp.Options{
		"order":         {Recipe: paper.Recipe{Order: 99}},
		"workers":       {Workers: -1},
		"steps":         {Recipe: paper.Recipe{Steps: -1}},
		"learning rate": {Recipe: paper.Recipe{LearningRate: math.Inf(1)}},
	} {
		_, err := beziergp.Fit(context.Background(), wave(10), "y", o)
		var option *beziergp.OptionError
		if !errors.As(err, &option) || option.Option != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

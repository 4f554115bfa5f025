package beziergp_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
	"beziergp/table"
	"beziergp/train/auto"
)

// named is a table of so many names of each rows, which lack one where it is empty, and of a number; each name has an effect of so
// many deviations of the noise.
func named(t *testing.T, seed uint64, names, each int, effect float64) *beziergp.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	levels := make([]string, names)
	own := rand.New(rand.NewPCG(8, 8)) // the same in all tables
	var name, x, y []float64
	for v := range levels {
		levels[v] = fmt.Sprintf("name %03d", (v*389)%names)
		shift := effect * own.NormFloat64()
		for range each {
			name, x = append(name, float64(v)), append(x, rng.Float64())
			y = append(y, shift+math.Sin(4*x[len(x)-1])+0.3*rng.NormFloat64())
		}
	}
	for i := 0; i < len(name); i += 40 {
		name[i] = math.NaN()
	}
	tab, err := beziergp.NewTable(beziergp.Column{Name: "name", Kind: table.Category, Levels: levels, Values: name}, beziergp.Column{Name: "x", Values: x}, beziergp.Column{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// A function of each name is learned where names are too many, or of too few rows, to have nodes of their own, and a model file
// keeps it. Names that tell nothing have none, and the file is what it is without the trial.
func TestManyNames(t *testing.T) {
	testkit.Long(t)
	ctx := context.Background()
	for _, c := range []struct {
		names, each int
		effect      float64
	}{{400, 8, 1}, {500, 4, 1}, {400, 8, 0}} {
		rows, unseen := named(t, 1, c.names, c.each, c.effect), named(t, 2, c.names, 2, c.effect)
		rmse := func(without ...auto.Ingredient) (float64, *beziergp.Model) {
			recipe := brief
			recipe.Ablation = without
			m, err := beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: recipe})
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := m.Write(&file); err != nil {
				t.Fatal(err)
			}
			read, err := beziergp.Read(&file)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			y, _ := unseen.Column("y")
			for i, v := range predicted(t, read, unseen).Mean {
				sum += (v - y[i]) * (v - y[i]) / float64(len(y))
			}
			if !slices.Equal(predicted(t, m, unseen).Mean, predicted(t, read, unseen).Mean) {
				t.Errorf("%+v: the file predicts otherwise than the model", c)
			}
			return math.Sqrt(sum), m
		}
		with, m := rmse()
		without, plain := rmse(auto.Ties, auto.Effects) // either tells all names apart
		levels, few := m.Inputs()[0].Nodes(), plain.Inputs()[0].Nodes()
		t.Logf("%+v: RMSE %.3f with %d levels, %.3f with %d", c, with, levels, without, few)
		if c.effect == 0 {
			if levels != few || with != without {
				t.Errorf("%+v: names that tell nothing have %d levels, and an RMSE of %.3f after %.3f", c, levels, with, without)
			}
			continue
		}
		if c.each == 8 {
			cached, err := beziergp.FitCache(ctx, cacheOf(t, rows, "y"), "y", beziergp.Options{Recipe: brief})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(predicted(t, cached, unseen).Mean, predicted(t, m, unseen).Mean) {
				t.Errorf("%+v: out of core the model is another one", c)
			}
		}
		if levels != c.names || few > 256 || !(with < 0.75*without) {
			t.Errorf("%+v: an RMSE of %.3f with %d levels, %.3f with %d", c, with, levels, without, few)
		}
		if p := m.Profile(); p.Inputs[0].Nodes != m.Inputs()[0].Nodes() {
			t.Errorf("%+v: a profile of %d nodes", c, p.Inputs[0].Nodes)
		}
	}
}

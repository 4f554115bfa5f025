package beziergp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/internal/testkit"
)

// sites are rows of sites: a site has an effect of its own, of deviation 1,
// which no input explains, and two inputs that are the same in all of its rows and so tell
// it from the others.
func sites(t *testing.T, n, rows int, seed uint64) *beziergp.Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	var site, height, age, load, y []float64
	for s := range n {
		h, a, effect := rng.Float64(), rng.Float64(), rng.NormFloat64()
		for range rows {
			x := rng.Float64()
			site, height, age, load = append(site, float64(s)), append(height, h), append(age, a), append(load, x)
			y = append(y, 2*h+math.Sin(6*x)+effect+0.3*rng.NormFloat64())
		}
	}
	return mustTable(t, column("site", site...), column("height", height...), column("age", age...), column("load", load...), column("y", y...))
}

// covered returns the share of rows that lie in their 95 % intervals.
func covered(t *testing.T, m *beziergp.Model, rows *beziergp.Table) (share float64) {
	t.Helper()
	p, err := m.Predict(context.Background(), rows, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, _ := rows.Column("y")
	for i, v := range y {
		if v >= p.Lower[i] && v <= p.Upper[i] {
			share += 1 / float64(len(y))
		}
	}
	return share
}

// Intervals of a model that knows the groups hold the rows of new ones; those of one that
// does not are for rows whose group is known.
func TestCoverageOfNewGroups(t *testing.T) {
	testkit.Long(t)
	known, fresh := sites(t, 200, 50, 1), sites(t, 2000, 5, 99)
	for group, want := range map[string][2]float64{"": {0.3, 0.6}, "site": {0.93, 0.97}} {
		m, err := beziergp.Fit(context.Background(), known, "y", beziergp.Options{Group: group, Exclude: []string{"site"}, Recipe: brief})
		if err != nil {
			t.Fatal(err)
		}
		if share := covered(t, m, fresh); !(share > want[0] && share < want[1]) {
			t.Errorf("group %q: %.3f of the rows of new sites are covered, not %v", group, share, want)
		}
	}
}

// Groups, times and marks go by the rows, wherever these are kept: a cache gives the model
// of the table, and that of rows in another order is another one.
func TestSplitsOutOfCore(t *testing.T) {
	tab := sites(t, 3, 50, 1)
	n := tab.Rows()
	mark, when := make([]float64, n), make([]float64, n)
	for i := range n {
		mark[i], when[i] = float64(i/10%2), float64(i*7%n)*86400
	}
	var columns []beziergp.Column
	for _, name := range tab.Names() {
		values, _ := tab.Column(name)
		columns = append(columns, column(name, values...))
	}
	columns = append(columns, column("mark", mark...), beziergp.Column{Name: "when", Values: when, Kind: "datetime"})
	tab = mustTable(t, columns...)
	plain, err := beziergp.Fit(context.Background(), tab, "y", beziergp.Options{Recipe: least, Exclude: []string{"site", "mark", "when"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]beziergp.Options{
		"group": {Group: "site", Exclude: []string{"mark", "when"}}, "time": {Time: "when", Exclude: []string{"mark", "site"}}, "held": {Held: "mark", Exclude: []string{"when", "site"}},
	} {
		o.Recipe = least
		inMemory, err := beziergp.Fit(context.Background(), tab, "y", o)
		if err != nil {
			t.Fatal(err)
		}
		cached, err := beziergp.FitCache(context.Background(), cacheOf(t, tab, "y"), "y", o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(inMemory.Posterior().Params(), cached.Posterior().Params()) || inMemory.Noise() != cached.Noise() {
			t.Errorf("%s: a cache gives another model", name)
		}
		if name != "time" && slices.Equal(inMemory.Posterior().Params(), plain.Posterior().Params()) {
			t.Errorf("%s: it changes nothing", name)
		}
		for _, in := range inMemory.Inputs() {
			if in.Name == "site" || in.Name == "mark" || in.Name == "when.time" {
				t.Errorf("%s: %s is an input", name, in.Name)
			}
		}
	}
}

// A row that lacks what splits it is an error that names the row of the table.
func TestSplitsNeedEveryRow(t *testing.T) {
	for name, says := range map[string]string{"group": "row 4", "held": "row 4", "time": "row 4", "mark": "row 2"} {
		key := []float64{0, 1, 1, math.NaN(), 0, 1}
		o := beziergp.Options{Recipe: least, Group: "key"}
		switch name {
		case "held":
			o.Group, o.Held = "", "key"
		case "time":
			o.Group, o.Time = "", "key"
		case "mark":
			o.Group, o.Held, key = "", "key", []float64{0, 2, 1, 0, 0, 1}
		}
		tab := mustTable(t, column("x", 1, 2, 3, 4, 5, 6), column("key", key...), column("y", math.NaN(), 2, 1, 4, 3, 6))
		for where, fit := range map[string]func() (*beziergp.Model, error){
			"in memory": func() (*beziergp.Model, error) { return beziergp.Fit(context.Background(), tab, "y", o) },
			"in a cache": func() (*beziergp.Model, error) {
				return beziergp.FitCache(context.Background(), cacheOf(t, tab, "y"), "y", o)
			},
		} {
			own := says
			if where == "in a cache" { // which lacks the first row
				own = map[string]string{"row 4": "row 3", "row 2": "row 1"}[says]
			}
			_, err := fit()
			var data *beziergp.DataError
			if !errors.As(err, &data) || !strings.Contains(err.Error(), own+`, column "key"`) {
				t.Errorf("%s, %s: %v", name, where, err)
			}
		}
	}
}

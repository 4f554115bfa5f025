package dataset_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/table"
)

// orders is a table of classes, truth values, counts and exposures.
func orders(t *testing.T) *table.Table {
	t.Helper()
	nan := math.NaN()
	tab, err := table.New(
		table.Column{Name: "x", Values: []float64{1, 2, 3, 4, 5, 6}},
		table.Column{Name: "size", Values: []float64{2, 0, 2, 0, 2, 1}, Kind: table.Category, Levels: []string{"large", "rare", "small"}},
		table.Column{Name: "paid", Values: []float64{0, 1, 1, 0, 1, 1}, Kind: table.Boolean},
		table.Column{Name: "claims", Values: []float64{0, 1, 3, 0, 2, 0}},
		table.Column{Name: "years", Values: []float64{1, 2, 1, 0.5, 1, 3}},
		table.Column{Name: "none", Values: []float64{1, 2, 0, 1, 1, 1}},
		table.Column{Name: "gap", Values: []float64{1, nan, 1, 1, 1, 1}},
		table.Column{Name: "w", Values: []float64{1, 1, 1, 1, 1, 0}},
		table.Column{Name: "shares", Values: []float64{0.5, 1, 2, 0, 2, 0}},
		table.Column{Name: "losses", Values: []float64{1, -1, 2, 0, 2, 0}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func setOf(tab *table.Table, target string, change func(o *dataset.Options)) (*dataset.Set, error) {
	o := dataset.Options{Targets: []box.Target{{Name: target}}, Inputs: []string{"x"}}
	if change != nil {
		change(&o)
	}
	return dataset.FromTable(tab, o)
}

// Classes are the levels that rows have which count, with codes of their own, and the law
// begins at their shares.
func TestClasses(t *testing.T) {
	s, err := setOf(orders(t), "size", func(o *dataset.Options) { o.Weights = "w" }) // the one rare row does not count
	if err != nil {
		t.Fatal(err)
	}
	target := s.Targets[0]
	if !slices.Equal(target.Levels, []string{"large", "small"}) || target.Kind != table.Category || s.Likelihood.Name() != "bernoulli" {
		t.Errorf("classes %q of kind %q with the law %s", target.Levels, target.Kind, s.Likelihood.Name())
	}
	_, y, _, err := s.Load(1)
	if err != nil || !slices.Equal(y, []float32{1, 0, 1, 0, 1}) {
		t.Errorf("codes %v (%v)", y, err)
	}
	testkit.Close(t, "base", s.Likelihood.(likelihood.Law).Base, math.Log(3./2), 1e-12, 0)

	if s, err = setOf(orders(t), "size", nil); err != nil {
		t.Fatal(err)
	}
	law, ok := s.Likelihood.(likelihood.Classes)
	if !ok || len(law.Base) != 3 {
		t.Fatalf("three levels have the law %#v", s.Likelihood)
	}
	for k, share := range []float64{2. / 6, 1. / 6, 3. / 6} {
		testkit.Close(t, "base", law.Base[k], math.Log(share), 1e-12, 0)
	}
	if s, err = setOf(orders(t), "paid", nil); err != nil || s.Likelihood.Name() != "bernoulli" || s.Targets[0].Kind != table.Boolean {
		t.Errorf("truth values: %v, %v", s, err)
	}
}

// The offset stands after the target: the logarithm of an exposure, or the column itself. The
// base is that of all targets in proportion to all exposures.
func TestOffsets(t *testing.T) {
	poisson, err := likelihood.Named("poisson")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(o *dataset.Options)
		offset func(v float64) float64
	}{
		{"exposure", func(o *dataset.Options) { o.Exposure = "years" }, math.Log},
		{"offset", func(o *dataset.Options) { o.Offset = "years" }, func(v float64) float64 { return v }},
	} {
		s, err := setOf(orders(t), "claims", func(o *dataset.Options) {
			c.change(o)
			o.Likelihood = poisson
			o.Inputs = nil
			o.Exclude = []string{"gap"}
		})
		if err != nil {
			t.Fatal(c.name, err)
		}
		_, y, _, err := s.Load(1)
		if err != nil || len(y) != 12 || s.TargetColumns() != 2 {
			t.Fatalf("%s: %v (%v)", c.name, y, err)
		}
		years, sum := []float64{1, 2, 1, 0.5, 1, 3}, 0.0
		for i, v := range years {
			testkit.Close(t, c.name, float64(y[2*i+1]), c.offset(v), 1e-6, 0)
			sum += math.Exp(c.offset(v))
		}
		testkit.Close(t, c.name+", base", s.Likelihood.(likelihood.Law).Base, math.Log(6/sum), 1e-12, 0)
		if slices.ContainsFunc(s.Inputs, func(in box.Input) bool { return in.Name == "years" }) {
			t.Errorf("%s: it is an input too", c.name)
		}
	}
}

// What is at fault is said, with the row where it is one.
func TestTargetsThatALawRefuses(t *testing.T) {
	many := table.Column{Name: "id", Kind: table.Category}
	var x []float64
	for i := range 500 {
		many.Levels, many.Values, x = append(many.Levels, fmt.Sprintf("name %c%d", 'a'+i%26, i)), append(many.Values, float64(i)), append(x, float64(i))
	}
	names, err := table.New(many, table.Column{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	one, err := table.New(table.Column{Name: "x", Values: x[:3]}, table.Column{Name: "same", Values: make([]float64, 3), Kind: table.Category, Levels: []string{"only"}},
		table.Column{Name: "yes", Values: []float64{1, 1, 1}, Kind: table.Boolean})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tab          *table.Table
		target, law  string
		change       func(o *dataset.Options)
		says, column string
		row          int
	}{
		{orders(t), "losses", "poisson", nil, "negative", "losses", 2},
		{orders(t), "shares", "poisson", nil, "whole", "shares", 1},
		{orders(t), "shares", "ordinal", nil, "levels are the whole numbers", "shares", 1},
		{orders(t), "losses", "ordinal", nil, "levels are the whole numbers", "losses", 2},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Exposure = "none" }, "is no exposure", "none", 3},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Exposure = "gap" }, "is missing", "gap", 2},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Exposure, o.Offset = "years", "w" }, "an exposure is given too", "", 0},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Exposure = "size" }, "is a category", "", 0},
		{orders(t), "claims", "gaussian", func(o *dataset.Options) { o.Exposure = "years" }, "takes neither an offset", "", 0},
		{orders(t), "size", "categorical", func(o *dataset.Options) { o.Exposure = "years" }, "takes neither an offset", "", 0},
		{orders(t), "claims", "student", func(o *dataset.Options) { o.Exposure = "years" }, "exposure: the likelihood student takes none", "", 0},
		{orders(t), "paid", "", func(o *dataset.Options) { o.Exposure = "years" }, "exposure: the likelihood bernoulli takes none", "", 0},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Exposure = "size" }, "name a column of numbers, or none", "", 0},
		{orders(t), "claims", "poisson", func(o *dataset.Options) { o.Weights = "size" }, "name a column of numbers, or none", "", 0},
		{orders(t), "size", "", func(o *dataset.Options) { o.Targets[0].Transform = box.Log1p }, "target transform: it goes with the likelihood gaussian alone", "", 0},
		{orders(t), "size", "bernoulli", nil, `likelihood: the target "size" has 3 classes, and bernoulli has two; take categorical`, "", 0},
		{orders(t), "claims", "categorical", nil, "read the column as a category", "", 0},
		{orders(t), "size", "gaussian", nil, "is a category of 3 levels", "", 0},
		{names, "id", "", nil, "seems to be a name", "", 0},
		{one, "same", "", nil, "the same in every training row", "", 0},
		{one, "yes", "", nil, "in every training row", "", 0},
	} {
		_, err := setOf(c.tab, c.target, func(o *dataset.Options) {
			if c.law != "" {
				var bad error
				if o.Likelihood, bad = likelihood.Named(c.law); bad != nil {
					t.Fatal(bad)
				}
			}
			if c.change != nil {
				c.change(o)
			}
		})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s as %s: error %v, want one that says %q", c.target, c.law, err, c.says)
			continue
		}
		var at box.RowError
		if errors.As(err, &at) != (c.row > 0) || c.row > 0 && (at.At().Row != c.row || at.At().Column != c.column) {
			t.Errorf("%s as %s: %v, want row %d of %q", c.target, c.law, err, c.row, c.column)
		}
	}
}

// An exposure is refused for every law but those of counts and amounts, as an option; an offset is not.
func TestExposuresGoWithCountsAndAmounts(t *testing.T) {
	tab, err := table.New(table.Column{Name: "x", Values: []float64{1, 2, 3, 4}}, table.Column{Name: "years", Values: []float64{1, 2, 1, 3}},
		table.Column{Name: "count", Values: []float64{1, 2, 3, 1}}, table.Column{Name: "share", Values: []float64{0.1, 0.5, 0.3, 0.9}},
		table.Column{Name: "paid", Values: []float64{0, 1, 1, 0}, Kind: table.Boolean},
		table.Column{Name: "size", Values: []float64{0, 1, 2, 0}, Kind: table.Category, Levels: []string{"l", "m", "s"}})
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{"poisson": true, "negative-binomial": true, "zero-inflated-poisson": true, "gamma": true, "exponential": true, "log-normal": true, "tweedie": true}
	for _, name := range likelihood.Names() {
		law, err := likelihood.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		target := "count"
		switch {
		case name == "beta":
			target = "share"
		case name == "categorical":
			target = "size"
		case likelihood.Classifies(law):
			target = "paid"
		}
		_, err = setOf(tab, target, func(o *dataset.Options) { o.Likelihood, o.Exposure = law, "years" })
		var option *limit.OptionError
		if taken[name] != (err == nil) || err != nil && (!errors.As(err, &option) || option.Option != "exposure") {
			t.Errorf("an exposure for %s: %v", name, err)
		}
		if _, err = setOf(tab, target, func(o *dataset.Options) { o.Likelihood, o.Offset = law, "years" }); likelihood.TakesOffset(law) != (err == nil) {
			t.Errorf("an offset for %s: %v", name, err)
		}
	}
}

// Groups, times and marks that hold no row out, or leave none, are refused before anything is learned.
func TestSplitsThatSplitNothing(t *testing.T) {
	tab, err := table.New(table.Column{Name: "x", Values: []float64{1, 2, 3, 4}}, table.Column{Name: "y", Values: []float64{1, 2, math.NaN(), 1}},
		table.Column{Name: "site", Values: []float64{0, 0, 1, 0}, Kind: table.Category, Levels: []string{"a", "b"}},
		table.Column{Name: "day", Values: []float64{86400, 86400, 0, 86400}, Kind: table.DateTime},
		table.Column{Name: "none", Values: []float64{0, 0, 1, 0}}, table.Column{Name: "all", Values: []float64{1, 1, 0, 1}}, table.Column{Name: "two", Values: []float64{1, 1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(o *dataset.Options)
		says   string
	}{
		{func(o *dataset.Options) { o.Group = "site" }, `column "site": "a" in every row: at least two groups are needed`},
		{func(o *dataset.Options) { o.Time = "day" }, `column "day": "1970-01-02" in every row: at least two times are needed`},
		{func(o *dataset.Options) { o.Held = "none" }, `column "none": marks none of the rows that are taken; `},
		{func(o *dataset.Options) { o.Held = "all" }, `column "all": marks 3 of 3 rows; at least two must be left to learn from`},
		{func(o *dataset.Options) { o.Held = "two" }, `column "two": marks 2 of 3 rows; at least two`},
		{func(o *dataset.Options) { o.Held, o.Group = "two", "site" }, `held: the rows that it marks are held out whatever their group or time`},
		{func(o *dataset.Options) { o.Held, o.Time = "two", "day" }, `held: the rows that it marks`},
	} {
		if _, err := setOf(tab, "y", c.change); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
}

package dataset_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/limit"
	"beziergp/likelihood"
	"beziergp/table"
)

// animals is a table of 7 rows of classes and truth values, of which the last has the weight 0 and no truth value.
func animals(t *testing.T, levels []string, last float64) *table.Table {
	t.Helper()
	nan := math.NaN()
	tab, err := table.New(
		table.Column{Name: "x", Kind: table.Numeric, Values: []float64{1, 2, 3, 4, 5, 6, 7}},
		table.Column{Name: "kind", Kind: table.Category, Levels: levels, Values: []float64{0, 1, 0, 2, 0, 0, last}},
		table.Column{Name: "wild", Kind: table.Boolean, Values: []float64{1, 0, 1, 1, 0, 1, nan}},
		table.Column{Name: "v", Kind: table.Numeric, Values: []float64{1, 2, 4, 1, 3, 1, 0}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// Weights of classes multiply those of rows, whichever rows memory holds.
func TestClassWeights(t *testing.T) {
	tab := animals(t, []string{"ape", "bee", "cat"}, 0)
	for name, c := range map[string]struct {
		target, weights string
		of              dataset.ClassWeights
		want            []float64 // up to a factor
	}{
		"a class":           {"kind", "", dataset.ClassWeights{Of: map[string]float64{"bee": 3}}, []float64{1, 3, 1, 1, 1, 1, 1}},
		"balanced":          {"kind", "", dataset.ClassWeights{Balanced: true}, []float64{1. / 5, 1, 1. / 5, 1, 1. / 5, 1. / 5, 1. / 5}},
		"beside weights":    {"kind", "v", dataset.ClassWeights{Of: map[string]float64{"ape": 0.5, "cat": 4}}, []float64{0.5, 2, 2, 4, 1.5, 0.5}},
		"balanced, weights": {"kind", "v", dataset.ClassWeights{Balanced: true}, []float64{1. / 9, 1, 4. / 9, 1, 3. / 9, 1. / 9}},
		"truth values":      {"wild", "v", dataset.ClassWeights{Of: map[string]float64{"yes": 2}}, []float64{2, 2, 8, 2, 3, 2}},
		"balanced truths":   {"wild", "", dataset.ClassWeights{Balanced: true}, []float64{1. / 4, 1. / 2, 1. / 4, 1. / 4, 1. / 2, 1. / 4}},
	} {
		o := dataset.Options{Targets: targets(c.target), Inputs: []string{"x"}, Weights: c.weights, ClassWeights: c.of}
		sets := map[string]func() (*dataset.Set, error){
			"memory": func() (*dataset.Set, error) { return dataset.FromTable(tab, o) },
			"cache": func() (*dataset.Set, error) {
				return dataset.FromCache(context.Background(), cache(t, tab, c.weights, c.target), o)
			},
		}
		for where, open := range sets {
			s, err := open()
			if err != nil {
				t.Fatalf("%s, %s: %v", name, where, err)
			}
			_, _, weights, err := s.Load(1)
			if err != nil || len(weights) != len(c.want) || !s.Weighted() {
				t.Fatalf("%s, %s: %v, %v", name, where, weights, err)
			}
			var sum, wanted float64
			for i, v := range weights {
				sum, wanted = sum+float64(v), wanted+c.want[i]
			}
			for i, v := range weights {
				if want := c.want[i] * float64(len(weights)) / wanted; math.Abs(float64(v)-want) > 1e-6*want {
					t.Errorf("%s, %s: row %d has the weight %g, want %g", name, where, i+1, v, want)
				}
			}
			if math.Abs(sum-float64(len(weights))) > 1e-5 {
				t.Errorf("%s, %s: the average weight is %g", name, where, sum/float64(len(weights)))
			}
		}
	}
}

func TestClassWeightsAreRefused(t *testing.T) {
	tab := animals(t, []string{"ape", "bee", "cat", "dodo"}, 3)
	of := func(class string, v float64) dataset.ClassWeights {
		return dataset.ClassWeights{Of: map[string]float64{class: v}}
	}
	for says, o := range map[string]dataset.Options{
		`no class "cow"; there are "ape", "bee", "cat", "dodo"`:      {Targets: targets("kind"), ClassWeights: of("cow", 2)},
		`no class "maybe"; there are "false", "true"`:                {Targets: targets("wild"), ClassWeights: of("maybe", 2)},
		`that of "ape" is 0`:                                         {Targets: targets("kind"), ClassWeights: of("ape", 0)},
		`that of "ape" is NaN`:                                       {Targets: targets("kind"), ClassWeights: of("ape", math.NaN())},
		`that of "ape" is +Inf`:                                      {Targets: targets("kind"), ClassWeights: of("ape", math.Inf(1))},
		"is no column of classes":                                    {Targets: targets("v"), ClassWeights: of("1", 2)},
		"balanced ones follow":                                       {Targets: targets("kind"), ClassWeights: dataset.ClassWeights{Balanced: true, Of: map[string]float64{"ape": 2}}},
		"are one class of the target":                                {Targets: targets("wild"), ClassWeights: dataset.ClassWeights{Of: map[string]float64{"yes": 2, "true": 3}}},
		"of one target, and there are 2":                             {Targets: targets("x", "v"), Some: true, ClassWeights: dataset.ClassWeights{Balanced: true}},
		`no training row of the target "kind" has the class "dodo"`:  {Targets: targets("kind"), Weights: "v", ClassWeights: of("dodo", 2)},
		`% of all weights, so that one row would decide alone; give`: {Targets: targets("kind"), ClassWeights: of("bee", 1e9)},
		"is too small a weight beside the average one":               {Targets: targets("kind"), ClassWeights: of("ape", 1e-40)},
	} {
		_, err := dataset.FromTable(tab, o)
		var bad *limit.OptionError
		if !errors.As(err, &bad) || bad.Option != "class weights" || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want one that says %s", err, says)
		}
	}
	if _, err := dataset.FromTable(tab, dataset.Options{Targets: []box.Target{{Name: "kind"}}, Likelihood: likelihood.Gaussian{}, ClassWeights: of("ape", 2)}); err == nil {
		t.Error("a category is learned as a number")
	}
}

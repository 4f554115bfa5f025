package cv

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/fit"
	"beziergp/internal/testkit"
	"beziergp/split"
	"beziergp/table"
)

// newTable has a target, rows of which are missing, and a column that tells of folds.
func newTable(t *testing.T, y, values []float64, levels ...string) *table.Table {
	t.Helper()
	column := table.Column{Name: "key", Values: values, Levels: levels}
	if levels != nil {
		column.Kind = table.Category
	}
	tab, err := table.New(table.Column{Name: "y", Values: y}, column)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func options(change func(o *Options)) *Options {
	o := &Options{Fit: fit.NewOptions(), Folds: 3}
	o.Fit.Target = "y"
	change(o)
	return o
}

// request is one case for scikit-learn, and what it answers.
type request struct {
	Kind   string    `json:"kind"`
	N      int       `json:"n"`
	K      int       `json:"k"`
	Values []float64 `json:"values"`
}

// scikitLearn returns its folds.
func scikitLearn(t *testing.T, requests []request) (answers [][]split.Fold) {
	t.Helper()
	in, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(testkit.Python(t, "sklearn"), filepath.Join("testdata", "folds.py"))
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

// Rows are together that scikit-learn has together, whatever rows lack a target.
func TestFoldsAreThoseOfScikitLearn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var requests []request
	for range 400 {
		r := request{Kind: []string{"plain", "group", "time", "fold"}[rng.IntN(4)], K: 2 + rng.IntN(6)}
		switch r.Kind {
		case "group": // of distinct sizes: which of two equal ones comes first is numpy's affair
			for size, key := range rng.Perm(r.K + rng.IntN(6)) {
				for range size + 1 {
					r.Values = append(r.Values, float64(7*key-20))
				}
			}
			rng.Shuffle(len(r.Values), func(i, j int) { r.Values[i], r.Values[j] = r.Values[j], r.Values[i] })
		default:
			for _, v := range rng.Perm(r.K + 1 + rng.IntN(100)) {
				r.Values = append(r.Values, float64(v)/2)
			}
		}
		if r.Kind == "fold" {
			for i := range r.Values {
				r.Values[i] = float64(rng.IntN(r.K+1) - 1)
			}
			r.Values[0], r.Values[1] = 0, 1 // two folds at least
		}
		r.N = len(r.Values)
		requests = append(requests, r)
	}
	answers := scikitLearn(t, requests)
	for i, r := range requests {
		o := options(func(o *Options) {
			o.Folds, o.NoShuffle = r.K, r.Kind == "plain"
			*map[string]*string{"plain": new(string), "group": &o.Fit.Source.Group, "time": &o.Fit.Source.Time, "fold": &o.Fold}[r.Kind] = "key"
		})
		var y, values []float64 // every fifth row is one more, without a target
		var rows []int
		for k, v := range r.Values {
			if k%5 == 4 {
				y, values = append(y, math.NaN()), append(values, v)
			}
			rows, y, values = append(rows, len(y)), append(y, 1), append(values, v)
		}
		if r.Kind == "plain" {
			values = make([]float64, len(y))
		}
		folds, _, err := o.folds(newTable(t, y, values), "t.csv")
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		for k := range answers[i] {
			answers[i][k] = split.Fold{Train: at(rows, answers[i][k].Train), Test: at(rows, answers[i][k].Test)}
		}
		for k := range folds {
			slices.Sort(folds[k].Train)
			slices.Sort(folds[k].Test)
		}
		if !reflect.DeepEqual(folds, answers[i]) {
			t.Fatalf("%+v:\n%v, scikit-learn has\n%v", r, folds, answers[i])
		}
	}
}

// Random folds hold every row once, are of the seed, and are no neighbours.
func TestRandomFolds(t *testing.T) {
	y := make([]float64, 100)
	of := func(seed uint64) []split.Fold {
		folds, names, err := options(func(o *Options) { o.Folds, o.Fit.Seed = 4, seed }).folds(newTable(t, y, y), "t.csv")
		if err != nil || !slices.Equal(names, []string{"1", "2", "3", "4"}) {
			t.Fatal(names, err)
		}
		return folds
	}
	one := of(1)
	var all []int
	for _, f := range one {
		all = append(all, f.Test...)
		if len(f.Test) != 25 || slices.IsSorted(f.Test) {
			t.Errorf("a fold of %v", f.Test)
		}
	}
	if slices.Sort(all); !slices.Equal(all, upTo(100)) {
		t.Errorf("the folds hold %v", all)
	}
	if !reflect.DeepEqual(one, of(1)) || reflect.DeepEqual(one, of(2)) {
		t.Error("the folds are not of the seed")
	}
}

// Folds of one's own have the names of their column, a text's too; rows without are only
// learned from.
func TestNamedFolds(t *testing.T) {
	nan := math.NaN()
	tab := newTable(t, make([]float64, 5), []float64{1, 0, nan, 1, 0}, "spring", "autumn")
	folds, names, err := options(func(o *Options) { o.Fold = "key" }).folds(tab, "t.csv")
	want := []split.Fold{{Train: []int{0, 2, 3}, Test: []int{1, 4}}, {Train: []int{1, 2, 4}, Test: []int{0, 3}}}
	if err != nil || !slices.Equal(names, []string{"spring", "autumn"}) || !reflect.DeepEqual(folds, want) {
		t.Errorf("%v %v, %v", names, folds, err)
	}
}

func TestFoldsThatCannotBe(t *testing.T) {
	y, nan := make([]float64, 4), math.NaN()
	for says, o := range map[string]*Options{
		"5 folds of 4 rows":   options(func(o *Options) { o.Folds = 5 }),
		"3 folds of 2 groups": options(func(o *Options) { o.Fit.Source.Group = "key" }),
		"row 3":               options(func(o *Options) { o.Fit.Source.Group, o.Folds = "key", 2 }),
		"same time":           options(func(o *Options) { o.Fit.Source.Time = "key" }),
		"1 folds":             options(func(o *Options) { o.Fold = "key" }),
	} {
		values := map[string][]float64{"row 3": {0, 1, nan, 1}, "3 folds of 2 groups": {1, 0, 1, 0}}[says]
		if values == nil {
			values = []float64{2, 2, 2, 2}
		}
		_, _, err := o.folds(newTable(t, y, values), "t.csv")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		var missing *box.MissingError
		if errors.As(err, &missing) != (says == "row 3") {
			t.Errorf("%s: %v", says, err)
		}
	}
	_, _, err := options(func(o *Options) { o.Fit.Source.Time = "key" }).folds(newTable(t, y, []float64{0, 1, 0, 1}, "a", "b"), "t.csv")
	if err == nil || !strings.Contains(err.Error(), "no order in time") {
		t.Errorf("times that are texts: %v", err)
	}
}

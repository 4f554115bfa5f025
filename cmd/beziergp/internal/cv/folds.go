package cv

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/split"
	"beziergp/table"
	"beziergp/tablefile"
)

// foldStream keeps the draw of the folds apart from what a fit draws from the same seed.
const foldStream = 0x6376 // "cv"

// folds returns which rows of a table, counted from 0, are trained on and tested, fold by
// fold, and what the folds are called.
func (o *Options) folds(t *table.Table, data string) (folds []split.Fold, names []string, err error) {
	rows, k := o.scorable(t), cmp.Or(o.Folds, defaultFolds)
	if len(rows) == 0 {
		return nil, nil, &tablefile.Error{File: source.Name(data), Column: o.Fit.Target, Problem: fmt.Sprintf("the target is missing, or the weight 0, in all %d rows", t.Rows()),
			Remedy: "give rows whose target is known"}
	}
	var column string
	var values []float64
	var field table.Field
	for _, column = range o.columns() { // one at most
		if values, field, err = pick(t, column, rows, o.Fold == ""); err != nil {
			return nil, nil, err
		}
	}
	if o.Fit.Source.Time != "" && field.Kind == table.Category {
		return nil, nil, &tablefile.Error{File: source.Name(data), Column: column, Problem: "it holds texts, which have no order in time",
			Remedy: "name a column of numbers, or of dates and times as ISO 8601 writes them"}
	}
	switch {
	case o.Fold != "":
		folds, names = predefined(values, field)
		if len(folds) < 2 {
			err = fmt.Errorf("%d folds: there must be at least 2", len(folds))
		}
	case o.Fit.Source.Time != "":
		folds, err = split.Forward(values, k)
	case o.Fit.Source.Group != "":
		folds, err = ofAll(split.Groups(ranks(values), k))
	default:
		order := upTo(len(rows))
		if !o.NoShuffle {
			order = rand.New(rand.NewPCG(o.Fit.Seed, foldStream)).Perm(len(rows))
		}
		folds, err = ofAll(split.InOrder(order, k))
	}
	if err != nil {
		remedy := "take fewer --folds"
		if column != "" {
			remedy += ", or another column"
		}
		return nil, nil, &tablefile.Error{File: source.Name(data), Column: column, Problem: err.Error(), Remedy: remedy}
	}
	for k := range folds {
		folds[k] = split.Fold{Train: at(rows, folds[k].Train), Test: at(rows, folds[k].Test)}
		if o.Fold == "" {
			names = append(names, fmt.Sprint(k+1))
		}
	}
	return folds, names, nil
}

// scorable returns the rows that have a target and a weight above 0.
func (o *Options) scorable(t *table.Table) (rows []int) {
	targets := o.Fit.Several()
	if targets == nil {
		targets = []string{o.Fit.Target}
	}
	weights, weighted := t.Column(o.Fit.Weights)
	known := make([]bool, t.Rows()) // of one of the targets at least
	for _, name := range targets {
		y, _ := t.Column(name)
		for i, v := range y {
			known[i] = known[i] || !math.IsNaN(v)
		}
	}
	for i := range known {
		if known[i] && (!weighted || weights[i] != 0) { // a bad weight is an error of the fit
			rows = append(rows, i)
		}
	}
	return rows
}

// pick returns the values of a column at some rows. None may be missing where all have to be
// there.
func pick(t *table.Table, name string, rows []int, all bool) ([]float64, table.Field, error) {
	column, _ := t.Column(name)
	field, _ := t.Field(name)
	values := at(column, rows)
	if i := slices.IndexFunc(values, math.IsNaN); i >= 0 && all {
		return nil, field, &box.MissingError{Place: box.Place{Row: rows[i] + 1, Column: name}}
	}
	return values, field, nil
}

// ofAll turns the tests of folds into folds.
func ofAll(tests [][]int, err error) ([]split.Fold, error) {
	if err != nil {
		return nil, err
	}
	return split.Of(tests), nil
}

// predefined returns a fold for each of the values, in ascending order, and what it is
// called. Rows without a value, or of −1, are trained on by all.
func predefined(values []float64, field table.Field) (folds []split.Fold, names []string) {
	none := func(v float64) bool { return math.IsNaN(v) || v == -1 && field.Kind != table.Category }
	distinct := slices.Compact(slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(values), none))))
	for _, own := range distinct {
		var f split.Fold
		for i, v := range values {
			if v == own {
				f.Test = append(f.Test, i)
			} else {
				f.Train = append(f.Train, i)
			}
		}
		name := fmt.Sprintf("%g", own)
		if field.Kind == table.Category {
			name = field.Levels[int(own)]
		}
		folds, names = append(folds, f), append(names, name)
	}
	return folds, names
}

// ranks returns the ranks of values among the distinct ones, from 0 on.
func ranks(values []float64) []int {
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	ranks := make([]int, len(values))
	for i, v := range values {
		ranks[i], _ = slices.BinarySearch(distinct, v)
	}
	return ranks
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func at[T any](values []T, rows []int) []T {
	some := make([]T, len(rows))
	for i, row := range rows {
		some[i] = values[row]
	}
	return some
}

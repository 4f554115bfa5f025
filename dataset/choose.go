package dataset

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"beziergp/box"
	"beziergp/internal/comm"
	"beziergp/internal/limit"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/table"
)

// Options chooses what of a table is learned from, and how it is scaled.
type Options struct {
	// Targets are the columns to predict, with their transforms and ranges. At least one
	// is needed.
	Targets []box.Target
	// Some says that a row that has one of the targets is enough, in memory; the others are NaN.
	// Targets are numbers then.
	Some bool
	// Likelihood is the law of the targets, which says how they are scaled; nil for that
	// which the target's column calls for: a Bernoulli or a categorical one of truth values
	// and categories, and else a Gaussian.
	Likelihood likelihood.Likelihood
	// Offset names a column of numbers that are added to the natural parameter f, and
	// Exposure one of positive numbers whose logarithms are: what is predicted of a row with
	// twice the exposure is twice as much, of counts and amounts alone ([likelihood.LogLink]).
	// Not both may be named. Neither is an input.
	Offset, Exposure string
	// Inputs names the columns to learn from, in order; nil for all but targets and
	// weights.
	Inputs []string
	// Exclude names columns that are not inputs.
	Exclude []string
	// Plain names columns that stay as they are where they would be parts of another
	// ([table.Table.FindDate], [table.Table.FindOneHot]).
	Plain []string
	// Bounds declares the box of inputs by name; by default it is what the rows span.
	Bounds map[string]box.Bounds
	// ByRanks scales numbers by their empirical distribution function, not linearly.
	ByRanks bool
	// Absent adds an input to a column whose missing values may tell something ([box.Absent]), unless they are in the
	// same rows as those of a column before it. Out of core it does where the sample has all rows.
	Absent bool
	// Weights names a column of row weights; empty for equal ones. ClassWeights multiply the weights
	// of rows by the class of their target.
	Weights      string
	ClassWeights ClassWeights
	// Group names a column whose equal values tell which rows belong together, Time one of
	// numbers or date-times along which rows lie, and Held one of truth values that marks
	// rows to choose by and not to learn from. No row may lack them, and none is an input,
	// but for the cycles of a date-time ([box.FitCycles]). Empty for none.
	Group, Time, Held string
	// Split names how the rows were taken out of a larger table; see [seen.Rows].
	Split string
	// Workers fit the columns' scalings; one does for 0.
	Workers int
	// Apart tells which rank reads which rows of a cache; nil where each reads all. All ranks
	// then make the same set of the same options.
	Apart *comm.Apart
}

// columns are the places of what is learned from among the columns of rows.
type columns struct {
	inputs                     []int
	targets                    []int
	weights, group, time, held int // −1 for none
	offset                     int // or exposure
}

// check refuses options that no table could go with.
func (o Options) check() error {
	if len(o.Targets) == 0 {
		return &limit.OptionError{Option: "target", Problem: "there is none; name the column to predict"}
	}
	for k, target := range o.Targets {
		if slices.ContainsFunc(o.Targets[:k], func(t box.Target) bool { return t.Name == target.Name }) {
			return &limit.OptionError{Option: "target", Problem: fmt.Sprintf("%q stands twice", target.Name)}
		}
		if _, err := box.ParseTransform(string(target.Transform)); err != nil {
			return &limit.OptionError{Option: "target transform", Problem: err.Error()}
		}
		if target.Range != nil {
			if err := target.Range.Check(); err != nil {
				return &limit.OptionError{Option: "range", Problem: err.Error()}
			}
		}
	}
	return nil
}

// choose returns the names of the inputs, in order. What it looks at is the names and kinds
// of the columns of t.
func (o Options) choose(t *table.Table) (inputs []string, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	for _, target := range o.Targets {
		if err := o.checkTarget(t, target.Name); err != nil {
			return nil, err
		}
	}
	if err := o.checkOffset(t); err != nil {
		return nil, err
	}
	if inputs, err = o.inputNames(t); err != nil {
		return nil, err
	}
	if _, err := t.Select(inputs...); err != nil {
		return nil, err
	}
	if o.Weights != "" {
		if err := numeric(t, "weights", o.Weights); err != nil {
			return nil, err
		}
	}
	if err := o.checkClassWeights(t); err != nil {
		return nil, err
	}
	return inputs, o.checkSplit(t)
}

// used returns the names of all columns that are learned from.
func (o Options) used(inputs []string) []string {
	names := slices.Clone(inputs)
	for _, target := range o.Targets {
		names = append(names, target.Name)
	}
	for _, name := range []string{o.Weights, o.Group, o.Time, o.Held, o.known()} {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// find returns where the columns that are learned from are among others.
func (o Options) find(inputs []string, fields []table.Field) columns {
	places := make(map[string]int, len(fields))
	for j, f := range fields {
		places[f.Name] = j
	}
	at := func(name string) int {
		if name == "" {
			return -1
		}
		return places[name]
	}
	c := columns{weights: at(o.Weights), group: at(o.Group), time: at(o.Time), held: at(o.Held), offset: at(o.known())}
	for _, name := range inputs {
		c.inputs = append(c.inputs, places[name])
	}
	for _, target := range o.Targets {
		c.targets = append(c.targets, places[target.Name])
	}
	return c
}

// numeric refuses a column, called what, that a table lacks or that holds no numbers.
func numeric(t *table.Table, what, name string) error {
	f, ok := t.Field(name)
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", what, table.Unknown(name, t.Names()))
	case f.Kind == table.Category || f.Kind == table.DateTime:
		return fmt.Errorf("%s %q %s", what, name, noNumber(f, "name a column of numbers, or none"))
	}
	return nil
}

// NoNumber says why a field that holds no numbers cannot be learned, and what can be, in
// words that follow its name.
func NoNumber(f table.Field) string {
	return noNumber(f, "a column of 1 for one of the levels and 0 for all others can be learned, whose mean estimates the probability of that level")
}

// noNumber says why a field holds no numbers, and what to do; of a category the remedy.
func noNumber(f table.Field, remedy string) string {
	if f.Kind == table.DateTime {
		return "is a date-time, and a number is needed: write it as one, as in days since the first"
	}
	if LikeNumbers(f) {
		return fmt.Sprintf("holds texts like %s, and a number is needed: write it %s", printable.Quoted(f.Levels[0]), plainly)
	}
	text := fmt.Sprintf("is a category of %d levels", len(f.Levels))
	if len(f.Levels) == 1 {
		text = "is a category of one level"
	}
	return text + ", and a number is needed; " + remedy
}

// inputNames returns the names of the columns to learn from.
func (o Options) inputNames(t *table.Table) ([]string, error) {
	isTarget := func(name string) bool {
		return slices.ContainsFunc(o.Targets, func(target box.Target) bool { return target.Name == name })
	}
	names := o.Inputs
	if names == nil {
		names = slices.DeleteFunc(t.Names(), func(name string) bool { return isTarget(name) || o.role(t, name) != "" })
	}
	for _, name := range names {
		switch {
		case isTarget(name):
			return nil, &limit.OptionError{Option: "inputs", Problem: fmt.Sprintf("the target %q cannot be an input", name)}
		case o.role(t, name) != "":
			return nil, &limit.OptionError{Option: "inputs", Problem: fmt.Sprintf("the %s %q cannot be an input", o.role(t, name), name)}
		}
	}
	excluded := make(map[string]bool, len(o.Exclude))
	for _, name := range o.Exclude {
		if _, ok := t.Column(name); !ok {
			return nil, fmt.Errorf("exclude: %w", table.Unknown(name, t.Names()))
		}
		excluded[name] = true
	}
	for _, name := range o.Plain {
		if _, ok := t.Column(name); !ok {
			return nil, fmt.Errorf("plain: %w", table.Unknown(name, t.Names()))
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return excluded[name] })
	if len(names) == 0 {
		return nil, errors.New("no column is left to learn from")
	}
	return names, nil
}

// checkBounds refuses bounds of an input that there is not.
func (o Options) checkBounds(inputs []string) error {
	for _, name := range slices.Sorted(maps.Keys(o.Bounds)) {
		if !slices.Contains(inputs, name) {
			return &limit.OptionError{Option: "bounds", Problem: table.Unknown(name, inputs).Error()}
		}
	}
	return nil
}

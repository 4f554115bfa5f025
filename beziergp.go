// Package beziergp fits Bézier Gaussian processes to tables and predicts with
// them: regression with a mean and a calibrated deviation for every row, at a cost
// linear in rows and in inputs, without a matrix inverse.
//
// The method is Jørgensen & Osborne, Bézier Gaussian Processes for Tall and Wide
// Data (NeurIPS 2022).
//
//	t, err := tablefile.Read(ctx, "train.csv", tablefile.Options{})
//	m, err := beziergp.Fit(ctx, t, "y", beziergp.Options{})
//	p, err := m.Predict(ctx, t, beziergp.PredictOptions{})
//	// p.Mean[i], p.Std[i]: of row i, in the units of y
//	err = m.Save("model.bgp")
//
// A program that only predicts imports beziergp/serve, for models of any kind, or
// beziergp/model, which link neither a recipe nor a reader of files.
package beziergp

import (
	"context"
	"errors"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/tablecache"
	"beziergp/train"
)

type (
	// Model is a fitted process.
	Model = model.Model
	// Predictions holds a row for every input row.
	Predictions = model.Predictions
	// PredictOptions chooses how to predict.
	PredictOptions = model.PredictOptions
	// Table is named columns of numbers.
	Table = table.Table
	// Column is one of them.
	Column = table.Column
	// Bounds is the interval of an input's values.
	Bounds = box.Bounds
	// Policy says what becomes of rows outside the box.
	Policy = box.Policy
	// Transform is applied to the target.
	Transform = box.Transform
	// ClassWeights are factors of the weights of rows by the class of their target.
	ClassWeights = dataset.ClassWeights
	// Range is where a target can lie.
	Range = predictive.Range
	// Event reports the progress of training.
	Event = train.Event
	// OptionError reports an option that is out of range.
	OptionError = train.OptionError
)

// Policies for rows outside the box, which is what the training rows span.
const (
	Clip   = box.Clip   // move to the nearest face and flag: the default
	Refuse = box.Refuse // fail
	Flag   = box.Flag   // flag, and give no prediction
	// Extrapolate takes the row as it is and flags it: only a rival can.
	Extrapolate = box.Extrapolate
)

// Log1p is log(1 + y).
const Log1p = box.Log1p

// Options chooses how to fit. The zero value is the default recipe.
type Options struct {
	// Inputs names the columns to learn from, in the model's order; by default all
	// but the target.
	Inputs []string
	// Exclude names columns that are not inputs.
	Exclude []string
	// Plain names columns that stay inputs of their own. Other inputs that hold numbers and are
	// called year, month and day, with hour, minute and second as far as there are such, make
	// one date-time, called date, in their place where every row has one ([table.Date]); and
	// the one-hot columns of a category make that category ([table.Table.FindOneHot]).
	Plain []string
	// Bounds declares the box of inputs by name; by default it is what the training
	// rows span.
	Bounds map[string]Bounds
	// OutOfBox says what becomes of rows outside the box when the model predicts;
	// by default Clip.
	OutOfBox Policy
	// TargetTransform is applied to the target before it is learned; predictions are
	// in the target's own units again. By default there is none.
	TargetTransform Transform
	// Range is where the target can lie: means, points, intervals and distributions that
	// the model predicts lie within ([PredictOptions]). What is learned does not depend on
	// it. A training row beyond it is an error. By default the target can lie anywhere.
	Range *Range
	// Weights names a column of row weights, not negative; it is no input. By default
	// all rows weigh the same. ClassWeights multiply the weights of rows by the class of their
	// target, a column of truth values or a category.
	Weights      string
	ClassWeights ClassWeights
	// Group names a column whose rows of equal values belong together, of a customer or a
	// site, and Time one of numbers or date-times along which rows lie: new rows are of
	// other groups, or later. [auto.Recipe] then holds whole groups out, or stretches of
	// time, wherever it chooses and calibrates; no other recipe takes them. Not both may be
	// named. Neither column is an input, but for the hour, weekday and day of the year of a
	// date-time, as far as the rows go once round. No row may lack the value.
	Group, Time string
	// Held names a column of truth values, which is no input: [auto.Recipe] chooses and
	// calibrates by the rows that it marks alone, and no member learns from them. It goes
	// with neither Group nor Time. By default the recipe shares all rows out to folds.
	Held string
	// Split names how the rows were taken out of a larger table, for the model to remember
	// ([Model.Seen]): rows that the same split leaves are new to it, even if some equal
	// rows that it has seen. Empty where they are all.
	Split string
	// Missing are the texts that stood for a missing value where the rows were read, as in
	// [beziergp/tablefile.Options]: the model remembers them ([Model.Missing]), and what it
	// predicts is to be read alike. Nil for the default ones.
	Missing *cell.Words
	// Likelihood is the law of the target given the process, as [likelihood.Named] has it.
	// By default the target's column decides: truth values and categories of two levels have
	// a Bernoulli law, other categories a categorical one, and numbers are
	// [likelihood.Gaussian].
	Likelihood likelihood.Likelihood
	// Offset names a column that is added to the natural parameter of the likelihood, and
	// Exposure one of positive numbers in proportion to which counts or amounts are
	// expected, whose logarithm is added. Not both may be named. Neither is an input, and
	// predictions need the column. A Gaussian and a categorical likelihood take none, and
	// one whose mean is not in proportion to an exposure ([likelihood.LogLink]) no Exposure.
	Offset, Exposure string
	// OutOfFolds, if not nil, is filled by [FitOutputs] as OutOfFold is by [Fit]: one a target.
	OutOfFolds *[]OutOfFold
	// Recipe is how to train: [auto.Recipe], the default, or [paper.Recipe]. What only one
	// of them has is an option of it.
	Recipe train.Recipe
	// OutOfFold, if not nil, is filled with what members of [auto.Recipe] predict of the
	// training rows that they were trained without; no other recipe can. The model does not
	// depend on it.
	OutOfFold *OutOfFold
	// Memory is about how many bytes [FitCache] may take, which bounds the sample of the rows
	// that [auto.Recipe] keeps; 0 for a sample of 2²⁵ coordinates.
	Memory int64
	// Workers is the number of goroutines, by default one a processor. Results do not
	// depend on it.
	Workers int
	// Ranks is this process among those that make the fit together, each from the same rows
	// with the same options; nil for the only one. All get the same model, which does not
	// depend on how many there are. Where set-ups differ, the fit fails before it trains.
	// [auto.Recipe] shares its fits out and [paper.Recipe] its orderings, of which every rank
	// needs one; other recipes refuse several.
	Ranks Ranks
	// Progress is called after every step, never by two goroutines at once, though not
	// always by the same one. What it does holds up training.
	Progress func(Event)
}

// NewTable returns a table of columns of equal length, which it keeps: [table.ColumnOf]
// makes them of slices, and [table.ColumnsOf] of a matrix. It fails as [table.New] does.
func NewTable(columns ...Column) (*Table, error) { return table.New(columns...) }

// DataError reports a table that cannot be learned from.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong: where a value is, as a [box.BoundsError] or a
// [table.UnknownError] say.
func (e *DataError) Unwrap() error { return e.Err }

// dataError is the fault of the table unless it is an option's, or nobody's: the disk's,
// or an interruption.
func dataError(err error) error {
	var option *OptionError
	var disk *tablecache.DiskError
	if err == nil || errors.As(err, &option) || errors.As(err, &disk) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &DataError{err}
}

// Package beziergp fits Bézier Gaussian processes to tables and predicts with
// them: regression with a mean and an honest deviation for every row, at a cost
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
// A program that only predicts imports beziergp/model, which holds neither an
// optimiser nor a reader of tables.
package beziergp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"beziergp/basis"
	"beziergp/box"
	"beziergp/model"
	"beziergp/table"
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
)

// DefaultOrder is the order of the paper's experiments.
const DefaultOrder = 20

// Options chooses how to fit. The zero value is the default recipe.
type Options struct {
	// Order is ν, the order of every input's Bernstein basis, from 1 to
	// basis.MaxPriorOrder; by default DefaultOrder.
	Order int
	// Orders overrides Order for inputs by name.
	Orders map[string]int
	// Inputs names the columns to learn from, in the model's order; by default all
	// but the target.
	Inputs []string
	// Exclude names columns that are not inputs.
	Exclude []string
	// Bounds declares the box of inputs by name; by default it is what the training
	// rows span.
	Bounds map[string]Bounds
	// OutOfBox says what becomes of rows outside the box when the model predicts;
	// by default Clip.
	OutOfBox Policy
	// Recipe is how to train: [train.Auto], the default, or [train.Paper].
	Recipe train.Recipe
	// Workers is the number of goroutines, by default one a processor. Results do not
	// depend on it.
	Workers int
	// Progress is called after every step, from the calling goroutine.
	Progress func(Event)
	// Checkpoint is a file for the state of a run that is interrupted; the same run,
	// started again, goes on from there and ends as if it had never stopped. Empty
	// for none. It is removed when training is done.
	Checkpoint string
	// CheckpointEvery is the time between two checkpoints, by default half a minute.
	CheckpointEvery time.Duration
	// KeepCheckpoint leaves the checkpoint of a finished run to the caller, who
	// removes it once the model is saved.
	KeepCheckpoint bool
}

// Fit learns the target column of t from its other columns.
//
// It fails when a column is missing, when there are fewer than two rows, when the
// target or all inputs are constant ([DataError]), when an option is out of range
// ([OptionError]), when training diverges, and when ctx is done: the error then
// wraps ctx's, and the checkpoint is written. t is not changed and not kept.
func Fit(ctx context.Context, t *Table, target string, o Options) (*Model, error) {
	inputs, y, err := o.columns(t, target)
	if err != nil {
		return nil, dataError(err)
	}
	if o.Recipe == nil {
		o.Recipe = train.Auto{}
	}
	fit, err := o.scale(inputs, target, y)
	if err != nil {
		return nil, dataError(err)
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	result, err := o.Recipe.Fit(ctx, fit.data, train.Environment{
		Workers: workers, Progress: o.Progress,
		Checkpoint: o.Checkpoint, CheckpointEvery: o.CheckpointEvery, KeepCheckpoint: o.KeepCheckpoint,
	})
	if err != nil {
		return nil, err
	}
	if result.Inputs != nil {
		fit.inputs = result.Inputs
	}
	options, err := json.Marshal(result.Options)
	if err != nil {
		return nil, err
	}
	return model.New(model.Parts{
		Posterior: result.Posterior, Inputs: fit.inputs, Target: fit.target, Noise: result.Noise, Varying: result.Varying,
		Doubt: result.Doubt, VarianceScale: result.VarianceScale, Policy: fit.policy,
		Training: model.Training{
			Recipe: result.Recipe, Options: options, Rows: len(y), Steps: result.Steps,
			RMSE: result.RMSE * fit.target.SD, Objective: result.Objective,
		},
	})
}

// Load reads a model from a file.
func Load(path string) (*Model, error) { return model.Load(path) }

// ReadModel reads a model from a stream.
func ReadModel(r io.Reader) (*Model, error) { return model.Read(r) }

// NewTable returns a table of columns of equal length, which it keeps.
func NewTable(columns ...Column) (*Table, error) { return table.New(columns...) }

// DataError reports a table that cannot be learned from.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong: where a value is, as a [box.BoundsError] or a
// [table.UnknownError] say.
func (e *DataError) Unwrap() error { return e.Err }

// dataError is the fault of the table unless it is an option's.
func dataError(err error) error {
	var option *OptionError
	if errors.As(err, &option) {
		return err
	}
	return &DataError{err}
}

// columns picks the inputs and the target out of a table.
func (o Options) columns(t *Table, target string) (*Table, []float64, error) {
	y, ok := t.Column(target)
	if !ok {
		return nil, nil, fmt.Errorf("target: %w", table.Unknown(target, t.Names()))
	}
	if t.Rows() < 2 {
		return nil, nil, fmt.Errorf("too few training rows, %d: at least 2 are needed", t.Rows())
	}
	names := o.Inputs
	if names == nil {
		names = slices.DeleteFunc(t.Names(), func(name string) bool { return name == target })
	}
	if slices.Contains(names, target) {
		return nil, nil, &OptionError{Option: "inputs", Problem: fmt.Sprintf("the target %q cannot be an input", target)}
	}
	for _, name := range o.Exclude {
		if _, ok := t.Column(name); !ok {
			return nil, nil, fmt.Errorf("exclude: %w", table.Unknown(name, t.Names()))
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(o.Exclude, name) })
	if len(names) == 0 {
		return nil, nil, errors.New("no column is left to learn from")
	}
	inputs, err := t.Select(names...)
	return inputs, y, err
}

// scaled is a training set with the scalings that made it.
type scaled struct {
	data   train.Data
	inputs []box.Input
	target box.Target
	policy Policy
}

// scale fits the box and chooses every input's basis.
func (o Options) scale(t *Table, target string, y []float64) (*scaled, error) {
	s := &scaled{policy: o.OutOfBox}
	if s.policy == "" {
		s.policy = Clip
	}
	if _, err := box.ParsePolicy(string(s.policy)); err != nil {
		return nil, &OptionError{Option: "out of box", Problem: err.Error()}
	}
	names := t.Names()
	if err := o.checkNames(names); err != nil {
		return nil, err
	}
	var err error
	if s.target, err = box.FitTarget(target, y); err != nil {
		return nil, err
	}
	columns, varying := make([][]float64, len(names)), false
	for i, name := range names {
		columns[i], _ = t.Column(name)
		in, err := o.input(name, columns[i])
		if err != nil {
			return nil, err
		}
		order, err := o.order(name)
		if err != nil {
			return nil, err
		}
		if in.Constant() {
			order = 0
		}
		varying = varying || !in.Constant()
		b, err := basis.NewBernstein(order)
		if err != nil {
			return nil, err
		}
		s.inputs, s.data.Bases = append(s.inputs, in), append(s.data.Bases, b)
	}
	if !varying {
		return nil, fmt.Errorf("all %d training rows have the same inputs: there is nothing to learn from", t.Rows())
	}
	s.data.X, s.data.Y = make([]float32, t.Rows()*len(names)), make([]float32, t.Rows())
	mapping := box.Box{Inputs: s.inputs}
	if err := mapping.Map(s.data.X, columns, box.Refuse, make([]bool, t.Rows()), make([]int, len(names))); err != nil {
		return nil, err
	}
	s.target.Standardize(s.data.Y, y)
	s.data.Inputs = s.inputs
	return s, nil
}

func (o Options) input(name string, values []float64) (box.Input, error) {
	if bounds, ok := o.Bounds[name]; ok {
		return box.DeclareInput(name, bounds, values)
	}
	if o.Recipe.Scaling() == train.ByRanks {
		return box.RankInput(name, values)
	}
	return box.FitInput(name, values)
}

func (o Options) order(name string) (int, error) {
	order, ok := o.Orders[name]
	if !ok {
		order = o.Order
		if order == 0 {
			order = DefaultOrder
		}
	}
	if order < 1 || order > basis.MaxPriorOrder {
		return 0, &OptionError{Option: "order", Problem: fmt.Sprintf("%d for input %q; it must be from 1 to %d, above which the prior has negative variances", order, name, basis.MaxPriorOrder)}
	}
	return order, nil
}

// checkNames returns an error when an option names an input that there is not.
func (o Options) checkNames(inputs []string) error {
	for name := range o.Orders {
		if !slices.Contains(inputs, name) {
			return &OptionError{Option: "orders", Problem: table.Unknown(name, inputs).Error()}
		}
	}
	for name := range o.Bounds {
		if !slices.Contains(inputs, name) {
			return &OptionError{Option: "bounds", Problem: table.Unknown(name, inputs).Error()}
		}
	}
	return nil
}

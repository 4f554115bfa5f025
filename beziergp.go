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
	// Transform is applied to the target.
	Transform = box.Transform
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

// Log1p is log(1 + y).
const Log1p = box.Log1p

// DefaultOrder is the order of the paper's experiments.
const DefaultOrder = 20

// Options chooses how to fit. The zero value is the paper's recipe.
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
	// TargetTransform is applied to the target before it is learned; predictions are
	// in the target's own units again. By default there is none.
	TargetTransform Transform
	// Weights names a column of row weights, not negative; it is no input. By default
	// all rows weigh the same.
	Weights string
	// Recipe holds the numbers of the training recipe; its zero value is the paper's.
	Recipe train.Paper
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
	inputs, y, weights, err := o.columns(t, target)
	if err != nil {
		return nil, dataError(err)
	}
	fit, err := o.scale(inputs, target, y)
	if err != nil {
		return nil, dataError(err)
	}
	fit.data.Weights = weights
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
	options, err := json.Marshal(result.Options)
	if err != nil {
		return nil, err
	}
	return model.New(model.Parts{
		Posterior: result.Posterior, Inputs: fit.inputs, Target: fit.target, Noise: result.Noise, Policy: fit.policy,
		Training: model.Training{
			Recipe: result.Recipe, Options: options, Rows: len(y), Dropped: t.Rows() - len(y), Steps: result.Steps,
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

// columns picks the inputs, the target and the row weights, nil for equal ones, out
// of the rows of a table that have a target and a weight above 0.
func (o Options) columns(t *Table, target string) (inputs *Table, y []float64, weights []float32, err error) {
	y, ok := t.Column(target)
	if !ok {
		return nil, nil, nil, fmt.Errorf("target: %w", table.Unknown(target, t.Names()))
	}
	if f, _ := t.Field(target); f.Kind == table.Category || f.Kind == table.DateTime {
		return nil, nil, nil, fmt.Errorf("target %q is a %s; a number is needed", target, f.Kind)
	}
	names, err := o.inputNames(t, target)
	if err != nil {
		return nil, nil, nil, err
	}
	if inputs, err = t.Select(names...); err != nil {
		return nil, nil, nil, err
	}
	keep := make([]bool, t.Rows())
	for i, v := range y {
		keep[i] = v == v
	}
	if weights, err = o.weights(t, keep); err != nil {
		return nil, nil, nil, err
	}
	if rows := count(keep); rows < t.Rows() {
		y, weights, inputs = pick(y, keep), pick(weights, keep), inputs.Filter(keep)
	}
	if len(y) < 2 {
		return nil, nil, nil, fmt.Errorf("too few training rows with a target, %d: at least 2 are needed", len(y))
	}
	return inputs, y, normalize(weights), nil
}

// inputNames returns the names of the columns to learn from.
func (o Options) inputNames(t *Table, target string) ([]string, error) {
	names := o.Inputs
	if names == nil {
		names = slices.DeleteFunc(t.Names(), func(name string) bool { return name == target || name == o.Weights })
	}
	for _, name := range names {
		switch name {
		case target:
			return nil, &OptionError{Option: "inputs", Problem: fmt.Sprintf("the target %q cannot be an input", target)}
		case o.Weights:
			return nil, &OptionError{Option: "inputs", Problem: fmt.Sprintf("the weights %q cannot be an input", name)}
		}
	}
	for _, name := range o.Exclude {
		if _, ok := t.Column(name); !ok {
			return nil, fmt.Errorf("exclude: %w", table.Unknown(name, t.Names()))
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(o.Exclude, name) })
	if len(names) == 0 {
		return nil, errors.New("no column is left to learn from")
	}
	return names, nil
}

// weights returns the row weights, nil if there are none, and takes rows of weight 0
// out of keep.
func (o Options) weights(t *Table, keep []bool) ([]float32, error) {
	if o.Weights == "" {
		return nil, nil
	}
	values, ok := t.Column(o.Weights)
	if !ok {
		return nil, fmt.Errorf("weights: %w", table.Unknown(o.Weights, t.Names()))
	}
	weights := make([]float32, len(values))
	for i, v := range values {
		if f, _ := t.Field(o.Weights); !(v >= 0) || f.Kind == table.Category || f.Kind == table.DateTime {
			return nil, fmt.Errorf("row %d, weights %q: %g is no weight; give a number from 0 on", i+1, o.Weights, v)
		}
		weights[i] = float32(v)
		keep[i] = keep[i] && weights[i] > 0
	}
	return weights, nil
}

// normalize scales weights to an average of 1, so that they leave the number of
// rows as it is.
func normalize(weights []float32) []float32 {
	var sum float64
	for _, w := range weights {
		sum += float64(w)
	}
	out := slices.Clone(weights) // the table's are not ours
	for i := range out {
		out[i] = float32(float64(out[i]) * float64(len(out)) / sum)
	}
	return out
}

func count(keep []bool) int {
	n := 0
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// pick returns the kept elements; of nil it returns nil.
func pick[T any](s []T, keep []bool) []T {
	var out []T
	for i, v := range s {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
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
	if _, err := box.ParseTransform(string(o.TargetTransform)); err != nil {
		return nil, &OptionError{Option: "target transform", Problem: err.Error()}
	}
	names := t.Names()
	if err := o.checkNames(names); err != nil {
		return nil, err
	}
	var err error
	if s.target, err = box.FitTarget(target, y, o.TargetTransform); err != nil {
		return nil, err
	}
	var columns [][]float64
	for _, name := range names {
		values, _ := t.Column(name)
		field, _ := t.Field(name)
		inputs, err := o.inputs(field, values)
		if empty := (*box.EmptyError)(nil); errors.As(err, &empty) {
			continue // a column without any value says nothing
		}
		if err != nil {
			return nil, err
		}
		s.inputs = append(s.inputs, inputs...)
		values, err = table.NewColumn(field, values).As(inputs[0].Field())
		if err != nil {
			return nil, err
		}
		columns = append(columns, values)
	}
	if !slices.ContainsFunc(s.inputs, func(in box.Input) bool { return !in.Constant() }) {
		return nil, fmt.Errorf("all %d training rows have the same inputs: there is nothing to learn from", t.Rows())
	}
	d := len(s.inputs)
	s.data.X, s.data.Y = make([]float32, t.Rows()*d), make([]float32, t.Rows())
	mapping := box.New(s.inputs)
	if err := mapping.Map(s.data.X, columns, box.Clip, make([]bool, t.Rows()), make([]int, d)); err != nil {
		return nil, err
	}
	s.target.Standardize(s.data.Y, y)
	coordinates := make([]float32, t.Rows())
	for i, in := range s.inputs {
		b, err := o.basis(in)
		if err != nil {
			return nil, err
		}
		for row := range coordinates {
			coordinates[row] = s.data.X[row*d+i]
		}
		averaged, err := basis.AverageOver(b, coordinates)
		if err != nil {
			return nil, err
		}
		s.data.Bases = append(s.data.Bases, averaged)
	}
	return s, nil
}

// inputs returns the inputs that a column makes.
func (o Options) inputs(f table.Field, values []float64) ([]box.Input, error) {
	switch f.Kind {
	case table.Category:
		in, err := box.FitCategory(f, values)
		return []box.Input{in}, err
	case table.DateTime:
		return box.FitDateTime(f.Name, values)
	}
	in, err := o.input(f.Name, values)
	in.Kind = f.Kind
	return []box.Input{in}, err
}

// basis returns an input's basis: as many nodes as it has levels for a category, a
// straight line for a boolean, a constant for an input that never changes.
func (o Options) basis(in box.Input) (basis.Basis, error) {
	if in.Kind == table.Category {
		return basis.NewIndicator(in.Nodes())
	}
	order, err := o.order(in.Source())
	if err != nil {
		return nil, err
	}
	if in.Kind == table.Boolean {
		order = 1
	}
	if in.Constant() {
		order = 0
	}
	return basis.NewBernstein(order)
}

func (o Options) input(name string, values []float64) (box.Input, error) {
	if bounds, ok := o.Bounds[name]; ok {
		return box.DeclareInput(name, bounds, values)
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

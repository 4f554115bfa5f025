// Package apply carries a model over the rows of a table, block by block, in
// memory that does not grow with them: what predicting and scoring share.
package apply

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/dataset/seen"
	"beziergp/model"
	"beziergp/predictive"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/table/exact"
)

// Options choose rows and how they are predicted.
type Options struct {
	Source  source.Options
	Output  string     // the target that is meant; empty for all
	Policy  box.Policy // empty for the model's
	Workers int        // 0 for all processors
	// Interval is how the bounds of a prediction are found; empty for the default.
	Interval model.Interval
	Level    float64 // of the interval; 0 for the default
	Point    model.Point
	Range    *predictive.Range // nil for the model's
	// By are columns by which rows are scored in groups, and Pinball the levels of quantiles
	// that are scored. Predicting alone has no use for them.
	By      []string
	Pinball []float64
}

// Sections returns the flags.
func (o *Options) Sections() []option.Section {
	data, running := option.NewSection("Data"), option.NewSection("Running")
	o.Source.AddTo(data, "1", "take the share of the rows that fit holds out by the same flag")
	o.Source.AddSplit(data, "with --holdout: that share is whole groups of equal values in column `NAME`, as for fit",
		"with --holdout: that share is the last rows by column `NAME`, as for fit")
	AddOutput(data, &o.Output)
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip, box.Flag, box.Extrapolate), "out-of-box",
		"rows beyond the inputs' bounds, or with a level not seen in training: error, clip to the nearest bound or take the level as a missing one, flag and give no prediction, or extrapolate, which other methods than bezier can (default the model's)")
	data.Flags.Var(option.Choice(&o.Interval, model.PredictiveInterval, model.ConformalInterval), "interval",
		"what lower and upper are: predictive, quantiles of the predicted distribution, or conformal, as wide as held 95 % of the errors on rows not trained on (default predictive)")
	data.Flags.Var(option.Share(&o.Level), "level",
		"the probability of the interval, whose columns and scores are then called lower90, coverage90 and so on (default 0.95, without a number in lower and upper)")
	data.Flags.Var(option.Choice(&o.Point, model.MeanPoint, model.MedianPoint), "point",
		"the one number told of a row: mean, for the least squared error, or median, for the least absolute one (default mean)")
	data.Flags.Var(option.Range(&o.Range), "range",
		"where the target can lie, as in 0:100 or 0: where an end is open; numbers of a prediction lie within, and its distribution is restricted to it; : is anywhere (default the model's)")
	data.Flags.Var(option.Missing(&o.Source.Missing), "na", "words for a missing value, '' for none (default those of the model)")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	return []option.Section{data, running}
}

// Result tells of the rows that were predicted.
type Result struct {
	Rows    int
	Read    int      // rows of the table, taken or not
	Outside *Outside // rows outside the box, and why
	Split   string   // how the rows were taken, as [source.Table.Split] says
	Clamped Counts
	held    []Counts // by output
	Beyond  int      // rows scored whose target lies beyond the range
	// Unknown are rows with a class that the model does not know, which are not scored.
	Unknown int
	Elapsed time.Duration
	classes bool        // the model tells probabilities
	seen    *seen.Count // of the rows scored; nil where the model does not remember
}

// Further names columns of the table beyond the model's inputs that are read with them.
type Further struct {
	Numbers []string // as numbers
	Kept    []string // as they stand; inputs may be among them
	// Observed names the one of Numbers that is read as the model's target.
	Observed string
	// Optional passes over numbers that the table lacks, which no block has then.
	Optional bool
}

// Block is consecutive rows that are predicted, n of them. What is predicted are those of the
// first model where there are several.
type Block struct {
	Inputs  [][]float64    // of the model, [inputs, n]
	Numbers [][]float64    // [columns, n]
	Kept    []exact.Column // [columns], n cells each
	Rows    []int64        // [n], their numbers in the table, counted from 1
	before  int            // rows that were predicted before
	*model.Predictions
	Outputs []*model.Predictions // of every model
}

// Each is called with every block, in order, and may use it until it returns.
type Each func(b *Block) error

// Run predicts the rows of a table, which may have its columns in any order and
// more than are needed. task is what this is called while it goes on; empty to keep still.
func Run(ctx context.Context, s streams.Streams, m serve.Model, path string, o Options, further Further, task string, each Each) (*Result, error) {
	return RunOutputs(ctx, s, []serve.Model{m}, path, o, further, task, each)
}

// RunOutputs is Run by models of one file, which have the same inputs.
func RunOutputs(ctx context.Context, s streams.Streams, models []serve.Model, path string, o Options, further Further, task string, each Each) (*Result, error) {
	m := models[0]
	if err := o.Source.CheckSplit(); err != nil {
		return nil, err
	}
	began := time.Now()
	if o.IntervalLevel() != model.Level && o.Interval == model.ConformalInterval {
		return nil, exit.Usagef("--level %g and --interval conformal contradict each other: a model keeps the width of a conformal interval for %g alone", o.Level, model.Level)
	}
	schema := m.Columns()
	var inputs []string
	for _, c := range schema {
		inputs = append(inputs, c.Name)
	}
	schema = slices.Clone(schema)
	for _, name := range further.Numbers {
		field := table.Field{Name: name}
		if target := m.Target(); name == target.Name || name == further.Observed {
			field = target.Field()
			field.Name = name
		} else if i := slices.Index(Targets(models), name); i >= 0 {
			field = models[i].Target().Field()
		}
		schema = append(schema, field)
	}
	if o.Source.Missing == nil {
		o.Source.Missing = m.Missing()
	}
	t, err := source.Open(ctx, path, o.Source, true, s, task, schema)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if further.Optional {
		names := t.Names()
		further.Numbers = slices.DeleteFunc(slices.Clone(further.Numbers), func(name string) bool { return !slices.Contains(names, name) })
	}
	if err := t.Select(append(slices.Clone(inputs), further.Numbers...)...); err != nil {
		return nil, err
	}
	if err := t.Keep(further.Kept...); err != nil {
		return nil, err
	}
	level := o.Level
	if m.Classes() != nil {
		level = 0 // it is that of their sets
	}
	predictors, predicted := make([]*model.Predictor, len(models)), make([]*model.Predictions, len(models))
	var clamped []model.Clamped // of the rows, whatever the output
	for k, m := range models {
		predicted[k] = &model.Predictions{}
		if predictors[k], err = m.NewPredictor(model.PredictOptions{Workers: o.Workers, Policy: o.Policy, Interval: o.Interval, Level: level, Point: o.Point, Range: o.Range}); err != nil {
			return nil, exit.Dataf("%w", err)
		}
		defer predictors[k].Close()
	}
	r := &Result{held: make([]Counts, len(models)), classes: m.Classes() != nil, Split: t.Split(), Clamped: newCounts(), Outside: NewOutside(m.Inputs())}
	for k := range r.held {
		r.held[k] = newCounts()
	}
	block, columns := t.Block(), make([][]float64, len(inputs)+len(further.Numbers))
	for {
		n, err := t.Next(ctx, block)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for k := range columns {
			columns[k] = block[k][:n]
		}
		for k, predictor := range predictors {
			if err := predictor.Predict(ctx, columns[:len(inputs)], predicted[k]); err != nil {
				return nil, inFile(ctx, err, t)
			}
			r.held[k].add(predicted[k].Clamped)
			clamped = slices.Grow(clamped[:0], n)[:n]
			if k == 0 {
				clear(clamped)
			}
			for i, own := range predicted[k].Clamped {
				clamped[i] |= own
			}
		}
		r.Clamped.add(clamped)
		p := predicted[0]
		r.Outside.Add(columns, p.InBox)
		b := Block{columns[:len(inputs)], columns[len(inputs):], t.Kept(), t.Rows(), predictors[0].Rows() - n, p, predicted}
		if err := each(&b); err != nil {
			return nil, inFile(ctx, err, t)
		}
	}
	s.Console.EndProgress()
	r.Rows, r.Read, r.Elapsed = predictors[0].Rows(), t.Read(), time.Since(began)
	return r, nil
}

// inFile gives an error about a row its place in the file.
func inFile(ctx context.Context, err error, t *source.Table) error {
	var value box.RowError
	var overflow *model.RowError
	if errors.As(err, &value) || errors.As(err, &overflow) {
		return t.Locate(ctx, err)
	}
	return err
}

// Warn warns of what a reader of the numbers should know.
func (r *Result) Warn(s streams.Streams, policy box.Policy) {
	r.Outside.Warn(s, r.Rows, policy)
	r.warnClamped(s)
	r.warnBeyond(s)
	r.warnUnknown(s)
}

// PolicyOf returns the policy that a run with these options follows.
func (o Options) PolicyOf(m serve.Model) box.Policy {
	if o.Policy != "" {
		return o.Policy
	}
	return m.Policy()
}

// IntervalLevel returns the probability of the intervals of a run with these options.
func (o Options) IntervalLevel() float64 {
	if o.Level != 0 {
		return o.Level
	}
	return model.Level
}

//go:build !lean && !wasm

package worker

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/predictive"
	"beziergp/table"
	"beziergp/tablefile"
	"beziergp/train/auto"
)

// fitOptions are those of the verb fit, by the names of the program's flags.
type fitOptions struct {
	Model      string   `json:"model"`
	Targets    []string `json:"targets"`    // columns, mostly one
	Labels     []int    `json:"labels"`     // a row of each label of the target, where it is a category: the answer has their names
	Share      string   `json:"share"`      // of several: whether they share a process
	Likelihood string   `json:"likelihood"` // "auto" for that of the target's column; by default a number's
	Offset     string   `json:"offset"`
	Exposure   string   `json:"exposure"`
	Weights    string   `json:"weights"`
	// Balanced gives classes the same weight together, and ClassWeights factors by the labels, or by false and true.
	Balanced     bool                   `json:"balanced"`
	ClassWeights []float64              `json:"class_weights"`
	Group        string                 `json:"group"`
	Time         string                 `json:"time"`
	Kinds        map[string]table.Kind  `json:"kinds"`
	Bounds       map[string][2]*float64 `json:"bounds"`
	OutOfBox     string                 `json:"out_of_box"`
	Transform    string                 `json:"target_transform"`
	Range        string                 `json:"range"` // LO:HI
	Effort       string                 `json:"effort"`
	Budget       float64                `json:"budget"` // seconds
	Seed         uint64                 `json:"seed"`
	Shapes       []string               `json:"shapes"`
	Folds        int                    `json:"folds"`
	Members      int                    `json:"members"`
	StepsFactor  float64                `json:"steps_factor"`
	Workers      int                    `json:"workers"`
	OutOfFold    bool                   `json:"oof"`
	Progress     bool                   `json:"progress"`
}

// kinds are those that a column may be said to have.
var kinds = []table.Kind{table.Numeric, table.Boolean, table.Category, table.DateTime}

// fit learns a model from the rows of the body, or those of several targets, and answers with
// their file. One model is put under the name.
func fit(r *request) (any, []byte, error) {
	var o fitOptions
	if err := r.read(&o); err != nil {
		return nil, nil, err
	}
	options, err := o.options()
	if err != nil {
		return nil, nil, err
	}
	rows, err := o.table(r)
	if err != nil {
		return nil, nil, err
	}
	names, err := o.labels(rows) // before the fit, which takes long, and would learn fewer classes
	if err != nil {
		return nil, nil, err
	}
	if options.ClassWeights, err = o.classWeights(names); err != nil {
		return nil, nil, err
	}
	if o.Progress {
		options.Progress = r.tell(o.unit(rows, options.Likelihood))
	}
	var unseen []beziergp.OutOfFold
	models, write, err := o.learn(r.ctx, rows, options, &unseen)
	interrupted := models != nil && errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return nil, nil, err
	}
	var file bytes.Buffer
	if err := write(&file); err != nil {
		return nil, nil, err
	}
	if len(models) == 1 {
		r.models[o.Model] = models[0]
	}
	if !interrupted {
		for k := range unseen {
			if err := r.tellOutOfFold(&unseen[k], len(models[k].Classes())); err != nil {
				return nil, nil, err
			}
		}
	}
	result := aboutAll(models)
	result.Interrupted, result.Labels = interrupted, names
	return result, file.Bytes(), nil
}

// learn returns a model a target and what writes their file; no model where there is none. What
// they predict out of fold goes to unseen, if it is asked for.
func (o *fitOptions) learn(ctx context.Context, rows *table.Table, options beziergp.Options, unseen *[]beziergp.OutOfFold) ([]*beziergp.Model, func(io.Writer) error, error) {
	if len(o.Targets) > 1 {
		if o.OutOfFold {
			options.OutOfFolds = unseen
		}
		b, err := beziergp.FitOutputs(ctx, rows, o.Targets, options)
		if b == nil {
			return nil, nil, err
		}
		return b.Models(), b.Write, err
	}
	if o.OutOfFold {
		*unseen = make([]beziergp.OutOfFold, 1)
		options.OutOfFold = &(*unseen)[0]
	}
	m, err := beziergp.Fit(ctx, rows, o.Targets[0], options)
	if m == nil {
		return nil, nil, err
	}
	return []*beziergp.Model{m}, m.Write, err
}

// options returns them as the library has them.
func (o *fitOptions) options() (out beziergp.Options, err error) {
	if len(o.Targets) == 0 {
		return out, exit.Usagef("targets: there is none; name the columns to learn")
	}
	recipe := auto.Recipe{
		Effort: auto.Default, Seed: o.Seed, Shapes: o.Shapes, Folds: o.Folds, Members: o.Members, StepsFactor: o.StepsFactor,
		Budget: time.Duration(o.Budget * float64(time.Second)),
	}
	if o.Effort != "" {
		if recipe.Effort, err = auto.ParseEffort(o.Effort); err != nil {
			return out, exit.Usagef("%w", err)
		}
	}
	if o.Share != "" {
		if recipe.Share, err = auto.ParseShare(o.Share); err != nil {
			return out, exit.Usagef("%w", err)
		}
	}
	if !(o.Budget >= 0 && o.Budget < math.MaxInt64/1e9) {
		return out, exit.Usagef("budget: %g; it must be a number of seconds from 0 on", o.Budget)
	}
	out = beziergp.Options{Recipe: recipe, Plain: slices.Sorted(maps.Keys(o.Kinds)), Offset: o.Offset, Exposure: o.Exposure, Weights: o.Weights, Group: o.Group, Time: o.Time, Workers: o.Workers}
	if out.Likelihood, err = lawNamed(o.Likelihood); err != nil {
		return out, err
	}
	if o.OutOfBox != "" {
		if out.OutOfBox, err = box.ParsePolicy(o.OutOfBox); err != nil {
			return out, exit.Usagef("%w", err)
		}
	}
	if out.TargetTransform, err = box.ParseTransform(o.Transform); err != nil {
		return out, exit.Usagef("%w", err)
	}
	if o.Range != "" {
		limits, err := predictive.ParseRange(o.Range)
		if err != nil {
			return out, exit.Usagef("range: %w", err)
		}
		out.Range = &limits
	}
	for _, name := range out.Plain {
		if kind := o.Kinds[name]; !slices.Contains(kinds, kind) {
			return out, exit.Usagef("kinds: column %q: there is no kind %q; choose numeric, boolean, category or datetime", name, string(kind))
		}
	}
	for name, ends := range o.Bounds {
		if ends[0] == nil || ends[1] == nil {
			return out, exit.Usagef("bounds of %q: an end is no number", name)
		}
		if out.Bounds == nil {
			out.Bounds = map[string]box.Bounds{}
		}
		out.Bounds[name] = box.Bounds{Lo: *ends[0], Hi: *ends[1]}
	}
	return out, nil
}

// table reads the rows as fit reads a file.
func (o *fitOptions) table(r *request) (*table.Table, error) {
	stream, err := r.part(0)
	if err != nil {
		return nil, err
	}
	reader, err := tablefile.NewArrowReader(stream, tables[0], tablefile.Options{Context: r.ctx, Kinds: o.Kinds})
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return reader.ReadAll(r.ctx)
}

// labels returns the names that a table has of labels: 1000000 is 1e+06.
func (o *fitOptions) labels(rows *table.Table) ([]string, error) {
	f, ok := rows.Field(o.Targets[0])
	if !ok || o.Labels == nil {
		return nil, nil
	}
	if len(f.Levels) != len(o.Labels) {
		return nil, exit.Dataf("target %q: of its %d labels %d are told apart in a table, where NA is a missing value, say, and 1.0 is 1; rename the others",
			o.Targets[0], len(o.Labels), len(f.Levels))
	}
	values, _ := rows.Column(o.Targets[0])
	names := make([]string, len(o.Labels))
	for k, row := range o.Labels {
		if row < 0 || row >= len(values) || !(values[row] >= 0 && int(values[row]) < len(f.Levels)) {
			return nil, exit.Usagef("labels: row %d of %d has none", row, len(values))
		}
		names[k] = f.Levels[int(values[row])]
	}
	return names, nil
}

// classWeights returns the factors of classes by the names that a table has of the labels.
func (o *fitOptions) classWeights(names []string) (beziergp.ClassWeights, error) {
	all := beziergp.ClassWeights{Balanced: o.Balanced}
	if names == nil {
		names = []string{"false", "true"}
	}
	if o.ClassWeights == nil {
		return all, nil
	}
	if len(o.ClassWeights) != len(names) {
		return all, exit.Usagef("class_weights: %d for %d classes", len(o.ClassWeights), len(names))
	}
	all.Of = map[string]float64{}
	for k, v := range o.ClassWeights {
		if v != 1 { // as that of a class without rows
			all.Of[names[k]] = v
		}
	}
	return all, nil
}

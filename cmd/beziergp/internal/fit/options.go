// Package fit is the verb that learns a model from a table.
package fit

import (
	"errors"
	"maps"
	"slices"
	"time"

	"beziergp"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/config"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/likelihood"
	"beziergp/predictive"
	"beziergp/rival"
	"beziergp/train"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// Options are the flags of fit.
type Options struct {
	Target    string   // or several, between commas
	several   []string // where no column has that very name; nil for one
	Transform box.Transform
	Weights   string
	// ClassWeights are factors of the rows' weights by their class.
	ClassWeights beziergp.ClassWeights
	// Likelihood is the law of the target; nil for that of its column. Exposure and Offset are
	// columns; empty for none.
	Likelihood       likelihood.Likelihood
	Exposure, Offset string
	Exclude          []string
	plain            []string // columns read whose kind --column gives, and which are no parts of a date
	Source           source.Options
	Bounds           map[string]box.Bounds
	Policy           box.Policy
	Range            *predictive.Range // nil for anywhere
	FailIf           gate.Conditions   // on the scores of the rows held out

	Method   string
	Recipe   string         // of the method bezier
	Auto     auto.Recipe    // the recipe auto,
	Paper    paper.Recipe   // the recipe paper, and
	Settings rival.Settings // the other methods, 0 for a method's default
	Seed     uint64         // of them all
	Workers  int            // 0 for all processors
	Out      string
	// OutOfFold is the file of out-of-fold predictions; empty for none.
	OutOfFold string
	Kept      string // the checkpoint's file; empty for the default
	NoKept    bool
	KeepTime  time.Duration
	Fresh     bool
	Requeue   Requeue
	Memory    int64 // 0 for a share of what is free
	Cache     string
	Curve     string // a file for the learning curve; empty for none
	Config    config.File
}

// NewOptions returns the documented defaults.
func NewOptions() *Options {
	paper := paper.Recipe{Orders: map[string]int{}}.WithDefaults()
	return &Options{
		Bounds: map[string]box.Bounds{}, Policy: box.Clip, Method: methodBezier,
		Recipe: recipeAuto,
		Auto:   auto.Recipe{Effort: auto.Default},
		Paper:  paper,
		Out:    "model.bgp", KeepTime: 30 * time.Second,
	}
}

// recipe returns the recipe with its numbers.
func (o *Options) recipe() train.Recipe {
	if o.Recipe == recipePaper {
		p := o.Paper
		p.Seed = o.Seed
		if p.Checkpoint = o.checkpoint(); p.Checkpoint != "" {
			p.CheckpointEvery, p.Fresh, p.KeepCheckpoint = o.KeepTime, o.Fresh, true
		}
		return p
	}
	o.Auto.Seed = o.Seed
	return o.Auto
}

// checkpoint returns the checkpoint's file, or "" for none.
func (o *Options) checkpoint() string {
	switch {
	case o.NoKept || o.Recipe != recipePaper || o.Method != methodBezier: // which keep none
		return ""
	case o.Kept != "" || sink.IsStream(o.Out):
		return o.Kept
	}
	return o.Out + ".ckpt"
}

// CheckLearning refuses options that contradict each other, those about files aside.
func (o *Options) CheckLearning(data string) error {
	if o.Target == "" {
		err := &exit.Error{Code: exit.Usage, Err: errors.New("--target is missing: name the column to learn")}
		if data != "" && data != sink.Stdout {
			err.Try = shell.Line([]string{"beziergp", "describe", data})
		}
		return err
	}
	for _, name := range o.Exclude {
		if o.Source.Kinds[name] == option.Drop {
			return exit.Usagef("--exclude: %q is dropped by --column already; leave it out of one of the two", name)
		}
	}
	for _, target := range append(o.named(), o.Target) {
		if o.Source.Kinds[target] == option.Drop {
			return exit.Usagef("--column: %q is the target, which cannot be dropped", target)
		}
		if slices.Contains(o.Exclude, target) {
			return exit.Usagef("--exclude: %q is the target", target)
		}
	}
	if o.Weights != "" && (o.IsTarget(o.Weights) || slices.Contains(o.Exclude, o.Weights) || o.Source.Kinds[o.Weights] == option.Drop) {
		return exit.Usagef("--weights: %q is the target, excluded or dropped by --column", o.Weights)
	}
	if err := o.checkLaw(); err != nil {
		return err
	}
	for flag, names := range map[string][]string{
		"--bounds": slices.Collect(maps.Keys(o.Bounds)), "--order-of": slices.Collect(maps.Keys(o.Paper.Orders)),
	} {
		for _, name := range names {
			if o.IsTarget(name) || slices.Contains(o.Exclude, name) || o.Source.Kinds[name] == option.Drop {
				return exit.Usagef("%s: %q is no input: it is the target, excluded or dropped by --column", flag, name)
			}
		}
	}
	return nil
}

// check refuses options that contradict each other, before anything is read.
func (o *Options) check(data string) error {
	if err := o.CheckLearning(data); err != nil {
		return err
	}
	if o.Out == "" {
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	}
	if err := o.FailIf.Check(apply.Options{}.ScoreNames()); err != nil {
		return err
	}
	if len(o.FailIf) > 0 && o.Source.Holdout == 0 {
		return exit.Usagef("--fail-if: there are no scores without --holdout")
	}
	if err := o.checkSplit(data); err != nil {
		return err
	}
	if o.OutOfFold == sink.Stdout && (o.Out == sink.Stdout || o.Source.Holdout > 0) {
		return exit.Usagef("--oof: standard output is taken by the model, or by the scores of --holdout: name a file")
	}
	kept := o.checkpoint()
	if o.Requeue.Name != "" && kept == "" {
		return exit.Usagef("--requeue-signal: there is no checkpoint to go on from; name a file by --checkpoint")
	}
	if kept == sink.Stdout {
		return exit.Usagef("--checkpoint cannot be standard output: it is read again; name a file")
	}
	if o.Source.Holdout > 0 && o.Out == sink.Stdout {
		return exit.Usagef("--holdout prints scores where the model is to go: name a file with --out")
	}
	if o.Source.Holdout > 0 {
		if err := o.Source.CheckPipes(data, "--holdout"); err != nil {
			return err
		}
	}
	if o.Cache == sink.Stdout {
		return exit.Usagef("--cache cannot be standard output: it is read again; name a file")
	}
	for flag, path := range map[string]string{"--cache": o.Cache, "--checkpoint": kept} {
		if sink.IsStream(path) {
			return exit.Usagef("%s %s is a pipe or a device, and it is read again; name a file", flag, path)
		}
	}
	return nil
}

// apart refuses files of which one would take another's place.
func (o *Options) apart(s streams.Streams, data string) error {
	return sink.Apart(s.In, s.Out, append(append(o.Source.Reads(data), sink.Reads("--config", o.Config.Path)...),
		sink.Writes("--out", o.Out), sink.Writes("--oof", o.OutOfFold), sink.Writes("--cache", o.Cache), sink.Writes("--checkpoint", o.checkpoint()), sink.Writes("--curve", o.Curve))...)
}

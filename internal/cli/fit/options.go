// Package fit is the verb that learns a model from a table.
package fit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"beziergp"
	"beziergp/baseline/kern"
	"beziergp/basis"
	"beziergp/box"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/option"
	"beziergp/internal/cli/sink"
	"beziergp/internal/cli/source"
	"beziergp/internal/limit"
	"beziergp/rival"
	"beziergp/train"
)

// Options are the flags of fit.
type Options struct {
	Target    string
	Transform box.Transform
	Weights   string
	Exclude   []string
	Source    source.Options
	Bounds    map[string]box.Bounds
	Policy    box.Policy

	Method   string
	Settings rival.Settings // of a rival
	Recipe   string
	Auto     train.Auto
	Paper    train.Paper
	Order    int
	OrderOf  map[string]int
	Workers  int // 0 for all processors
	Out      string
	Kept     string // the checkpoint's file; empty for the default
	NoKept   bool
	KeepTime time.Duration
	Fresh    bool
	Memory   int64 // 0 for a share of what is free
	Cache    string
}

// NewOptions returns the documented defaults.
func NewOptions() *Options {
	return &Options{
		Bounds: map[string]box.Bounds{}, Policy: box.Clip, Method: methodBezier,
		Recipe: recipePaper,
		Auto:   train.Auto{Effort: train.Default},
		Paper:  train.Paper{}.WithDefaults(),
		Order:  beziergp.DefaultOrder, OrderOf: map[string]int{},
		Out: "model.bgp", KeepTime: 30 * time.Second,
	}
}

const (
	recipeAuto  = "auto"
	recipePaper = "paper"
)

// Flags that one recipe has and the other has not.
var (
	autoFlags  = []string{"effort", "budget"}
	paperFlags = []string{"order", "order-of", "orderings", "steps", "batch", "learning-rate", "kl-weight", "spread", "checkpoint", "checkpoint-every", "fresh"}
)

// parseRecipe takes the recipes that there are.
func parseRecipe(text string) (string, error) {
	switch text {
	case recipeAuto, recipePaper:
		return text, nil
	}
	return "", errors.New("there is no such recipe; there are auto and paper")
}

// pickRecipe settles which recipe the flags mean: auto, unless one is named or a
// flag that only paper has is given.
func (o *Options) pickRecipe(changed func(flag string) bool) error {
	auto, paper := slices.IndexFunc(autoFlags, changed), slices.IndexFunc(paperFlags, changed)
	if !changed("recipe") {
		o.Recipe = recipeAuto
		if auto < 0 && paper >= 0 {
			o.Recipe = recipePaper
		}
	}
	switch {
	case o.Recipe == recipeAuto && paper >= 0:
		return exit.Usagef("--%s is none of the recipe auto, which chooses by itself; leave it out, or take --recipe paper", paperFlags[paper])
	case o.Recipe == recipePaper && auto >= 0:
		return exit.Usagef("--%s is none of the recipe paper; leave it out, or take --recipe auto", autoFlags[auto])
	}
	return nil
}

// recipe returns the recipe with its numbers.
func (o *Options) recipe() train.Recipe {
	if o.Recipe == recipePaper {
		return o.Paper
	}
	o.Auto.Seed = o.Paper.Seed
	return o.Auto
}

// attach declares the flags.
func (o *Options) attach(cmd *cobra.Command) {
	data := option.NewSection("Data")
	data.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column to learn (required)")
	data.Flags.StringSliceVar(&o.Exclude, "exclude", nil, "columns `A,B` that are no inputs; they may hold text")
	data.Flags.Var(option.New(&o.Transform, "none|log1p", box.ParseTransform), "target-transform", "what is learned of the target: itself, or log(1 + y) for counts and sizes; predictions are mapped back")
	data.Flags.StringVar(&o.Weights, "weights", "", "the `NAME` of a column of row weights, from 0 on; it is no input")
	o.Source.AddTo(data, "with 0")
	o.Source.AddKinds(data)
	data.Flags.Var(option.Bounds(o.Bounds), "bounds", "the interval of an input's values, in its units; may be repeated (default what the rows span)")
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip, box.Flag, box.Extrapolate), "out-of-box",
		"what the model does with rows beyond the bounds when it predicts: error, clip to the nearest bound, flag and give no prediction, or extrapolate, what other methods than bezier do unless told")

	method := option.NewSection("Method")
	method.Flags.Var(option.New(&o.Method, "NAME", parseMethod), "method", "what learns: bezier, or one to compare with, listed above")
	method.Flags.Var(option.New(&o.Settings.Kernel, "NAME", kern.ParseFamily), string(rival.Kernel), "of a Gaussian process: rbf, matern12, matern32 or matern52 (default rbf)")
	method.Flags.Var(option.Int(&o.Settings.Inducing, 1, limit.Inducing), string(rival.Inducing), "inducing points at most (default 500)")
	method.Flags.Var(option.Count(&o.Settings.Neighbours), string(rival.Neighbours), "neighbours to average (default as many as predict left-out rows best)")

	recipe := option.NewSection("Recipe")
	recipe.Flags.Var(option.New(&o.Recipe, "NAME", parseRecipe), "recipe", "how to train: auto chooses by held-out rows, paper is that of Jørgensen & Osborne (2022) (default auto, or paper where a flag of its own is given)")
	recipe.Flags.Var(option.Choice(&o.Auto.Effort, train.Fast, train.Default, train.Best), "effort", "how much work auto does: fast, default or best")
	recipe.Flags.Var(option.Duration(&o.Auto.Budget), "budget", "time after which auto takes the best so far (default none)")
	recipe.Flags.Var(option.Int(&o.Order, 1, basis.MaxPriorOrder), "order", fmt.Sprintf("order of the Bernstein basis of every input, 1 to %d", basis.MaxPriorOrder))
	recipe.Flags.Var(option.Orders(o.OrderOf), "order-of", "the order of one input; may be repeated")
	recipe.Flags.Var(option.Int(&o.Paper.Orderings, 1, limit.Orderings), "orderings", "buttresses, each with an order of the inputs of its own")
	recipe.Flags.Var(option.Count(&o.Paper.Steps), "steps", "steps of Adam; by default as many as the method takes: exact and sgpr 200 of L-BFGS at most, svgp 3000")
	recipe.Flags.Var(option.Count(&o.Paper.Batch), "batch", "rows of a mini-batch; of svgp by default 512")
	recipe.Flags.Var(option.Positive(&o.Paper.LearningRate), "learning-rate", "length of a step; of svgp by default 0.02")
	recipe.Flags.Var(option.Positive(&o.Paper.KLWeight), "kl-weight", "pull to the prior; 1 is the paper's")
	recipe.Flags.Var(option.Positive(&o.Paper.Spread), "spread", "deviation of the starting weights")
	recipe.Flags.Var(option.Seed(&o.Paper.Seed), "seed", "start of the random numbers; same seed and data, same model (default 0)")

	running := option.NewSection("Running")
	running.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`FILE` for the model; - is standard output")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use; the model does not depend on it (default all)")
	running.Flags.StringVar(&o.Kept, "checkpoint", "", "`FILE` for the state of a run that does not end (default OUT.ckpt; none when OUT is - or a device)")
	running.Flags.BoolVar(&o.NoKept, "no-checkpoint", false, "keep no checkpoint")
	running.Flags.Var(option.Duration(&o.KeepTime), "checkpoint-every", "time between two checkpoints")
	running.Flags.BoolVar(&o.Fresh, "fresh", false, "begin anew, replacing a checkpoint that there is")

	running.Flags.Var(option.Bytes(&o.Memory), "memory", "memory to use; rows that take more are kept on disk and read again in every epoch (default half of what is free)")
	running.Flags.StringVar(&o.Cache, "cache", "", "`FILE` that keeps the rows on disk whatever their number, and is used again while the table has not changed (default a temporary file, when memory is short)")

	option.Attach(cmd, data, method, recipe, running)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		for _, name := range []string{"checkpoint", "checkpoint-every", "fresh"} {
			if o.NoKept && running.Flags.Changed(name) {
				return exit.Usagef("--no-checkpoint and --%s contradict each other", name)
			}
		}
		return o.pickMethod(func(flag string) bool { return cmd.Flags().Changed(flag) })
	}
}

// checkpoint returns the checkpoint's file, or "" for none.
func (o *Options) checkpoint() string {
	switch {
	case o.NoKept || o.Recipe == recipeAuto || o.Method != methodBezier: // which keep none
		return ""
	case o.Kept != "" || sink.IsStream(o.Out):
		return o.Kept
	}
	return o.Out + ".ckpt"
}

// check refuses options that contradict each other, before anything is read.
func (o *Options) check(data string) error {
	if o.Target == "" {
		return exit.Usagef("--target is missing: name the column to learn")
	}
	if o.Out == "" {
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	}
	if o.Source.Kinds[o.Target] == option.Drop {
		return exit.Usagef("--column: %q is the target, which cannot be dropped", o.Target)
	}
	if slices.Contains(o.Exclude, o.Target) {
		return exit.Usagef("--exclude: %q is the target", o.Target)
	}
	if o.Weights != "" && (o.Weights == o.Target || slices.Contains(o.Exclude, o.Weights)) {
		return exit.Usagef("--weights: %q is the target or excluded", o.Weights)
	}
	for flag, names := range map[string][]string{
		"--bounds": slices.Collect(maps.Keys(o.Bounds)), "--order-of": slices.Collect(maps.Keys(o.OrderOf)),
	} {
		for _, name := range names {
			if name == o.Target || slices.Contains(o.Exclude, name) {
				return exit.Usagef("%s: %q is no input: it is the target or excluded", flag, name)
			}
		}
	}
	kept := o.checkpoint()
	if kept == sink.Stdout {
		return exit.Usagef("--checkpoint cannot be standard output: it is read again; name a file")
	}
	if kept != "" && kept == o.Out {
		return exit.Usagef("--checkpoint and --out are both %s; name two files", kept)
	}
	read := append(source.Files(data), o.Source.Mask.Path)
	if err := sink.CheckApart("--out", o.Out, read...); err != nil {
		return err
	}
	if o.Source.Holdout > 0 && o.Out == sink.Stdout {
		return exit.Usagef("--holdout prints scores where the model is to go: name a file with --out")
	}
	if o.Source.Holdout > 0 && data == "-" {
		return exit.Usagef("--holdout reads the table twice, which standard input cannot be: give a file")
	}
	if o.Cache == sink.Stdout {
		return exit.Usagef("--cache cannot be standard output: it is read again; name a file")
	}
	if err := sink.CheckApart("--cache", o.Cache, append(read, o.Out, kept)...); err != nil {
		return err
	}
	return sink.CheckApart("--checkpoint", kept, append(read, o.Out)...)
}

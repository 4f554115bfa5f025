package fit

import (
	"slices"

	"github.com/spf13/cobra"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/train/auto"
)

// attach declares the flags.
func (o *Options) attach(cmd *cobra.Command, s *streams.Streams) {
	learners := o.learners()
	o.declare(cmd, s, learners, o.sections(learners, "hold this share of the rows out, by lot, and score on them"))
}

// notLearning are flags of what fit keeps, and those that a verb which learns several times
// has its own of.
var notLearning = []string{
	"group", "time", "valid", "folds", "out", "oof", "curve", "fail-if", "cache", "checkpoint", "checkpoint-every", "no-checkpoint", "fresh", "requeue-signal",
}

// AttachLearning declares the flags, after sections of its own, of a verb that learns and
// keeps no model.
func (o *Options) AttachLearning(cmd *cobra.Command, s *streams.Streams, own ...option.Section) {
	o.NoKept = true
	learners := o.learners()
	for i, l := range learners {
		learners[i].flags = slices.DeleteFunc(l.flags, func(flag string) bool { return slices.Contains(notLearning, flag) })
	}
	for _, section := range o.sections(learners, "leave out this share of the rows, which fit holds out by the same flag") {
		own = append(own, section.Without(notLearning...))
	}
	o.declare(cmd, s, learners, own)
}

// sections returns the flags, those of the learners last. holdout says what becomes of rows
// held out.
func (o *Options) sections(learners []learner, holdout string) []option.Section {
	sections := []option.Section{o.data(holdout), o.splits(), o.learning(), o.targets(), o.running(), o.watching()}
	for _, l := range learners {
		if l.section.Flags != nil {
			sections = append(sections, l.section)
		}
	}
	return sections
}

// declare gives flags to a command, which refuses those that the learner asked for has not.
func (o *Options) declare(cmd *cobra.Command, s *streams.Streams, learners []learner, sections []option.Section) {
	option.Attach(cmd, sections...)
	o.Config.Attach(cmd, sections, "data")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		for _, name := range []string{"checkpoint", "checkpoint-every", "fresh", "requeue-signal"} {
			if o.NoKept && cmd.Flags().Changed(name) {
				return exit.Usagef("--no-checkpoint and --%s contradict each other", name)
			}
		}
		return o.pick(learners, cmd.Flags().Changed, s.Args)
	}
}

// data is the flags about the table.
func (o *Options) data(holdout string) option.Section {
	data := option.NewSection("Data")
	data.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column to learn, or A,B of several (required)")
	data.Flags.StringSliceVar(&o.Exclude, "exclude", nil, "columns `A,B` that are no inputs")
	data.Flags.StringVar(&o.Weights, "weights", "", "a column `NAME` of row weights, from 0 on; it is no input")
	o.Source.AddTo(data, "0", holdout)
	data.Flags.Var(gate.Flag(&o.FailIf), "fail-if", "end with code 1 where a score of --holdout is so: 'rmse>3'")
	o.Source.AddKinds(data)
	data.Flags.Var(option.Bounds(o.Bounds), "bounds", "an input's interval; repeatable (default what the rows span)")
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip, box.Flag, box.Extrapolate), "out-of-box",
		"rows beyond the bounds: error, clip, or flag")
	return data
}

// splits is the flags that tell which rows belong together.
func (o *Options) splits() option.Section {
	splits := option.NewSection("Splits")
	splits.Topic, splits.About = topicSplits, "rows that belong together, and rows to choose by"
	o.Source.AddSplit(splits, "a column `NAME`, of customers or sites: new rows are of others", "a column `NAME`, of dates or numbers: new rows are later")
	splits.Flags.Var(option.New(&o.Source.Valid, "FILE|FILE:COL", source.ParseValid), "valid",
		"a table, or the column of a file that marks them with 1: rows to choose and calibrate by, which no member learns from")
	return splits
}

// learning is the flags that choose what learns, and those of the default.
func (o *Options) learning() option.Section {
	learning := option.NewSection("Learning")
	learning.Flags.Var(option.New(&o.Method, "NAME", parseMethod), "method", "bezier, or another one to compare with")
	learning.Flags.Var(option.New(&o.Recipe, "NAME", parseRecipe), "recipe", "auto, which chooses by held-out rows, or paper")
	learning.Flags.Var(option.Choice(&o.Auto.Effort, auto.Fast, auto.Default, auto.Best), "effort", "how much work auto does: fast, default or best")
	learning.Flags.Var(option.Duration(&o.Auto.Budget), "budget", "time after which auto takes the best so far (default none)")
	learning.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers; same seed and data, same model (default 0)")
	return learning
}

// running is the flags about files and the machine.
func (o *Options) running() option.Section {
	running := option.NewSection("Running")
	running.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`FILE` for the model; - is standard output")
	running.Flags.StringVar(&o.OutOfFold, "oof", "", "`FILE` for predictions of training rows that auto made without them")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use; the model does not depend on it (default all)")
	running.Flags.Var(option.Bytes(&o.Memory), "memory", "memory to use; longer tables are read from disk (default half of the free)")
	return running
}

// aboutTraining says in help what the topic's flags are for.
const aboutTraining = "watching, steering and repeating a fit has"

// watching is the flags about what is seen of a fit, and about the next one.
func (o *Options) watching() option.Section {
	watching := option.NewSection("Watching and repeating")
	watching.Topic, watching.About = topicTraining, aboutTraining
	watching.Flags.Var(option.Picture(&o.Curve), "curve", "draw the scores by steps into a file .svg or .png when the fit ends")
	o.Config.AddTo(watching)
	watching.Flags.StringVar(&o.Cache, "cache", "", "`FILE` that keeps the rows for the next run of the same bytes (default none)")
	return watching
}

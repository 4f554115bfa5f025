// Package draw is the verb that draws functions from a model's posterior: at the rows of a
// table, or where they are largest.
package draw

import (
	"fmt"

	"github.com/spf13/cobra"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of draw.
type Options struct {
	Output  string // of several targets; empty for the only one
	Class   string // of several; empty for none
	Source  source.Options
	Policy  box.Policy // empty for the model's
	Draws   int
	Seed    uint64
	Workers int // 0 for all processors
	Out     string
	Find    Find // empty for values at the rows of DATA
	Points  int
	Laws    laws.Options

	ofRows, ofSearch string // a flag that was given and is about rows, or about a search; empty for none
}

// Find says what is searched a drawn function for.
type Find string

const (
	Max Find = "max"
	Min Find = "min"
)

// mostDraws is the largest number of draws: each is a column.
const mostDraws = 10000

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Draws: 10, Out: sink.Stdout, Points: analysis.DefaultSearch}
	var rows, search []string
	cmd := &cobra.Command{
		Use:   "draw MODEL [DATA]",
		Short: "Draw functions from the posterior at rows, or tell where they are largest",
		Long: `Draw functions from the posterior and tell their values at the rows of a table, as
columns

  row            the row's number in DATA, counted from 1
  draw1, draw2…  a function each, in the target's units

Within a column values are those of one function: what is near moves together, as the
covariances between the rows say. These are functions, without noise, of the process:
where predictions are held within limits, before these; of a target that was learned as
log(1 + y) they are mapped back. All rows are drawn together, at most 20000; the same
seed draws the same.

With --find max, without DATA, the columns are draw, a value for each input, and value:
where each function is largest, of --points points: half of them are spread over the
inputs' distributions, the others lie ever closer around the best (Thompson's
sampling: rows to try next, where large values are wanted). --find min is for small ones.

` + laws.About,
		Example: `
  beziergp draw houses.bgp new.csv --draws 100 --out draws.parquet
  beziergp draw houses.bgp new.csv --draws 3 --seed 7
  beziergp draw oven.bgp --find max --draws 5 --at day=3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.Find != "" {
				if len(args) == 2 {
					return fmt.Errorf("--find searches over the inputs and takes no DATA: leave out %q, or --find", args[1])
				}
				return option.Arguments("MODEL")(cmd, args)
			}
			return o.Source.Arguments("MODEL")(cmd, args)
		},
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			o.ofRows, o.ofSearch = changed(cmd, rows), changed(cmd, search)
			if o.Find != "" {
				return Search(cmd.Context(), *s, args[0], o)
			}
			if o.ofSearch != "" {
				return exit.Usagef("--%s is about a search, and the rows of DATA are as they are: give --find in the place of DATA, or leave --%s out", o.ofSearch, o.ofSearch)
			}
			return Run(cmd.Context(), *s, args[0], source.Data(args, 1), o)
		}),
	}
	drawing, data, running := option.NewSection("Drawing"), option.NewSection("Data"), option.NewSection("Running")
	drawing.Flags.Var(option.Int(&o.Draws, 1, mostDraws), "draws", "functions to draw")
	drawing.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers; same seed, same functions (default 0)")
	apply.AddOutput(drawing, &o.Output)
	drawing.Flags.StringVar(&o.Class, "class", "", apply.ClassUsage)
	drawing.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`FILE` for the table, in the format of its ending; - is standard output")
	o.Source.AddTo(data, "1", "take the share of the rows that fit holds out by the same flag")
	o.Source.AddSplit(data, "with --holdout: that share is whole groups of equal values in column `NAME`, as for fit",
		"with --holdout: that share is the last rows by column `NAME`, as for fit")
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip), "out-of-box", "rows beyond the inputs' bounds, or with a level not seen in training: error, or clip to the nearest bound (default the model's)")
	data.Flags.Var(option.Missing(&o.Source.Missing), "na", "words for a missing value, '' for none (default those of the model)")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	finding := option.NewSection("Search")
	finding.Flags.Var(option.Choice(&o.Find, Max, Min), "find", "tell where each function is largest (max) or smallest (min), in the place of its values at DATA")
	finding.Flags.Var(option.Int(&o.Points, analysis.LeastSearch, analysis.MostJoint), "points", "points at which a search asks a function")
	inputs := o.Laws.Section()
	rows, search = data.Names(), append(inputs.Names(), "points")
	option.Attach(cmd, drawing, finding, inputs, data, running)
	return cmd
}

// changed returns one of the flags that was given, empty for none.
func changed(cmd *cobra.Command, names []string) string {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

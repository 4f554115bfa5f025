// Package draw is the verb that draws functions from a model's posterior at the rows of a
// table.
package draw

import (
	"github.com/spf13/cobra"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
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
}

// mostDraws is the largest number of draws: each is a column.
const mostDraws = 10000

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Draws: 10, Out: sink.Stdout}
	cmd := &cobra.Command{
		Use:   "draw MODEL DATA",
		Short: "Draw functions from the posterior at rows",
		Long: `Draw functions from the posterior and tell their values at the rows of a table, as
columns

  row            the row's number in DATA, counted from 1
  draw1, draw2…  a function each, in the target's units

Within a column values are those of one function: what is near moves together, as the
covariances between the rows say. These are functions, without noise, of the process:
where predictions are held within limits, before these; of a target that was learned as
log(1 + y) they are mapped back. All rows are drawn together, at most 20000; the same
seed draws the same.`,
		Example: `
  beziergp draw houses.bgp new.csv --draws 100 --out draws.parquet
  beziergp draw houses.bgp new.csv --draws 3 --seed 7`,
		Args: o.Source.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
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
	option.Attach(cmd, drawing, data, running)
	return cmd
}

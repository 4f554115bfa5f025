// Package integrate is the verb that averages a model's function over its inputs, or over the
// rows of a table, and tells how certain the average is.
package integrate

import (
	"github.com/spf13/cobra"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of integrate.
type Options struct {
	Output  string // of several targets; empty for the only one
	Class   string // of several; empty for none
	Laws    laws.Options
	Source  source.Options
	Policy  box.Policy // empty for the model's
	Minus   string     // another table; empty for none
	Total   bool
	Samples int // of an estimate; 0 for the default
	Seed    uint64
	seeded  bool // the seed was given
	Workers int  // 0 for all processors
	JSON    bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "integrate MODEL [DATA]",
		Short: "Average the function over inputs or rows",
		Long: `Average the function over its inputs, or over the rows of DATA, with the deviation of
the average by the process, in the units of the target.

Without DATA the average is the integral of f over all inputs, in closed form (Bayesian
quadrature). ` + laws.About + `

With DATA it is the mean of f over its rows, or with --total the sum. Its deviation has
the covariances between all pairs of rows in it, not the sum of their variances; of
more than 4472 rows it is an estimate from random pairs, with a standard error.
--minus FILE takes the mean, or the sum, over the rows of another table away.

` + laws.Estimated + `
Over the rows of DATA it is the mean of the predictions, which is exact. Nothing tells
a deviation by the process.

The deviation is that of the function, not of the noise around it. These are values of
the process: where predictions are held within limits, before these; of a target that
was learned as log(1 + y), on that scale. --json prints one object with scale, mean,
std, lower and upper (mean ± 1.96 std), and of rows rows, rows_minus, std_error and
pairs, else laws; of an estimate mean, mean_error and samples, and no deviation.`,
		Example: `
  beziergp integrate houses.bgp --input 'area=uniform(50,120)' --at city=Berlin
  beziergp integrate houses.bgp new.csv --total
  beziergp integrate houses.bgp north.csv --minus south.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 && o.Source.From == "" { // over the inputs
				return option.Arguments("MODEL")(cmd, args)
			}
			return o.Source.Arguments("MODEL")(cmd, args)
		},
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			o.seeded = cmd.Flags().Changed("seed")
			return Run(cmd.Context(), *s, args, o)
		}),
	}
	printing, data, running := option.NewSection("Average"), option.NewSection("Data"), option.NewSection("Running")
	printing.Flags.BoolVar(&o.Total, "total", false, "the sum over the rows of DATA in the place of the mean")
	apply.AddOutput(printing, &o.Output)
	printing.Flags.StringVar(&o.Class, "class", "", apply.ClassUsage)
	printing.Flags.StringVar(&o.Minus, "minus", "", "take that over the rows of `FILE` away")
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	o.Source.AddTo(data, "1", "take the share of the rows that fit holds out by the same flag")
	o.Source.AddSplit(data, "with --holdout: that share is whole groups of equal values in column `NAME`, as for fit",
		"with --holdout: that share is the last rows by column `NAME`, as for fit")
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip, box.Extrapolate), "out-of-box", "rows beyond the inputs' bounds, or with a level not seen in training: error, clip to the nearest bound, or extrapolate, which other methods than bezier can (default the model's)")
	data.Flags.Var(option.Missing(&o.Source.Missing), "na", "words for a missing value, '' for none (default those of the model)")
	running.Flags.Var(option.Count(&o.Samples), "samples", "of another method than bezier: points of the estimate (default 16384)")
	running.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers that draw pairs of more than 4472 rows or, of another method than bezier, points (default 0)")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	option.Attach(cmd, printing, o.Laws.Section(), data, running)
	return cmd
}

// Package effects is the verb that tells what the target does along an input: all others being
// averaged over, in closed form, or over the rows of a table.
package effects

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

// Options are the flags of effects.
type Options struct {
	Output  string // of several targets; empty for the only one
	Class   string // of several; empty for none
	Laws    laws.Options
	Source  source.Options
	Policy  box.Policy // empty for the model's
	Of      []string
	Points  int // 0 for the default
	ALE     bool
	Ice     string // empty for none
	Seed    uint64
	Workers int // 0 for all processors
	JSON    bool
	Out     string // empty for none
	Plot    string

	seeded bool   // whether the seed was given
	ofRows string // a flag that was given and is about rows; empty for none
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	var rows []option.Section
	cmd := &cobra.Command{
		Use:   "effects MODEL [DATA]",
		Short: "Tell what the target does along an input",
		Long: `Tell what the function does along one input, or two, in the units of the target.

Without DATA it is averaged over all other inputs: E[f | x] with its deviation by the
process, in closed form; no row is sampled. ` + laws.About + `

With DATA it is averaged over these very rows, which have inputs together as they
occur: partial dependence, the mean of f over all rows with one input at a value; or
with --ale accumulated local effects, sums of what f changes between neighbouring
values at the rows that have such a value, less their mean. Both are exact. --ice has
a curve of every row. Rows are read block by block, with --ale into memory.

Of a model of another method than bezier, which has no closed forms, effects over DATA
are estimates from its predictions of at most 1000 rows, with standard errors; a date
and time is one input then.

It prints where the effect of every input is lowest and highest, the widest first, or,
with --of, the effect at every value. These are values of the process: where
predictions are held within limits, before these; of a target that was learned as
log(1 + y), on that scale. --out writes the columns

  input, value, level     and input2, value2, level2 of pairs: value of a number,
                          level of a category
  mean, std               the effect and its deviation; std_error of an estimate,
                          neither of what is exact

--json prints one object with scale, base (mean and std of the average over all
inputs) and laws (by input), or of DATA kind, rows and estimated_from, and effects, a
list of inputs, values (numbers or levels) by input, mean and std or std_error, of a
pair row by row.`,
		Example: `
  beziergp effects houses.bgp
  beziergp effects houses.bgp --plot effects.svg --out effects.csv
  beziergp effects houses.bgp --of rooms --of rooms,city --at heated=true
  beziergp effects houses.bgp sold.csv --ale --plot effects.svg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && o.Source.From == "" && o.Source.Query == "" {
				return nil
			}
			return o.Source.Arguments("MODEL")(cmd, args)
		},
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			var data *string
			if len(args) > 1 || o.Source.From != "" {
				own := source.Data(args, 1)
				data = &own
			}
			o.seeded = cmd.Flags().Changed("seed")
			for _, section := range rows {
				for _, name := range section.Names() {
					if cmd.Flags().Changed(name) {
						o.ofRows = name
					}
				}
			}
			return Run(cmd.Context(), *s, args[0], data, o)
		}),
	}
	printing, data, running := option.NewSection("Effects"), option.NewSection("Data"), option.NewSection("Running")
	apply.AddOutput(printing, &o.Output)
	printing.Flags.StringVar(&o.Class, "class", "", apply.ClassUsage)
	printing.Flags.StringArrayVar(&o.Of, "of", nil, "the effect of this input `NAME`, or of two, A,B; repeatable (default every input)")
	printing.Flags.Var(option.Int(&o.Points, 2, 10000), "points", "values along an input that is a number (default 41, and 21 in a pair)")
	printing.Flags.BoolVar(&o.ALE, "ale", false, "of DATA: accumulated local effects, at quantiles of the rows, in the place of partial dependence")
	printing.Flags.StringVar(&o.Ice, "ice", "", "of DATA: `FILE` for a table of the curves of single rows, row, input, value, level, mean; of more than 1000 rows that many drawn")
	printing.Flags.Var(option.Picture(&o.Plot), "plot", "draw the effects, with bands of 1.96 deviations, into a file .svg or .png")
	printing.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` for a table of the effects; - is standard output, which has nothing else then")
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	o.Source.AddTo(data, "1", "take the share of the rows that fit holds out by the same flag")
	o.Source.AddSplit(data, "with --holdout: that share is whole groups of equal values in column `NAME`, as for fit",
		"with --holdout: that share is the last rows by column `NAME`, as for fit")
	data.Flags.Var(option.Choice(&o.Policy, box.Refuse, box.Clip, box.Flag, box.Extrapolate), "out-of-box",
		"rows beyond the inputs' bounds, or with a level not seen in training: error, clip to the nearest bound, flag to leave them out, or extrapolate, which other methods than bezier can (default the model's)")
	data.Flags.Var(option.Missing(&o.Source.Missing), "na", "words for a missing value, '' for none (default those of the model)")
	running.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers that draw rows for --ice and estimates (default 0)")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	rows = []option.Section{data, running}
	option.Attach(cmd, printing, o.Laws.Section(), data, running)
	return cmd
}

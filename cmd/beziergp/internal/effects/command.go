// Package effects is the verb that tells what the target does along an input, all others being
// averaged over.
package effects

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of effects.
type Options struct {
	Laws   laws.Options
	Of     []string
	Points int // 0 for the default
	JSON   bool
	Out    string // empty for none
	Plot   string
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "effects MODEL",
		Short: "Tell what the target does along an input",
		Long: `Tell what the function does along one input, or two, averaged over all others:
E[f | x] with its deviation by the process, in the units of the target, in closed
form: no row is sampled.

` + laws.About + `

It prints where the effect of every input is lowest and highest, the widest first, or,
with --of, the effect at every value. These are values of the process: where
predictions are held within limits, before these; of a target that was learned as
log(1 + y), on that scale. --out writes the columns

  input, value, level     and input2, value2, level2 of pairs: value of a number,
                          level of a category
  mean, std               the effect and its deviation

--json prints one object with scale, base (mean and std of the average over all
inputs), laws (by input) and effects, a list of inputs,
values (numbers or levels) by input, mean and std, of a pair row by row.`,
		Example: `
  beziergp effects houses.bgp
  beziergp effects houses.bgp --plot effects.svg --out effects.csv
  beziergp effects houses.bgp --of rooms --of rooms,city --at heated=true`,
		Args: cobra.ExactArgs(1),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], o)
		}),
	}
	printing := option.NewSection("Effects")
	printing.Flags.StringArrayVar(&o.Of, "of", nil, "the effect of this input `NAME`, or of two, A,B; repeatable (default every input)")
	printing.Flags.Var(option.Int(&o.Points, 2, 10000), "points", "values along an input that is a number (default 41, and 21 in a pair)")
	printing.Flags.Var(option.Picture(&o.Plot), "plot", "draw the effects with bands of 1.96 deviations into a file .svg or .png")
	printing.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` for a table of the effects; - is standard output, which has nothing else then")
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	option.Attach(cmd, printing, o.Laws.Section())
	return cmd
}

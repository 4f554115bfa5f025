// Package sensitivity is the verb that shares the variance of a model's mean out to inputs.
package sensitivity

import (
	"fmt"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of sensitivity.
type Options struct {
	Output  string // of several targets; empty for the only one
	Class   string // of several; empty for none
	Laws    laws.Options
	Groups  []string
	Samples int // 0 for the default
	Seed    uint64
	NoPairs bool
	Top     int
	Workers int // 0 for all processors
	JSON    bool
	Out     string // empty for none
}

// mostPairInputs is the number of inputs of which all pairs are taken unless it is asked
// otherwise: the work grows as the cube.
const mostPairInputs = 100

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Top: 20}
	cmd := &cobra.Command{
		Use:   "sensitivity MODEL",
		Short: "Share the variance of the function out to inputs",
		Long: `Share the variance V of the function, as inputs vary, out to them: Sobol indices of
the posterior mean.

  first    share of V that an input explains alone, Var E[f | x] / V
  total    share that ends where the input is known last, E Var(f | others) / V;
           both are one number where it takes no part in an interaction
  second   share of an interaction: what two inputs explain together and neither alone

first and second are in closed form but for V. V and total are estimates by low-
discrepancy points in 16 randomised replicates, with standard errors (±): of V what
single inputs do not explain, of total the rest of the inputs; along an input nothing is
sampled. --group A,B adds what a set of inputs explains, closed, and its total.

` + laws.About + `

` + laws.Estimated + ` There are no interactions;
first has errors too, in a further column first_error.

These are values of the process: where predictions are held within limits, before
these; of a target that was learned as log(1 + y), on that scale. --out writes the
columns input, input2 (of pairs), first, second, total, total_error. --json prints one
object with scale, mean, variance and its error, samples, laws, inputs (name, first,
total, total_error), pairs (inputs, second) and groups (inputs, closed, closed_error,
total, total_error).`,
		Example: `
  beziergp sensitivity houses.bgp
  beziergp sensitivity flood.bgp --input 'level=uniform(49,51)' --input 'flow=lognormal(7,0.5)' --truncate
  beziergp sensitivity houses.bgp --group rooms,area --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return fmt.Errorf("sensitivity goes by distributions of the inputs and takes no DATA: leave out %q; those of the training rows are the default, --input gives others", args[1])
			}
			return option.Arguments("MODEL")(cmd, args)
		},
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], o)
		}),
	}
	indices, running := option.NewSection("Indices"), option.NewSection("Running")
	apply.AddOutput(indices, &o.Output)
	indices.Flags.StringVar(&o.Class, "class", "", apply.ClassUsage)
	indices.Flags.StringArrayVar(&o.Groups, "group", nil, "indices of a set of inputs `A,B`; repeatable")
	indices.Flags.BoolVar(&o.NoPairs, "no-pairs", false, "leave second-order indices out, as is done of more than 100 inputs")
	indices.Flags.Var(option.Count(&o.Top), "top", "print so many interactions")
	indices.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` for a table of the indices; - is standard output, which has nothing else then")
	indices.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	running.Flags.Var(option.Count(&o.Samples), "samples", "points of the estimates (default 4096)")
	running.Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers; same seed, same estimates (default 0)")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	option.Attach(cmd, indices, o.Laws.Section(), running)
	return cmd
}

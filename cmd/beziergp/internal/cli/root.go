// Package cli is the command line: the root command and how the program ends. Each
// verb has a package of its own below.
package cli

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/internal/simd"
)

// newRoot returns the whole command line.
func newRoot(s *streams.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "beziergp",
		Short: "Bézier Gaussian processes for tall and wide tables",
		Long: `Bézier Gaussian processes for tall and wide tables: learn a column of a table from
its other columns, and predict it with a mean and an honest deviation for every
row, at a cost linear in rows and columns.

Data go to standard output, everything else to standard error. The program ends
with the code

  0    done
  1    it failed while running: a file cannot be written, training diverged
  2    the command line is wrong
  3    a table, a model file or a checkpoint cannot be used
  75   --requeue-signal came; the same command goes on from the checkpoint
  130  interrupted; fit has written its checkpoint, or the best model so far, or
       by another method than bezier nothing`,
		Example: `  beziergp fit houses.csv --target price --out houses.bgp
  beziergp eval houses.bgp test.csv
  beziergp predict houses.bgp new.csv > predictions.csv`,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := simd.Check(); err != nil {
				return exit.Usagef("%w", err)
			}
			return join(s, cmd.Name())
		},
		SilenceErrors: true, // they are said by the console
		SilenceUsage:  true,
	}
	root.DisableSuggestions = true // suggestVerb has its own
	root.SetFlagErrorFunc(suggestFlag)
	root.Version = version.Short() // a template of our own would link all of text/template, a third of a lean program
	root.SetIn(s.In)
	root.SetOut(s.Out)
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVarP(&s.Console.Quiet, "quiet", "q", false, "say warnings and errors only")
	flags.Var(option.Choice(&s.Console.Format, console.Text, console.JSON), "log-format", "of standard error: text, or json, a line each")
	flags.Var(option.Choice(&s.Console.Progress, console.Auto, console.Always, console.Never), "progress", "auto: a bar on a terminal, else lines; always; never")
	root.AddCommand(verbs(s)...)
	return root
}

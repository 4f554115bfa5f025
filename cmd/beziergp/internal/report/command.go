// Package report is the verb that writes a page about a model.
package report

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/report"
)

// Options are the flags of report.
type Options struct {
	apply.Options
	Out        string
	Title      string // empty for one of the target
	Target     string // empty for the model's
	Show       int    // rows drawn; 0 for the default
	Seed       uint64
	Background string // empty for averages
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Out: "report.html"}
	cmd := &cobra.Command{
		Use:   "report MODEL [DATA]",
		Short: "Write a page about a model, to be opened in a browser",
		Long: `Write one page of HTML that shows a model: what it was learned from, how good it is,
whether its intervals hold, which columns matter and how, which act together, and
what single predictions are made of. The page opens without a network, loads
nothing, and can be sent as one file. Names and values of a table are text in it,
never code.

Without DATA it has what the model knows: scores and calibration out of fold, shares
of variance (Sobol indices), effects with bands, and interactions, in closed form.
With DATA, a file, a pattern of files in quotes, or - for standard input, it has
besides: warnings (rows beyond the training rows, columns that moved, that lack values
or may give the target away), importance (mean absolute Shapley values), the
deviation predicted along inputs, and rows one by one with what every column
adds; where the target is known, scores, calibration and residuals.

Scores, importance and counts are over all rows, which are read block by block. Drawn,
and told of one by one, are --show rows chosen at random, and the ten with the largest
errors: the page does not grow with DATA. It holds values of these rows; do
not hand it to whom you would not hand them. The same model, rows and flags
make the same page, to the byte.

Of a model of another method importance, effects and interactions are left out, and the
page says so.`,
		Example: `
  beziergp report houses.bgp new.csv --out report.html
  beziergp report houses.bgp
  beziergp report houses.bgp houses.csv --test-mask split.csv:fold0 --title 'Houses, fold 0'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && !o.overRows(args) {
				return nil
			}
			return o.Source.Arguments("MODEL")(cmd, args)
		},
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args, o)
		}),
	}
	page := option.NewSection("Page")
	page.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`FILE` for the page; - is standard output")
	page.Flags.StringVar(&o.Title, "title", "", "the `TEXT` above it (default Report on, and the target)")
	page.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column with the true values (default the model's target, where the table has it)")
	page.Flags.Var(option.Int(&o.Show, 1, report.MostRows), "show", "draw, and tell of one by one, so many rows (default 400)")
	page.Flags.StringVar(&o.Background, "background", "", "tell what columns add against the rows of the table `FILE`, not against averages of the training rows")
	sections := o.Sections()
	sections[0] = sections[0].Without("interval", "level", "point", "range")
	sections[1].Flags.Var(option.Seed(&o.Seed), "seed", "start of the random numbers that choose rows and estimate total indices (default 0)")
	option.Attach(cmd, append([]option.Section{page}, sections...)...)
	return cmd
}

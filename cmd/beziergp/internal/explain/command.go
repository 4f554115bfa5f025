// Package explain is the verb that tells what predictions are made of.
package explain

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/tablewriter"
)

// Options are the flags of explain.
type Options struct {
	Class string // of several; empty for none
	apply.Options
	Out          string             // empty for none
	Format       tablewriter.Format // empty for that of the file's ending, or CSV
	JSON         bool
	Top          int
	Background   string // empty for averages
	Interactions bool
	Tolerance    float64 // 0 for the default
	Permutations int     // of estimates; 0 for the default
	Seed         uint64
	// Plot and Waterfall are files for pictures; empty for none.
	Plot, Waterfall string
	Row             int // of the waterfall, counted from 1; 0 for the first that is taken

	seeded bool // whether the seed was given
}

const defaultTop = 20

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Top: defaultTop}
	cmd := &cobra.Command{
		Use:   "explain MODEL DATA",
		Short: "Tell what predictions are made of",
		Long: `Tell what every column adds to the prediction of a row: Shapley values, which add up
to the difference between the prediction and what is predicted without any column.
They are exact, not sampled. A column that is not known has its average over the
training rows, as a missing value has it in a prediction; with --background, what
it has in rows of a table. A date and time is one column, a category is one. A missing value
adds nothing.

Printed are, by column, over all rows:
  mean_abs     mean of |value|: how much the column matters
  lowest       and
  highest      values

--out FILE has a line a row:
  row          the row's number in DATA, counted from 1
  base         what is predicted without any column
  NAME, …      what each column adds
  A*B, …       with --interactions: Shapley interaction index of every pair, what two
               columns add together beyond what each adds alone
  prediction   base and all values of columns, added up

All are in the units of the target. Where the model learned log(1 + y) they are in units
of that. Limits that hold the mean, and a range, come after them: rows that they hold
are counted, and have a mean from predict that is not the prediction here.

DATA is a file, a pattern of files in quotes, or - for standard input, as for predict.
Rows are read, explained and written block by block, so DATA may be of any length.

Of a model of another method than bezier values are estimates, from predictions of
rows with columns of background rows, one after another in random orders: it takes
--background, of more than 100 rows that many drawn. They add up to the prediction in
the target's units all the same. A standard error of every value is told, in columns
NAME_std_error of --out and, averaged over rows, in the summary. Nothing tells
interactions.`,
		Example: `
  beziergp explain houses.bgp new.csv
  beziergp explain houses.bgp new.csv --out values.parquet --plot values.svg
  beziergp explain houses.bgp new.csv --waterfall row.svg --row 17
  beziergp explain houses.bgp new.csv --background sold.csv --interactions --json`,
		Args: o.Source.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			o.seeded = cmd.Flags().Changed("seed")
			return Run(cmd.Context(), *s, args[0], source.Data(args, 1), o)
		}),
	}
	explaining := option.NewSection("Explaining")
	explaining.Flags.StringVar(&o.Class, "class", "", apply.ClassUsage)
	explaining.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` for the values of every row; - is standard output, in the place of the summary")
	explaining.Flags.Var(option.Choice(&o.Format, tablewriter.Formats()...), "format", "csv, tsv, jsonl, parquet or arrow (default what the ending of --out says, or csv)")
	explaining.Flags.BoolVar(&o.JSON, "json", false, "print the summary as one line of JSON, with all columns")
	explaining.Flags.Var(option.Count(&o.Top), "top", "print so many columns, and pairs, that matter most")
	explaining.Flags.StringVar(&o.Background, "background", "", "explain against the rows of the table `FILE`, not against averages of the training rows")
	explaining.Flags.BoolVar(&o.Interactions, "interactions", false, "tell interactions of all pairs of columns too")
	explaining.Flags.Var(option.Positive(&o.Tolerance), "tolerance", "how far values may be from exact ones, in deviations of the target (default 1e-05)")
	explaining.Flags.Var(option.Int(&o.Permutations, 2, 100000), "permutations", "of another method than bezier: pairs of an order of the columns and its reverse, for every background row (default so many that there are 200 pairs, but 2 or more)")
	explaining.Flags.Var(option.Seed(&o.Seed), "seed", "of another method than bezier: start of the random numbers; same seed, same estimates (default 0)")
	explaining.Flags.Var(option.Picture(&o.Plot), "plot", "draw how much columns matter, and the values of rows, into a file .svg or .png")
	explaining.Flags.Var(option.Picture(&o.Waterfall), "waterfall", "draw what makes the prediction of one row into a file .svg or .png")
	explaining.Flags.Var(option.Rows(&o.Row), "row", "with --waterfall: the number of the row in DATA, counted from 1 (default the first)")
	sections := o.Sections()
	sections[0] = sections[0].Without("interval", "level", "point", "range")
	option.Attach(cmd, append([]option.Section{explaining}, sections...)...)
	return cmd
}

// Package predict is the verb that predicts the rows of a table.
package predict

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/tablewriter"
)

// Options are the flags of predict.
type Options struct {
	apply.Options
	Out       string
	Format    tablewriter.Format // empty for that of the file's ending, or CSV
	Row       bool               // the number of a row is a column
	Keep      []string           // columns of the table
	StdF      bool
	Held      bool
	Gradient  bool
	Quantiles []float64
	Sets      bool  // prediction sets of classes
	Counts    []int // numbers whose probabilities are columns
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Out: sink.Stdout}
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Predict the rows of a table",
		Long: `Predict the target for every row of a table, in order, as a table of columns:

  row           with --row or --keep: the row's number in DATA, counted from 1,
                whatever rows were taken
  NAME, …       with --keep NAME,…: columns of DATA as they stand there, inputs of
                the model or not
  mean          expected value, in the target's units; with --point median the
                column median instead
  std           deviation of the target: of the function and the noise
  lower, upper  central interval that holds the target with probability 0.95; with
                --level 0.9 that of probability 0.9 in the columns lower90, upper90;
                --interval conformal has it as wide as held the errors on rows
                that training had not seen, at 0.95 alone; it is widened where the
                mean, or the median, would lie outside
  class         of a target with classes, in the place of mean, std, lower and upper:
                the likeliest one
  p_NAME, …     and then the probability of each
  set           with --sets: the classes that hold the true one with probability
                0.95, as many as it takes, joined by |, or none where none is likely
                enough; with --level 0.9 the column set90
  in_box        true where all inputs lie within the bounds, and have levels, that the
                model knows
  std_f         with --std-f: deviation of the function alone; empty where the
                model's method cannot tell it
  NAME_mean, …  of a model of several targets, in the place of mean, std, lower and
                upper: those of each, named by it, as are std_f, held and q0.1
  held          with --held: what of the row was held within limits, joined by +:
                inputs (moved to the nearest bound, or left out where unknown),
                mean, std, shape of the distribution, interval (widened); or none
  d_mean/d_NAME, …
  d_std_f/d_NAME, …
                with --gradient: derivatives of the function and of its deviation by
                the inputs that are numbers, or times, of these by the day. They are
                of the function before limits and a range hold it, and of log(1 + y)
                where the model learned that; 0 beyond an input's bounds, from the
                right where an input's scaling has a knot, and empty for a missing value
  q0.1, …       with --quantiles 0.1,…: what the target lies below with this
                probability
  p0, p1, …     with --probabilities 0,1,…: of counts, the probability of each

DATA is a file, a pattern of files in quotes, or - for standard input, as for fit.
It needs the model's inputs, in any order, and reads them as those were; other
columns are passed over and may hold text. Rows are read, predicted and written
block by block, so DATA may be of any length. Under --out-of-box flag, rows
outside the box have no mean, std, lower and upper.

The format is CSV, or what the ending of --out says (.csv, .tsv, .jsonl, .parquet,
.arrow), or --format, which goes before the ending. Parquet, Arrow and JSON lines
have types: a column that is kept from a file of text is whole numbers, numbers,
truth values, dates or times where all its values are, and text elsewhere, as
where one is 007; the file is read twice for that, and from a pipe it is text.

With --range LO:HI the mean is held within, and the distribution F around it
becomes (F(y) - F(LO)) / (F(HI) - F(LO)) for y from LO to HI.`,
		Example: `
  beziergp predict houses.bgp new.csv > predictions.csv
  beziergp predict houses.bgp houses.csv --test-mask split.csv:fold0 --keep id --out test.parquet
  zcat year.csv.gz | beziergp predict houses.bgp - --out-of-box flag --std-f`,
		Args: o.Source.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("keep") && len(o.Keep) == 0 {
				return exit.Usagef("--keep is empty: name columns of the table, or leave it out")
			}
			return Run(cmd.Context(), *s, args[0], source.Data(args, 1), o)
		}),
	}
	writing := option.NewSection("Writing")
	writing.Flags.StringVarP(&o.Out, "out", "o", o.Out, "`FILE` for the predictions; - is standard output")
	writing.Flags.Var(option.Choice(&o.Format, tablewriter.Formats()...), "format", "csv, tsv, jsonl, parquet or arrow (default what the ending of --out says, or csv)")
	writing.Flags.StringSliceVar(&o.Keep, "keep", nil, "columns `A,B` of the table to write before the predictions, after the row's number")
	writing.Flags.BoolVar(&o.Row, "row", false, "add a column row, the number of the row in the table, counted from 1")
	writing.Flags.BoolVar(&o.StdF, "std-f", false, "add a column std_f, the deviation of the function without the noise")
	writing.Flags.BoolVar(&o.Held, "held", false, "add a column held: what of a row was held within limits, as in mean+std, or none")
	writing.Flags.BoolVar(&o.Gradient, "gradient", false, "add columns d_mean/d_NAME and d_std_f/d_NAME, the derivatives by the inputs")
	writing.Flags.Var(option.Shares(&o.Quantiles), "quantiles", "add columns q0.1, … of these quantiles of the target, like 0.1,0.5,0.9")
	writing.Flags.BoolVar(&o.Sets, "sets", false, "of classes: add a column set, the classes that hold the true one with probability --level")
	writing.Flags.Var(option.Counts(&o.Counts), "probabilities", "of counts: add columns p0, … of the probabilities of these `NUMBERS`, like 0,1,2")
	option.Attach(cmd, append([]option.Section{writing}, o.Sections()...)...)
	return cmd
}

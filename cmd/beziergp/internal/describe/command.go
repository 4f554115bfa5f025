// Package describe is the verb that tells what is in a table, and what may be wrong
// with it, before anything is learned.
package describe

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of describe.
type Options struct {
	Source source.Options
	Target string // empty for none
	JSON   bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "describe DATA",
		Short: "Tell what is in a table",
		Long: `Tell what the columns of a table hold: kind, missing values, distinct values, and
the range, or the levels that occur most. DATA is a file, a pattern of files in
quotes, or - for standard input, as for fit.

Columns that had better be looked at are warned of:

  constant      one value in all rows
  empty         no value at all
  missing       more than half of the values are missing
  identifier    nearly every row has a text of its own, or the values number the rows
  target        with --target: it is a category or a date-time, which fit cannot learn
  leak          with --target: an input that gives the target away, by a correlation
                (Pearson's or Spearman's) beyond 0.999 or as a category that explains
                more than 99.9 % of its variance
  near copies   with --target: rows near in a date, a count or a key share more than
                half of its variance, so that random splits make scores too good

--json prints one object with the keys file, rows, columns (a list of name, kind,
missing, distinct, and min and max or levels, how many, and top, a list of level
and count) and warnings (a list of column, about and text). Dates and times
are seconds since the beginning of 1970, UTC.`,
		Example: `
  beziergp describe houses.csv
  beziergp describe houses.csv --target price --json | jq .warnings
  beziergp describe 'year-*.csv.gz' --column postcode=category`,
		Args: o.Source.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, source.Data(args, 0), o)
		}),
	}
	data, printing := option.NewSection("Data"), option.NewSection("Printing")
	data.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column that is to be learned")
	o.Source.AddTo(data, "0", "pass over this share of the rows, which fit would hold out")
	o.Source.AddSplit(data, "with --holdout: pass over whole groups of equal values in column `NAME`", "with --holdout: pass over the last rows by column `NAME`")
	o.Source.AddKinds(data)
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	option.Attach(cmd, data, printing)
	return cmd
}

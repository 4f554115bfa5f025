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
	Memory int64  // 0 for a share of what is free
	All    bool
	JSON   bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "describe DATA",
		Short: "Tell what is in a table",
		Long: `Tell what the columns of a table hold, by kind: missing and distinct values, mean,
deviation, quantiles and skew of numbers, the span of times, the levels of a category
that occur most; then which columns go closest with the target, and with each other:
by Spearman's rank correlation ρ (with the target by Pearson's r, where that is
higher), and the correlation ratio η of a category and a number. DATA is a file, a
pattern of files in quotes, or - for standard input, as for fit. Of a table that
memory does not hold, a random sample of the rows is described.

Columns that had better be looked at are warned of:

  constant      one value in all rows
  empty         no value at all
  missing       more than half of the values are missing
  identifier    nearly every row has a text of its own, or the values number the rows
  text          numbers with units or signs, or dates that are not as ISO 8601 has them
  repeated      it tells the same in every row as a column before it
  target        with --target: what fit cannot learn, or learns better otherwise
  leak          with --target: a correlation from 0.98 on
  near copies   with --target: rows near in a date, a count or a key share more than
                half of its variance, so that random splits make scores too good

--json prints one object with the keys file, rows, described_rows, repeated_rows,
columns (name, kind, missing, distinct, and min, max, mean, std, zeros, skew and
quantiles, or levels, how many, and top, a list of level and count), correlations
(rows, that were compared, target and pairs, lists of column, with, measure and value,
and paired_columns) and warnings (column, about and text). Dates and times are seconds
since the beginning of 1970, UTC.`,
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
	data.Flags.Var(option.Bytes(&o.Memory), "memory", "memory to use; of longer tables a sample is described (default half of the free)")
	printing.Flags.BoolVar(&o.All, "all", false, "show all columns, correlations and warnings of a wide table")
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	option.Attach(cmd, data, printing)
	return cmd
}

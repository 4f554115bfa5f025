package fit

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := NewOptions()
	cmd := &cobra.Command{
		Use:   "fit DATA --target NAME",
		Short: "Learn a model from a table",
		Long: `Learn a model of one column of a table, the target, from its other columns. No
option but the target is needed; beziergp describe tells what is seen in a table.

DATA is CSV, TSV, Parquet or Arrow with a header, plain, gzip or zstd; a pattern in
quotes is all its files, - is standard input. Columns hold numbers, true and false,
ISO 8601 times, or text, a category. Interrupted, it writes the best model so far.`,
		Example: `
  beziergp fit houses.csv --target price --out houses.bgp
  beziergp fit houses.csv --target price --exclude id,street --effort fast --holdout 0.1
  beziergp fit 'houses-*.csv.gz' --target price --column postcode=category`,
		Args: o.Source.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, source.Data(args, 0), o)
		}),
	}
	o.attach(cmd, s)
	return cmd
}

package fit

import (
	"github.com/spf13/cobra"

	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/source"
	"beziergp/internal/cli/streams"
)

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := NewOptions()
	cmd := &cobra.Command{
		Use:   "fit DATA --target NAME",
		Short: "Learn a model from a table",
		Long: `Learn a model of one column of a table, the target, from its other columns.

DATA is a CSV or TSV file with a header, plain, gzip or zstd; a pattern in quotes
is all its files, - is standard input. All its columns but the target and the
excluded ones are inputs: numbers, true and false, dates and times as ISO 8601
writes them, or text, a category. What a column holds is inferred from all its
values; --column overrules. Empty, ?, NA, N/A, #N/A, NaN, NULL and None are missing
values. beziergp describe tells what is seen in a table. The model file is written when training is done, whole or not at all.

A run of the recipe paper that is interrupted, or killed, leaves a checkpoint
beside the model file: the same command goes on from there and ends with the same
model to the bit. The recipe auto, interrupted, writes the best model so far; the
next run begins anew.

The method is bezier, this program's own. --method takes another, to compare with,
and every verb takes its models; predictions are Gaussian, and go on beyond the
bounds unless --out-of-box says otherwise. A category is one-hot to them, a missing
value the mean with a column that tells. All rows must fit in memory, and an
interrupted run leaves no model. With the flags that they have, there are

` + methodHelp(),
		Example: `
  beziergp fit houses.csv --target price
  beziergp fit houses.csv --target price --exclude id,street --out houses.bgp --steps 20000 --seed 7
  beziergp fit houses.csv --target price --test-mask split.csv:fold0 --bounds rooms=1:12 --order-of rooms=5
  beziergp fit houses.csv --target price --method sgpr --inducing 200 --kernel matern32 --out rival.bgp
  beziergp fit 'houses-*.csv.gz' --target price --column postcode=category --column id=drop`,
		Args: o.Source.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, source.Data(args, 0), o)
		}),
	}
	o.attach(cmd)
	return cmd
}

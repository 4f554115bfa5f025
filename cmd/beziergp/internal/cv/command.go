// Package cv is the verb that cross-validates: it fits as fit does on the training rows of
// every fold, and scores on the others.
package cv

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/fit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{Fit: fit.NewOptions()}
	cmd := &cobra.Command{
		Use:   "cv DATA --target NAME",
		Short: "Fit and score fold by fold",
		Long: `Share the rows of a table out to folds, fit to the rows of all folds but one, as fit
does by the same flags, and score the rows of that one, which the model has not seen: a
line a fold, as it is done, with the scores that eval has; then their mean and standard
deviation over the folds, and the scores of all rows together. Rows without a target are
in no fold.

Folds are random unless one of these says otherwise; they are those of scikit-learn:

  --no-shuffle    folds of consecutive rows (KFold without shuffle)
  --group NAME    all rows of a group, those equal in this column, in one fold; for new
                  customers, sites, patients (GroupKFold)
  --time NAME     fold by fold along this column, each model learns from the rows before
                  those that it is scored on, and the rows before the first of these are
                  learned from alone; for forecasts (TimeSeriesSplit)
  --fold NAME     a fold for every value of this column; rows without one, and with -1,
                  are learned from by all models and not scored (PredefinedSplit)

The recipe auto then holds groups, or stretches of time, together within every fit, too.
The column itself is no input, but for the hour, weekday and day of the year of --time.

--out writes the prediction of every row that was scored, in the order of the table. An
interrupted run has printed the scores of the folds that were done.`,
		Example: `
  beziergp cv houses.csv --target price --effort fast
  beziergp cv visits.csv --target cost --group patient --folds 10 --out predictions.csv
  beziergp cv houses.csv --target price --method linear --json --fail-if 'rmse>30'`,
		Args: o.Fit.Source.Arguments(),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, source.Data(args, 0), o)
		}),
	}
	folds := option.NewSection("Folds")
	folds.Flags.Var(option.Int(&o.Folds, 2, 1000), "folds", "number of folds (default 5)")
	folds.Flags.BoolVar(&o.NoShuffle, "no-shuffle", false, "folds of consecutive rows, not of random ones")
	folds.Flags.StringVar(&o.Fit.Source.Group, "group", "", "a column `NAME`, of customers or sites: whole groups make a fold")
	folds.Flags.StringVar(&o.Fit.Source.Time, "time", "", "a column `NAME`, of dates or numbers: learn from what was before")
	folds.Flags.StringVar(&o.Fold, "fold", "", "a column `NAME` that says which fold a row is in")
	writing := option.NewSection("Scoring")
	writing.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` for the predictions of the rows scored, in the format of its ending")
	writing.Flags.BoolVar(&o.JSON, "json", false, "print one line of JSON")
	writing.Flags.Var(gate.Flag(&o.FailIf), "fail-if", "end with code 1 where this holds of the scores of all rows, as 'rmse>3'; repeatable")
	o.Fit.AttachLearning(cmd, s, folds, writing)
	return cmd
}

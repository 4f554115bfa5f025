// Package eval is the verb that scores a model on a table.
package eval

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of eval.
type Options struct {
	apply.Options
	Target string // empty for the model's
	JSON   bool
	FailIf gate.Conditions
	Strict bool // refuse rows that the model was trained on
	// Plot and Calibration are files for pictures; empty for none.
	Plot, Calibration string
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "eval MODEL DATA",
		Short: "Score a model on a table",
		Long: `Score a model's predictions on a table whose target is known.

  n            rows scored
  rmse         root mean squared error, in the target's units; with --point
               median that of the median
  nlpd         minus the mean logarithm of the predictive density, in nats
  crps         mean continuous ranked probability score, in the target's units
  coverage95   share of rows inside the 95 % interval; with --level 0.9 it is
               coverage90, and so are the names of the next two
  r2           coefficient of determination: 1 - squared error / variance
  mae, medae   mean and median absolute error, in the target's units (of more than
               2²⁰ rows the median is that of a sample)
  mape         mean absolute error relative to the target, as a share; none where a
               target is 0
  width95      mean width of the 95 % interval, in the target's units
  interval_score95
               width, and 40 times how far a target lies outside: lower is better
  pinball0.1   with --pinball 0.1,…: mean pinball loss of the predicted quantile
  pit          shares of rows in each tenth of the distribution predicted for
               them: a tenth each where predictions are calibrated
  outside_box  rows with a value beyond the bounds that the model knows
  new_level    rows with a level not seen in training
  new_missing  rows that lack a value which no training row lacked; all three
               have no prediction under --out-of-box flag and are not scored
  trained_on   rows that equal one that the model was trained on, of which eval
               warns: their scores are better than those of new rows

Of a model of several targets there is a line of scores a target, each by the rows that
have it, and one of their averages, of those that have no unit; a condition of --fail-if
is on every target. --output NAME scores one alone, as a model of its own.

DATA is a file, a pattern of files in quotes, or - for standard input, as for fit.
Rows without a target are not scored. --json prints these as
one line, with null for a number that does not exist. With --by, a line a group has
scores of its rows: a level of a category, true or false, a number or a fifth of the
rows where numbers are many, a day, a month or a year. DATA is read three times then.

--fail-if ends eval with code 1, once all is printed, where a condition holds, as in
'rmse>3', 'coverage95<0.93' or 'abs(coverage95-0.95)>0.02'; that on a score without
a value holds. any.rmse is that of every group of --by.

A model keeps a hash of every row that it was trained on, of its inputs and its target
(of more than 32,768 rows a sample, and trained_on is an estimate), so file, format and
order of rows and columns do not matter. Of rows that were not trained on, less than
one in 10¹¹ is taken for one by mistake; that tables repeat rows is another matter.
Rows that fit left out by the same --holdout or --test-mask are known to be new.`,
		Example: `
  beziergp eval houses.bgp new.csv
  beziergp eval houses.bgp new.csv --plot new.svg
  beziergp eval houses.bgp houses.csv --test-mask split.csv:fold0 --json

  beziergp eval houses.bgp new.csv --by city --level 0.9 --fail-if any.coverage90<0.8`,
		Args: o.Source.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], source.Data(args, 1), o)
		}),
	}
	scoring := option.NewSection("Scoring")
	scoring.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column with the true values (default the model's target)")
	scoring.Flags.Var(option.Picture(&o.Plot), "plot", "draw observed against predicted values, calibration, and coverage by predicted value into a file .svg or .png")
	scoring.Flags.Var(option.Picture(&o.Calibration), "calibration", "draw how often intervals of every level hold the truth into a file .svg or .png")
	scoring.Flags.StringArrayVar(&o.By, "by", nil, "score the rows by what the column `NAME` holds too; repeatable")
	scoring.Flags.Var(option.Shares(&o.Pinball), "pinball", "score the quantiles of these levels by their pinball loss, like 0.1,0.9")
	scoring.Flags.Var(gate.Flag(&o.FailIf), "fail-if", "end with code 1 where a score is so, as in 'rmse>3'; repeatable")
	scoring.Flags.BoolVar(&o.Strict, "strict", false, "refuse to score where rows equal rows that the model was trained on")
	scoring.Flags.BoolVar(&o.JSON, "json", false, "print one line of JSON")
	option.Attach(cmd, append([]option.Section{scoring}, o.Sections()...)...)
	return cmd
}

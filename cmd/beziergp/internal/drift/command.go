// Package drift is the verb that compares rows with those that a model was trained on.
package drift

import (
	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/gate"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
)

// Options are the flags of drift.
type Options struct {
	Output  string // the target that is meant; empty for the only one
	Source  source.Options
	Workers int    // 0 for all processors
	Target  string // empty for the model's
	All     bool   // print all columns
	JSON    bool
	FailIf  gate.Conditions
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "drift MODEL DATA",
		Short: "Tell what has moved since a model was trained",
		Long: `Compare the rows of a table with those that a model was trained on: which columns
moved, how many rows lie outside the box, and, where the target is known, whether
intervals still hold what they promise. A model keeps the numbers of its training
rows in some twenty bins of every input, at quantiles; the new rows are counted in
these, block by block, so DATA may be of any length.

  psi       population stability index, Σ (q-p) ln(q/p) over the shares p of the
            training rows and q of the new ones in the bins, rows without a
            value having one more; an empty bin counts as half a row
  ks        Kolmogorov-Smirnov distance of a number, at the edges of the bins
  p         probability of as much by chance, with the number of tests allowed
            for (Holm): of ks, or chi-square of a category; of the share of
            missing values, and of that of new levels
  moved     psi above 0.1, and p below 0.05; moved far: psi above 0.25. Of many
            rows every difference is no chance, so the index decides; of few a
            large index may be chance (stable, chance). The time itself of a date
            goes on and is not said to move

and of rows whose target is known rmse, nlpd and coverage95 with their standard
errors, beside those out of fold, and pit, the ks of the probability integral
transforms from the uniform distribution. Calibration holds where coverage95 is
within 0.02, or two standard errors, of 0.95, and pit is below 0.05, or may be by chance.

Names for --fail-if: psi, ks (of every input with p below 0.05, of time none),
missing (change of the share), new_levels, beyond (shares, of every input), moved
(inputs), outside (share of rows), psi_target, psi_predicted, psi_error, rmse,
rmse_ratio (over that out of fold), nlpd, coverage95, pit. The program ends with 1
where a condition holds; a score that is not known fails.

--json prints these as one object: rows, trained_rows, outside_box, tests, moved,
inputs, target, predicted, errors and scores.`,
		Example: `
  beziergp drift houses.bgp today.csv
  beziergp drift houses.bgp today.csv --fail-if 'psi>0.25' --fail-if 'outside>0.05'
  beziergp drift houses.bgp sold.csv --json | jq '.scores.coverage95'`,
		Args: o.Source.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], source.Data(args, 1), o)
		}),
	}
	comparing, data, running := option.NewSection("Comparing"), option.NewSection("Data"), option.NewSection("Running")
	comparing.Flags.StringVar(&o.Target, "target", "", "the `NAME` of the column with the true values (default the model's target, where the table has it)")
	apply.AddOutput(comparing, &o.Output)
	comparing.Flags.BoolVar(&o.All, "all", false, "print all inputs, not the first twenty")
	comparing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	comparing.Flags.Var(gate.Flag(&o.FailIf), "fail-if", "end with code 1 where this holds, as in 'psi>0.25'; repeatable")
	o.Source.AddTo(data, "1", "take the share of the rows that fit holds out by the same flag")
	o.Source.AddSplit(data, "with --holdout: that share is whole groups of equal values in column `NAME`, as for fit",
		"with --holdout: that share is the last rows by column `NAME`, as for fit")
	running.Flags.Var(option.Workers(&o.Workers), "workers", "processors to use (default all)")
	option.Attach(cmd, comparing, data, running)
	return cmd
}

// Package inspect is the verb that tells what is in a model file.
package inspect

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
)

// Options are the flags of inspect.
type Options struct {
	Output string // the target that is meant; empty for all
	Detail bool   // print the machine's part, too
	All    bool   // print all columns
	JSON   bool
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "inspect MODEL",
		Short: "Tell what is in a model file",
		Long: `Tell what a model predicts and from which rows and columns it was learned: their
kinds, ranges, levels and missing values, as they were in the training rows, how good
its predictions are of rows that they were made without, and what becomes of rows
beyond. --detail adds the machine's part: surfaces, options, tensors, the digest of
the file. --json prints one object with the keys

  file, bytes, format         the file, its size, the version of its format
  target                      name, mean, deviation, and range, where the model has
                              one, lowest and highest of training; in its units
  noise                       deviation of the noise, in the target's units
  out_of_box                  error, clip or flag
  inputs                      a list of name, lo, hi, declared, constant: bounds in
                              the input's units, declared or those of the rows; of
                              a category, levels, and pooled, how many rare levels
                              share a node, whose names the file does not have;
                              missing_share, lowest and highest, and shares, of the
                              levels and last of those pooled, in the training rows
  groups                      a list of orders (by input; 0 for a constant one),
                              orderings (how many), log10_control_points (of one
                              buttress)
  limits                      lo, hi of means, std_f the largest deviation of the
                              function; in the target's units, transformed; of
                              models that have them
  weights                     numbers in the model, of means and variances
  training                    recipe, options, rows, dropped (rows without a target),
                              sampled (rows learned from, where these are not all),
                              streamed (rows that each member has learned from, where
                              the sample told how errors are distributed), steps, rmse (target's units), objective, out_of_fold
                              (rows, rmse, nlpd, crps, coverage95 of rows that the
                              predictions were made without), residuals (rows, mean,
                              std, effective: of the target less the function out of
                              fold, and as good as how many independent rows)
  tensors, digest             with --detail: a list of name, type, shape and bytes;
                              the SHA-256 that the file says it has

and of a model of another method, in the place of groups, weights and
training,

  method                      its name
  holds_rows                  whether the file holds the training rows
  numbers, numbers_of_row     numbers in the file, and those a row is encoded as
  training                    rows, dropped
  learned                     options, and what else the method tells: the evidence
                              or its bound in nats, parameters in deviations

where noise is null if the method does not tell it from what it does not know.
A model of a former version does not tell of missing values and shares.`,
		Example: `
  beziergp inspect houses.bgp
  beziergp inspect houses.bgp --detail
  beziergp inspect houses.bgp --json | jq .inputs[].name`,
		Args: option.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], o)
		}),
	}
	printing := option.NewSection("Printing")
	printing.Flags.BoolVar(&o.Detail, "detail", false, "print the machine's part, too")
	printing.Flags.BoolVar(&o.All, "all", false, "print all columns, not the first twenty")
	apply.AddOutput(printing, &o.Output)
	printing.Flags.BoolVar(&o.JSON, "json", false, "print JSON")
	option.Attach(cmd, printing)
	return cmd
}

// Run prints what is in a model file.
func Run(ctx context.Context, s streams.Streams, file string, o *Options) error {
	if err := sink.Apart(s.In, s.Out, sink.Reads("MODEL", file)...); err != nil {
		return err
	}
	models, err := apply.LoadOutputs(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var all []description
	for _, m := range models {
		d := describe(m, file, info.Size())
		if o.Detail && info.Mode().IsRegular() {
			if err := d.shared().readTensors(file); err != nil {
				return err
			}
		}
		all = append(all, d)
	}
	if !o.JSON {
		for k, d := range all {
			if k > 0 {
				if _, err := fmt.Fprintln(s.Out); err != nil {
					return err
				}
			}
			if err := d.print(s.Out, *o); err != nil {
				return err
			}
		}
		return nil
	}
	encoder := printable.Encoder(s.Out)
	encoder.SetIndent("", "  ")
	if len(all) == 1 {
		return encoder.Encode(all[0])
	}
	return encoder.Encode(map[string]any{"outputs": all})
}

// Package export is the verb that writes a model in the format of others.
package export

import (
	"context"

	"github.com/spf13/cobra"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/export/onnx"
	"beziergp/model"
)

// format is one that models are written in.
type format string

const onnxFormat format = "onnx"

// Options are the flags of export.
type Options struct {
	To     format
	Out    string
	Output string // the target that is meant; empty for the only one
}

// Command returns the verb.
func Command(s *streams.Streams) *cobra.Command {
	o := &Options{To: onnxFormat}
	cmd := &cobra.Command{
		Use:   "export MODEL --out FILE",
		Short: "Write a model in a format of others: ONNX",
		Long: `Write what a model predicts as an ONNX graph, which runs in ONNX Runtime and wherever
else ONNX does. The graph has operators of the standard domain, version 17, alone. It
takes a tensor a column, each [rows, 1], named as the column

  a number                float64, NaN where it is missing
  a date                  float64, seconds since the beginning of 1970, UTC
  a truth value           float64, 1 or 0
  a category              int64, the number of the level; -1 where it is missing

and gives, each [rows, 1]

  mean                    float64, the predicted mean
  std                     float64, the deviation of a new observation
  in_box                  bool, whether all values lie where training rows were

The file's metadata, under the key beziergp, hold JSON: the levels of categories in the
order of their numbers, and what is not exported, quantiles and intervals among it. Of
rows that predict refuses the graph gives NaN. A model whose products might leave the
range of numbers is refused.`,
		Example: `
  beziergp export houses.bgp --out houses.onnx`,
		Args: option.Arguments("MODEL"),
		RunE: exit.Run(func(cmd *cobra.Command, args []string) error {
			return Run(cmd.Context(), *s, args[0], o)
		}),
	}
	writing := option.NewSection("Writing")
	writing.Flags.Var(option.Choice(&o.To, onnxFormat), "to", "the format")
	writing.Flags.StringVarP(&o.Out, "out", "o", "", "`FILE` to write; - is standard output")
	apply.AddOutput(writing, &o.Output)
	option.Attach(cmd, writing)
	return cmd
}

// Run writes a model in another format.
func Run(ctx context.Context, s streams.Streams, file string, o *Options) error {
	if o.Out == "" {
		return exit.Usagef("--out is missing: name the file to write, as in --out model.%s", o.To)
	}
	if err := sink.Apart(s.In, s.Out, append(sink.Reads("MODEL", file), sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	read, err := apply.Load(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	m, ok := read.(*model.Model)
	if !ok {
		return exit.Dataf("%s: a model of another method than bezier, which is not exported", file)
	}
	out, err := sink.Create(ctx, o.Out, s.Out)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := onnx.Write(out, m, onnx.Options{Version: version.Short()}); err != nil {
		return exit.Dataf("%s: %w", file, err)
	}
	return out.Commit()
}

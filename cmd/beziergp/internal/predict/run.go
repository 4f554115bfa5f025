package predict

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/serve"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// Run predicts the rows of the table data with a model from a file.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if o.Out == "" {
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	}
	format := o.format()
	if err := format.Check(); err != nil {
		return exit.Usagef("--out %s: %w", o.Out, err)
	}
	if o.Out == sink.Stdout && format.Binary() && console.IsTerminal(s.Out) {
		return exit.Usagef("%s is not for a terminal: give --out FILE, or write to a pipe", format)
	}
	files := append(o.Source.Reads(data), sink.Reads("MODEL", file)...)
	if err := sink.Apart(s.In, s.Out, append(files, sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	models, err := apply.LoadOutputs(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	t, err := o.target(models)
	if err != nil {
		return err
	}
	if err := o.checkNames(t); err != nil {
		return err
	}
	out, err := sink.Create(ctx, o.Out, s.Out)
	if err != nil {
		return err
	}
	defer out.Abort()
	result, err := o.write(ctx, s, models, t, data, format, out)
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("predicted %d rows in %.1f s", result.Rows, result.Elapsed.Seconds()),
		slog.String("event", "summary"), slog.Int("rows", result.Rows), slog.Float64("seconds", result.Elapsed.Seconds()),
		slog.Int("outside_box", result.Outside.Rows[box.Beyond]), slog.Int("new_level", result.Outside.Rows[box.NewLevel]),
		slog.Int("new_missing", result.Outside.Rows[box.NewGap]), slog.Any("held", result.Clamped), slog.String("file", o.Out))
	result.Warn(s, o.PolicyOf(models[0]))
	return nil
}

// format returns that of the predictions: the one that was asked for, or that of the file's
// ending, or CSV.
func (o *Options) format() tablewriter.Format {
	return cmp.Or(o.Format, tablewriter.Of(o.Out), tablewriter.CSV)
}

// write writes every row.
func (o *Options) write(ctx context.Context, s streams.Streams, models []serve.Model, t target, data string, format tablewriter.Format, out *sink.Sink) (*apply.Result, error) {
	c := &columns{Options: o, target: t, file: data}
	if o.Gradient {
		var err error
		if c.slopes, err = o.newSlopes(ctx, models[0]); err != nil {
			return nil, err
		}
		defer c.slopes.gradient.Close()
	}
	if len(o.Keep) > 0 && format.Typed() {
		var err error
		if c.kinds, err = source.Guess(ctx, data, o.Source, s, o.Keep); err != nil {
			return nil, err
		}
		c.parsed = make([]exact.Column, len(o.Keep))
		if o.Source.CheckPipes(data, "it") != nil {
			s.Console.Note("columns kept from a pipe are text: write DATA to a file for their types", slog.String("event", "kept_text"))
		}
	}
	task := "predicting"
	if o.Out == sink.Stdout && console.IsTerminal(s.Out) {
		task = "" // rows and a bar on one terminal are neither
	}
	var w tablewriter.Writer
	result, err := apply.RunOutputs(ctx, s, models, data, o.Options, apply.Further{Kept: o.Keep}, task, func(b *apply.Block) error {
		all, err := c.of(b)
		if err != nil {
			return err
		}
		if w == nil { // not before the table is found to be one
			names, fields := append(o.names(t), c.slopes.names()...), make([]tablewriter.Field, len(all))
			for k := range fields {
				fields[k] = tablewriter.Field{Name: names[k], Kind: all[k].Kind}
			}
			if w, err = tablewriter.New(out, format, fields...); err != nil {
				return err
			}
		}
		return w.Write(all...)
	})
	// Of a table that turns out to be bad, standard output has the rows before in a format
	// of text; a binary file without its end is none.
	if w == nil || err != nil && format.Binary() {
		return result, err
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	return result, err
}

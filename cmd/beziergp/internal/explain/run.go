package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/tablewriter"
)

// Run explains the rows of the table data by the model in a file.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if err := o.check(s); err != nil {
		return err
	}
	files := append(o.Source.Reads(data), sink.Reads("MODEL", file)...)
	files = append(files, sink.Reads("--background", o.Background)...)
	for _, out := range []sink.File{sink.Writes("--out", o.Out), sink.Writes("--plot", o.Plot), sink.Writes("--waterfall", o.Waterfall)} {
		if out.Path != "" {
			files = append(files, out)
		}
	}
	if err := sink.Apart(s.In, s.Out, files...); err != nil {
		return err
	}
	loaded, err := apply.Load(ctx, s, file)
	if err != nil {
		return err
	}
	m, ok := loaded.(*model.Model)
	if !ok {
		return exit.Dataf("%s is a model of another method than bezier: its values could be sampled alone, which explain does not do; explain a model of fit --method bezier", file)
	}
	if o.Policy == box.Extrapolate {
		return exit.Usagef("--out-of-box %s is for other methods than bezier", o.Policy)
	}
	e, err := o.explainer(ctx, s, m, file)
	if err != nil {
		return err
	}
	defer e.Close()
	total, result, err := o.explain(ctx, s, m, e, data)
	if err != nil {
		return err
	}
	if err := total.draw(ctx, s); err != nil {
		return err
	}
	if o.Out != sink.Stdout {
		if err := total.print(s.Out); err != nil {
			return err
		}
	}
	s.Console.Note(fmt.Sprintf("explained %d rows in %.1f s", result.Rows, result.Elapsed.Seconds()),
		slog.String("event", "summary"), slog.Int("rows", result.Rows), slog.Float64("seconds", result.Elapsed.Seconds()), slog.String("file", o.Out))
	result.Outside.Warn(s, result.Rows, o.PolicyOf(m))
	if total.Clamped > 0 {
		s.Console.Warn(fmt.Sprintf("of %d rows %d have a prediction beyond the limits that hold the mean: predict tells another one", result.Rows, total.Clamped),
			slog.String("event", "held"), slog.Int("rows", total.Clamped))
	}
	return nil
}

// check refuses flags that contradict each other.
func (o *Options) check(s streams.Streams) error {
	format := o.format()
	switch {
	case o.Out == "" && o.Format != "":
		return exit.Usagef("--format is that of --out, and there is none: name a file for the values")
	case o.Row != 0 && o.Waterfall == "":
		return exit.Usagef("--row is the row of --waterfall, and there is none: name a file for the picture")
	case o.Out == sink.Stdout && o.JSON:
		return exit.Usagef("--out - and --json contradict each other: both go to standard output")
	case o.Out == sink.Stdout && format.Binary() && console.IsTerminal(s.Out):
		return exit.Usagef("%s is not for a terminal: give --out FILE, or write to a pipe", format)
	}
	if err := format.Check(); err != nil {
		return exit.Usagef("--out %s: %w", o.Out, err)
	}
	return nil
}

func (o *Options) format() tablewriter.Format {
	return cmp.Or(o.Format, tablewriter.Of(o.Out), tablewriter.CSV)
}

// explainer returns what the flags ask for.
func (o *Options) explainer(ctx context.Context, s streams.Streams, m *model.Model, file string) (*explain.Explainer, error) {
	background, err := apply.Background(ctx, s, m, o.Background, o.Source)
	if err != nil {
		return nil, err
	}
	e, err := explain.New(m, explain.Options{Workers: o.Workers, Policy: o.Policy, Tolerance: o.Tolerance, Interactions: o.Interactions, Background: background})
	var bad *limit.OptionError
	if err != nil && !errors.As(err, &bad) {
		what := file
		var row box.RowError
		if errors.As(err, &row) {
			what = o.Background
		}
		return nil, exit.Dataf("%s: %w", what, err)
	}
	return e, err
}

// explain goes over the rows.
func (o *Options) explain(ctx context.Context, s streams.Streams, m *model.Model, e *explain.Explainer, data string) (*total, *apply.Result, error) {
	total := newTotal(o, m, e.Columns())
	task := "explaining"
	w := &rows{Options: o, names: names(e.Columns(), o.Interactions)}
	if o.Out != "" {
		if o.Out == sink.Stdout && console.IsTerminal(s.Out) {
			task = "" // rows and a bar on one terminal are neither
		}
		var err error
		if w.out, err = sink.Create(ctx, o.Out, s.Out); err != nil {
			return nil, nil, err
		}
		defer w.out.Abort()
	}
	var a explain.Attributions
	result, err := apply.Run(ctx, s, m, data, o.Options, apply.Further{}, task, func(b *apply.Block) error {
		if err := e.Explain(ctx, b.Inputs, &a); err != nil {
			return err
		}
		total.add(&a, b)
		return w.write(&a, b)
	})
	if closed := w.close(err); err == nil {
		err = closed
	}
	if err == nil && o.Waterfall != "" && total.row == nil {
		err = exit.Usagef("--row %d: DATA has no such row among those taken", max(o.Row, 1))
	}
	return total, result, err
}

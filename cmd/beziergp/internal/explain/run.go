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
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/serve"
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
	loaded, err := apply.LoadFunction(ctx, s, file, o.Output, o.Class, "explain")
	if err != nil {
		return err
	}
	loaded = apply.WithoutOffset(s, loaded)
	total := newTotal(o, loaded)
	var e explainer
	if m, ok := loaded.(*model.Model); ok {
		e, err = o.exactly(ctx, s, m, file)
	} else {
		e, err = o.estimate(ctx, s, loaded, file, data, total)
	}
	if err != nil {
		return err
	}
	defer e.Close()
	result, err := o.explain(ctx, s, loaded, e, data, total)
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
	result.Outside.Warn(s, result.Rows, o.PolicyOf(loaded))
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

// explainer explains rows block by block.
type explainer interface {
	Columns() []string
	Explain(ctx context.Context, columns [][]float64, out *explain.Attributions) error
	Close()
}

// exactly returns what explains a Bézier process.
func (o *Options) exactly(ctx context.Context, s streams.Streams, m *model.Model, file string) (explainer, error) {
	switch {
	case o.Policy == box.Extrapolate:
		return nil, exit.Usagef("--out-of-box %s is for other methods than bezier", o.Policy)
	case o.Permutations > 0 || o.seeded:
		return nil, exit.Usagef("--permutations and --seed are for estimates, of other methods than bezier: the values of %s are exact; leave them out", file)
	}
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

// task is what the work is called while it goes on: rows and a bar on one terminal are neither.
func (o *Options) task(s streams.Streams) string {
	if o.Out == sink.Stdout && console.IsTerminal(s.Out) {
		return ""
	}
	return "explaining"
}

// explain goes over the rows.
func (o *Options) explain(ctx context.Context, s streams.Streams, m serve.Model, e explainer, data string, total *total) (*apply.Result, error) {
	task := o.task(s)
	if total.sampled != nil {
		task = "" // rows take longer than reading them: it tells of each
	}
	w := &rows{Options: o, names: names(e.Columns(), o.Interactions, total.sampled != nil)}
	if o.Out != "" {
		var err error
		if w.out, err = sink.Create(ctx, o.Out, s.Out); err != nil {
			return nil, err
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
		err = o.noRow(data, total, result.Read)
	}
	return result, err
}

// noRow tells why there is no row for the waterfall, of so many that the table has.
func (o *Options) noRow(data string, total *total, read int) error {
	file := source.Name(data)
	switch {
	case o.Row > read:
		return exit.Usagef("--row %d: %s has %d rows; rows are counted from 1", o.Row, file, read)
	case total.unpredicted:
		return exit.Dataf("--row %d: that row of %s lies outside what the model knows, and --out-of-box %s gives it no values; choose another row or policy", o.Row, file, box.Flag)
	case o.Row > 0:
		return exit.Usagef("--row %d: that row of %s, which has %d, is not among those taken; choose one that is", o.Row, file, read)
	}
	return exit.Dataf("--waterfall: no row of %s has a prediction to draw", file)
}

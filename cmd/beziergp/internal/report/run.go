package report

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/cmd/beziergp/internal/version"
	"beziergp/internal/limit"
	"beziergp/internal/printable"
	"beziergp/model"
	"beziergp/report"
	"beziergp/serve"
	"beziergp/table"
)

// Run writes a page about the model in a file, the first of args, and the rows of a table, the
// second, if there is one.
func Run(ctx context.Context, s streams.Streams, args []string, o *Options) error {
	if err := o.check(s, args); err != nil {
		return err
	}
	file, data := args[0], source.Data(args, 1)
	files := append(sink.Reads("MODEL", file), sink.Reads("--background", o.Background)...)
	if o.overRows(args) {
		files = append(files, o.Source.Reads(data)...)
	}
	if err := sink.Apart(s.In, s.Out, append(files, sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	m, err := apply.Load(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	if classes := m.Classes(); len(classes) > 2 {
		return exit.Dataf("a report is of one function, and the target %q has one for each of %d classes; eval tells scores, explain --class what one is made of", m.Target().Name, len(classes))
	}
	b, err := o.builder(ctx, s, m, file)
	if err != nil {
		return err
	}
	defer b.Close()
	if o.Out != sink.Stdout {
		if err := sink.Check(o.Out); err != nil {
			return err
		}
	}
	rows := &apply.Result{}
	if o.overRows(args) {
		if rows, err = o.read(ctx, s, m, b, data); err != nil {
			return err
		}
	}
	b.Taken(rows.Split)
	r, err := b.Report(ctx)
	s.Console.EndProgress()
	if err != nil {
		return err
	}
	r.Repeat = report.Repeat{Command: shell.Line(append([]string{"beziergp"}, s.Args...)), Version: version.Short()}
	out, err := sink.Create(ctx, o.Out, s.Out)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := r.Render(out); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	for _, text := range r.Warnings {
		s.Console.Warn(text, slog.String("event", "report"))
	}
	s.Console.Note(fmt.Sprintf("wrote %s, %s: open it in a browser", printable.Line(sink.Name(o.Out)), printable.Size(out.Bytes())),
		slog.String("event", "summary"), slog.Int("rows", rows.Rows), slog.String("file", o.Out), slog.Int64("bytes", out.Bytes()))
	return nil
}

// overRows tells whether there are rows to tell of.
func (o *Options) overRows(args []string) bool { return len(args) > 1 || o.Source.From != "" }

// check refuses flags that contradict each other or have no use.
func (o *Options) check(s streams.Streams, args []string) error {
	own := o.Source
	switch {
	case o.Out == sink.Stdout && console.IsTerminal(s.Out):
		return exit.Usagef("a page is not for a terminal: give --out FILE, or write to a pipe")
	case o.overRows(args):
		return nil
	case o.Policy != "" || o.Target != "" || o.Show > 0 || o.Background != "" || own.Rows > 0 || own.Holdout > 0 || own.Mask.Path != "" || own.Query != "" || own.Group != "" || own.Time != "" || own.Missing != nil:
		return exit.Usagef("--show, --target, --background and the flags of rows need DATA")
	}
	return nil
}

// builder returns the report of no rows yet.
func (o *Options) builder(ctx context.Context, s streams.Streams, m serve.Model, file string) (*report.Builder, error) {
	const parts = 1000
	how := report.Options{Title: o.Title, Rows: o.Show, Seed: o.Seed, Workers: o.Workers, Policy: o.Policy, Progress: func(share float64) {
		s.Console.Update(console.State{Task: "sharing out the variance", Done: int64(share * parts), Total: parts, Unit: "step"})
	}}
	process, ok := m.(*model.Model)
	switch {
	case !ok && o.Background != "":
		return nil, exit.Dataf("%s is a model of another method than bezier, of which nothing is told against --background; leave that out", file)
	case ok && o.Policy == box.Extrapolate:
		return nil, exit.Usagef("--out-of-box %s is for other methods than bezier", o.Policy)
	case ok:
		var err error
		if how.Background, err = apply.Background(ctx, s, process, o.Background, o.Source); err != nil {
			return nil, err
		}
	}
	b, err := report.New(m, how)
	var bad *limit.OptionError
	if err != nil && !errors.As(err, &bad) {
		what := file
		var row box.RowError
		if errors.As(err, &row) {
			what = o.Background
		}
		return nil, exit.Dataf("%s: %w", what, err)
	}
	return b, err
}

// read adds the rows of a table.
func (o *Options) read(ctx context.Context, s streams.Streams, m serve.Model, b *report.Builder, data string) (*apply.Result, error) {
	target := o.Target
	if target == "" {
		target = m.Target().Name
	}
	if slices.ContainsFunc(m.Columns(), func(c table.Field) bool { return c.Name == target }) {
		return nil, exit.Usagef("--target: %q is an input of the model", target)
	}
	law := apply.LawOf(m)
	further := apply.Further{Numbers: []string{target}, Optional: o.Target == ""}
	result, err := apply.Run(ctx, s, m, data, o.Options, further, "reading", func(rows *apply.Block) error {
		block := report.Block{Columns: rows.Inputs, Rows: rows.Rows, Predictions: rows.Predictions}
		if len(rows.Numbers) > 0 {
			if err := rows.CheckTarget(law, target, rows.Numbers[0]); err != nil {
				return err
			}
			block.Target = rows.Numbers[0]
		}
		return b.Add(ctx, &block)
	})
	if err == nil && result.Rows == 0 {
		err = exit.Dataf("%s: there are no rows", source.Name(data))
	}
	return result, err
}

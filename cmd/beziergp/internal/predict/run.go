package predict

import (
	"context"
	"fmt"
	"log/slog"
	"math"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/tablefile"
)

// Run predicts the rows of the table data with a model from a file.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if o.Out == "" {
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	}
	files := append(o.Source.Reads(data), sink.Reads("MODEL", file)...)
	if err := sink.Apart(s.In, s.Out, append(files, sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	m, err := apply.Load(ctx, s, file)
	if err != nil {
		return err
	}
	out, err := sink.Create(ctx, o.Out, s.Out)
	if err != nil {
		return err
	}
	defer out.Abort()
	result, err := o.write(ctx, s, m, data, out)
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
	result.Warn(s, o.PolicyOf(m))
	return nil
}

// write writes a line for every row.
func (o *Options) write(ctx context.Context, s streams.Streams, m serve.Model, data string, out *sink.Sink) (*apply.Result, error) {
	point := o.Point
	if point == "" {
		point = model.MeanPoint
	}
	names := []string{string(point), "std", "lower", "upper", "in_box"}
	if o.StdF {
		names = append(names, "std_f")
	}
	if o.Held {
		names = append(names, "held")
	}
	for _, q := range o.Quantiles {
		names = append(names, fmt.Sprintf("q%g", q))
	}
	quantiles := make([][]float64, len(o.Quantiles))
	task := "predicting"
	if o.Out == sink.Stdout && console.IsTerminal(s.Out) {
		task = "" // rows and a bar on one terminal are neither
	}
	var w *tablefile.Writer
	var rows int // before the block
	result, err := apply.Run(ctx, s, m, data, o.Options, nil, task, func(_, _ [][]float64, p *model.Predictions) error {
		if w == nil { // not before the table is found to be one
			var err error
			if w, err = tablefile.NewWriter(out, names...); err != nil {
				return err
			}
		}
		columns := []tablefile.Values{
			tablefile.Gaps(p.Point), tablefile.Gaps(p.Std), tablefile.Gaps(p.Lower), tablefile.Gaps(p.Upper), tablefile.Truths(p.InBox),
		}
		if o.StdF {
			columns = append(columns, tablefile.Gaps(p.StdF))
		}
		if o.Held {
			columns = append(columns, tablefile.Words[model.Clamped](p.Clamped))
		}
		for k, q := range o.Quantiles {
			quantiles[k] = quantiles[k][:0]
			for i := range p.Mean {
				v := p.Distribution(i).Quantile(q)
				if math.IsInf(v, 0) {
					return &model.RowError{Row: rows + i + 1, Err: fmt.Errorf("the quantile %g overflows; ask for one nearer to 0.5, or tell the target's --range", q)}
				}
				quantiles[k] = append(quantiles[k], v)
			}
			columns = append(columns, tablefile.Gaps(quantiles[k]))
		}
		rows += len(p.Mean)
		return w.Write(columns...)
	})
	if w == nil {
		return result, err
	}
	// Of a table that turns out to be bad, standard output has the rows before.
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return result, err
}

package draw

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table/exact"
)

// Run draws functions of a model from a file at the rows of the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if o.Out == "" {
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	}
	if err := sink.Apart(s.In, s.Out, append(append(o.Source.Reads(data), sink.Reads("MODEL", file)...), sink.Writes("--out", o.Out))...); err != nil {
		return err
	}
	loaded, err := apply.LoadFunction(ctx, s, file, o.Output, o.Class, "draw")
	if err != nil {
		return err
	}
	m, err := laws.Process(file, loaded, "draw")
	if err != nil {
		return err
	}
	rows, from, err := laws.Read(ctx, s, m, data, o.Source)
	if err != nil {
		return err
	}
	if rows.Rows() > analysis.MostJoint {
		return exit.Dataf("%s: %d rows are too many to be drawn together; take %d at most, as by --rows", source.Name(data), rows.Rows(), analysis.MostJoint)
	}
	f, err := analysis.NewRows(ctx, m, rows, analysis.RowsOptions{Policy: o.Policy, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))})
	if err != nil {
		return laws.Located(ctx, from, err)
	}
	laws.Outside(s, f)
	d, err := f.Draw(ctx, o.Draws, o.Seed)
	if err != nil {
		return err
	}
	taken := make([]int, rows.Rows())
	for i := range taken {
		taken[i] = i + 1
	}
	names, columns := []string{"row"}, []*exact.Column{sink.RowNumbers(from.FileRows(taken))}
	for k, values := range d.Values {
		if m.Target().Transform == box.Log1p {
			for i, v := range values {
				values[i] = math.Expm1(v)
			}
		}
		names, columns = append(names, fmt.Sprintf("draw%d", k+1)), append(columns, exact.Numbers(values))
	}
	if err := sink.WriteTable(ctx, o.Out, s.Out, names, columns...); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("drew %d functions at %d rows; jitter of variance %.2g was added", o.Draws, rows.Rows(), d.Jitter),
		slog.String("event", "summary"), slog.Int("rows", rows.Rows()), slog.Int("draws", o.Draws), slog.Float64("jitter", d.Jitter))
	return nil
}

package cv

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/table/exact"
)

// predicted is the prediction of a row, counted from 0 in the table in memory.
type predicted struct {
	row, fold                        int
	observed, mean, std, lower, high float64
}

// write writes the predictions in the order of the table.
func (p *page) write(ctx context.Context, s streams.Streams, path string, from *source.Table) error {
	slices.SortFunc(p.rows, func(a, b predicted) int { return cmp.Compare(a.row, b.row) })
	var rows []int
	var folds []string
	columns := make([][]float64, 5)
	for _, r := range p.rows {
		rows, folds = append(rows, r.row+1), append(folds, p.names[r.fold])
		for k, v := range []float64{r.observed, r.mean, r.std, r.lower, r.high} {
			columns[k] = append(columns[k], v)
		}
	}
	all := []*exact.Column{sink.RowNumbers(from.FileRows(rows)), exact.Texts(folds)}
	for _, c := range columns {
		all = append(all, exact.Numbers(c))
	}
	if err := sink.WriteTable(ctx, path, s.Out, []string{"row", "fold", "observed", "mean", "std", "lower", "upper"}, all...); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("wrote predictions of %d rows to %s", len(rows), printable.Line(sink.Name(path))),
		slog.String("event", "summary"), slog.Int("rows", len(rows)), slog.String("file", path))
	return nil
}

package cv

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
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
	classes                          []float64 // the probabilities of classes, in the place of the numbers
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
	names := []string{"row", "fold", "observed", "mean", "std", "lower", "upper"}
	if p.classes != nil {
		var y []float64
		var probabilities [][]float64
		for _, r := range p.rows {
			y, probabilities = append(y, r.observed), append(probabilities, r.classes)
		}
		own, columns := apply.ClassColumns(p.classes, y, probabilities)
		names, all = append(names[:2], own...), append(all, columns...)
	} else {
		for _, c := range columns {
			all = append(all, exact.Numbers(c))
		}
	}
	if err := sink.WriteTable(ctx, path, s.Out, names, all...); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("wrote predictions of %d rows to %s", len(rows), printable.Line(sink.Name(path))),
		slog.String("event", "summary"), slog.Int("rows", len(rows)), slog.String("file", path))
	return nil
}

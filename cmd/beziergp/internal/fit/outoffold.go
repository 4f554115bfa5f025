package fit

import (
	"context"
	"fmt"
	"log/slog"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/table/exact"
)

func (m process) writeOutOfFold(ctx context.Context, s streams.Streams, path string, r *rows) error {
	p := m.outOfFold
	if p == nil {
		return nil
	}
	places, err := r.places(ctx, p.Rows)
	if err != nil {
		return err
	}
	names, columns := []string{"observed", "mean", "std", "lower", "upper"}, []*exact.Column{
		exact.Numbers(p.Observed), exact.Numbers(p.Mean), exact.Numbers(p.Std), exact.Numbers(p.Lower), exact.Numbers(p.Upper),
	}
	if classes := m.Classes(); classes != nil {
		probabilities := make([][]float64, len(p.Observed))
		for i := range probabilities {
			probabilities[i] = p.Probabilities(i)
		}
		names, columns = apply.ClassColumns(classes, p.Observed, probabilities)
	}
	err = sink.WriteTable(ctx, path, s.Out, append([]string{"row"}, names...), append([]*exact.Column{sink.RowNumbers(places)}, columns...)...)
	if err != nil {
		return err
	}
	learned, which := m.Training().Rows, ""
	if p.Members < p.Folds {
		which = fmt.Sprintf("; %d of %d folds have a member, and --members %d gives every row a prediction", p.Members, p.Folds, p.Folds)
	}
	s.Console.Note(fmt.Sprintf("wrote out-of-fold predictions of %d of %d rows to %s%s", len(places), learned, printable.Line(sink.Name(path)), which),
		slog.String("event", "out_of_fold"), slog.Int("rows", len(places)), slog.Int("of", learned),
		slog.Int("members", p.Members), slog.Int("folds", p.Folds), slog.String("file", path))
	return nil
}

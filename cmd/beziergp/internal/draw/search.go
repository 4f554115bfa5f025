package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/laws"
	"beziergp/cmd/beziergp/internal/shell"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
	"beziergp/table/exact"
)

// Search tells where functions drawn from a model from a file are largest, or smallest.
func Search(ctx context.Context, s streams.Streams, file string, o *Options) error {
	switch {
	case o.Out == "":
		return exit.Usagef("--out is empty: name a file, or - for standard output")
	case o.ofRows != "":
		return exit.Usagef("--%s is about rows, and --find has none: leave out one of them", o.ofRows)
	}
	if err := o.Laws.Check(); err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, append(sink.Reads("MODEL", file), sink.Writes("--out", o.Out))...); err != nil {
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
	a, err := o.Laws.Analysis(s, file, m)
	if err != nil {
		return err
	}
	names, columns := []string{"draw"}, []*exact.Column{exact.Integers(nil)}
	for _, in := range m.Inputs() {
		kind := exact.Numbers(nil)
		if in.Kind == table.Category {
			kind = exact.Texts(nil)
		}
		names, columns = append(names, in.Source()), append(columns, kind)
	}
	names, columns = append(names, "value"), append(columns, exact.Numbers(nil))
	options := analysis.RowsOptions{Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))}
	held := 0
	defer s.Console.EndProgress()
	for k := range o.Draws {
		best, err := analysis.NewFunction(m, o.Seed, k, options).Search(ctx, a, analysis.SearchOptions{Points: o.Points, Smallest: o.Find == Min})
		var part *analysis.PartError
		if errors.As(err, &part) {
			return exit.Dataf("%s: %w; fit without the date, by --exclude %s, or give DATA, rows to choose from, in the place of --find", file, err, shell.Line([]string{part.Column}))
		}
		if err != nil {
			return laws.Coded(file, err)
		}
		columns[0].AddInteger(int64(k+1), false)
		for i, in := range m.Inputs() {
			if v := best.At[i]; in.Kind == table.Category {
				columns[1+i].AddText(levelOf(in, v), v != v)
			} else {
				columns[1+i].AddNumber(v)
			}
		}
		if best.Held {
			held++
		}
		if m.Target().Transform == box.Log1p {
			best.F = math.Expm1(best.F)
		}
		columns[len(columns)-1].AddNumber(best.F)
		s.Console.Update(console.State{Task: "searching", Done: int64(k + 1), Total: int64(o.Draws), Unit: "function"})
	}
	if err := sink.WriteTable(ctx, o.Out, s.Out, names, columns...); err != nil {
		return err
	}
	if held > 0 {
		s.Console.Warn(fmt.Sprintf("of %d functions %d end where predictions are held within limits, far from the training rows, and are held themselves there", o.Draws, held),
			slog.String("event", "held"), slog.Int("held", held))
	}
	s.Console.Note(fmt.Sprintf("searched %d functions at %d points each", o.Draws, o.Points),
		slog.String("event", "summary"), slog.Int("points", o.Points), slog.Int("draws", o.Draws))
	return nil
}

// levelOf returns the level of that number.
func levelOf(in box.Input, v float64) string {
	if v != v {
		return ""
	}
	return in.Levels[int(v)]
}

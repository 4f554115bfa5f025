package fit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"beziergp"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/train/auto"
)

// outputs are the models of several targets.
type outputs struct {
	*beziergp.Bundle
	unseen []beziergp.OutOfFold // nil where nobody asked for it
}

func (m outputs) models() (all []serve.Model) {
	for _, own := range m.Models() {
		all = append(all, own)
	}
	return all
}

func (m outputs) draw(context.Context, streams.Streams) error { return nil }

// outputs learns several targets.
func (o *Options) outputs(ctx context.Context, s streams.Streams, r *rows) (learned, error) {
	w := o.newWatch(s, "", r.sample())
	options := o.process(w)
	options.Split, options.Held = r.source.Split(), r.source.ValidColumn()
	var m outputs
	if o.OutOfFold != "" {
		options.OutOfFolds = &m.unseen
	}
	var err error
	m.Bundle, err = beziergp.FitOutputs(ctx, r.memory, o.several, options)
	switch {
	case err == nil:
		return m, nil
	case m.Bundle == nil:
		return nil, o.explain(ctx, err, w, r)
	}
	s.Console.EndProgress()
	if _, unsaved := save(context.WithoutCancel(ctx), m, o.Out, s); unsaved != nil {
		return nil, unsaved
	}
	if !errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("%w; the models are in %s", o.explain(ctx, err, w, r), o.Out)
	}
	return nil, &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted at step %d of %d; the best models so far are in %s", w.step, w.steps, o.Out)}
}

// LearnOutputs is Learn of several targets: a model a target.
func (o *Options) LearnOutputs(ctx context.Context, s streams.Streams, t *table.Table, exclude ...string) ([]serve.Model, error) {
	options := o.process(o.newWatch(s, "", t))
	options.Exclude = append(options.Exclude, exclude...)
	b, err := beziergp.FitOutputs(ctx, t, o.several, options)
	if err != nil {
		return nil, err
	}
	return outputs{Bundle: b}.models(), nil
}

// summarize says what was learned, a line a target.
func (m outputs) summarize(s streams.Streams, out string, bytes int64, elapsed time.Duration) {
	var text strings.Builder
	first := m.Models()[0]
	fmt.Fprintf(&text, "learned %d targets in %.1f s: %d inputs\ncolumns: %s\n", len(m.Models()), elapsed.Seconds(), len(first.Inputs()), schema(first.Columns()))
	for _, own := range m.Models() {
		t, target := own.Training(), own.Target()
		fmt.Fprintf(&text, "%s, of %s%s: out-of-fold RMSE %.4g (deviation of the target %.4g), deviation of the noise %.4g; %s\n", printable.Quoted(target.Name), learnedRows(t), droppedRows(t.Dropped, ""),
			t.RMSE, target.SD, own.Noise(), sharing(own))
	}
	fmt.Fprintf(&text, "wrote %s, %s", printable.Line(sink.Name(out)), printable.Size(bytes))
	fields := []slog.Attr{slog.String("event", "summary"), slog.Any("targets", m.Targets()), slog.Float64("seconds", elapsed.Seconds()),
		slog.Int("inputs", len(first.Inputs())), slog.String("columns", schema(first.Columns())), slog.String("file", out), slog.Int64("bytes", bytes)}
	for _, own := range m.Models() {
		t := own.Training()
		fields = append(fields, slog.Group(own.Target().Name, slog.Int("rows", t.Rows), slog.Int("dropped", t.Dropped), slog.Float64("rmse", t.RMSE),
			slog.Float64("deviation", own.Target().SD), slog.Float64("noise", own.Noise()), slog.Int("together", auto.Together(t.Options)), slog.Any("out_of_fold", t.OutOfFold)))
	}
	s.Console.Note(text.String(), fields...)
	for _, own := range m.Models() {
		if t := own.Training(); !(t.RMSE < own.Target().SD) {
			s.Console.Warn(fmt.Sprintf("nothing was learned of %s: the out-of-fold RMSE %.4g is not below its deviation %.4g; leave it out, or take other inputs, or more rows", printable.Quoted(own.Target().Name), t.RMSE, own.Target().SD),
				slog.String("event", "nothing_learned"), slog.String("target", own.Target().Name))
		}
	}
}

// sharing says whether a target has the process of all.
func sharing(m *beziergp.Model) string {
	if n := auto.Together(m.Training().Options); n > 0 {
		return fmt.Sprintf("a process learned for %d targets", n)
	}
	return "a process of its own"
}

// writeOutOfFold writes a line for every row of which some target was predicted without it.
func (m outputs) writeOutOfFold(ctx context.Context, s streams.Streams, path string, r *rows) error {
	if m.unseen == nil {
		return nil
	}
	var rows []int
	for _, p := range m.unseen {
		rows = append(rows, p.Rows...)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	places, err := r.places(ctx, rows)
	if err != nil {
		return err
	}
	names, columns := []string{"row"}, []*exact.Column{sink.RowNumbers(places)}
	for k, p := range m.unseen {
		for _, own := range []struct {
			name   string
			values []float64
		}{{"observed", p.Observed}, {"mean", p.Mean}, {"std", p.Std}, {"lower", p.Lower}, {"upper", p.Upper}} {
			all := slices.Repeat([]float64{math.NaN()}, len(rows))
			for i, row := range p.Rows {
				at, _ := slices.BinarySearch(rows, row)
				all[at] = own.values[i]
			}
			names, columns = append(names, m.Targets()[k]+"_"+own.name), append(columns, exact.Numbers(all))
		}
	}
	if err := sink.WriteTable(ctx, path, s.Out, names, columns...); err != nil {
		return err
	}
	s.Console.Note(fmt.Sprintf("wrote out-of-fold predictions of %d rows to %s", len(places), printable.Line(sink.Name(path))),
		slog.String("event", "out_of_fold"), slog.Int("rows", len(places)), slog.String("file", path))
	return nil
}

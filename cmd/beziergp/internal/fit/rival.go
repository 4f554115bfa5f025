package fit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"beziergp"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/serve"
)

// other is a model of another method.
type other struct{ *beziergp.Rival }

func (m other) models() []serve.Model { return []serve.Model{m.Rival} }

// draw draws nothing: no other method has a learning curve.
func (m other) draw(context.Context, streams.Streams) error { return nil }

// rival learns by another method.
func (o *Options) rival(ctx context.Context, s streams.Streams, data string, r *rows) (learned, error) {
	var last method.Event
	options := o.rivalOptions(s, &last)
	options.Split = r.source.Split()
	m, err := beziergp.FitRival(ctx, r.memory, o.Target, o.chosen(), options)
	switch {
	case err == nil:
		return other{m}, nil
	case errors.Is(err, context.Canceled):
		where := "interrupted"
		if last.Step > 0 {
			where = fmt.Sprintf("interrupted at step %d of %d", last.Step, last.Steps)
		}
		return nil, &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("%s; the method %s keeps nothing half done, there is no model", where, o.Method)}
	}
	return nil, o.explain(ctx, err, nil, r)
}

// chosen returns the method.
func (o *Options) chosen() method.Method {
	chosen, _ := rival.Find(o.Method) // as the flag's parser has
	settings := o.Settings
	settings.Memory = o.memory()
	return chosen.New(settings)
}

// rivalOptions returns the options of a fit that the console follows; last is the last event
// of it.
func (o *Options) rivalOptions(s streams.Streams, last *method.Event) beziergp.RivalOptions {
	return beziergp.RivalOptions{
		Plain: o.plain, Likelihood: o.Likelihood, Exposure: o.Exposure, Offset: o.Offset,
		Bounds: o.Bounds, TargetTransform: o.Transform, Range: o.Range, Missing: o.Source.Missing, OutOfBox: o.Policy, Workers: o.Workers, Seed: o.Seed,
		Progress: func(e method.Event) {
			*last = e
			s.Console.Update(console.State{
				Task: "training", Done: int64(e.Step), Total: int64(e.Steps), Unit: "step",
				Detail: fmt.Sprintf("%.4g nats a row", e.Objective), Fields: []slog.Attr{slog.Float64("objective", e.Objective)},
			})
		},
	}
}

func (m other) writeOutOfFold(context.Context, streams.Streams, string, *rows) error { return nil }

func (m other) summarize(s streams.Streams, out string, bytes int64, elapsed time.Duration) {
	training, target := m.Training(), m.Target()
	_, row := m.Numbers()
	text := fmt.Sprintf("deviation of the target %.4g", target.SD)
	if law := m.Likelihood(); !likelihood.IsGaussian(law) {
		text = "likelihood " + printable.Line(likelihood.Text(law)) + classesOf(m.Classes())
	}
	fields := []slog.Attr{
		slog.String("event", "summary"), slog.String("method", m.Method()), slog.String("target", target.Name),
		slog.Int("rows", training.Rows), slog.Int("dropped", training.Dropped), slog.String("columns", schema(m.Columns())),
		slog.Int("inputs", len(m.Inputs())), slog.Int("numbers", row), slog.Float64("deviation", target.SD), slog.String("likelihood", m.Likelihood().Name()),
		slog.Float64("seconds", elapsed.Seconds()), slog.String("file", out), slog.Int64("bytes", bytes),
	}
	if noise, told := m.Noise(); told {
		text += fmt.Sprintf(", deviation of the noise %.4g", noise)
		fields = append(fields, slog.Float64("noise", noise))
	}
	s.Console.Note(
		fmt.Sprintf("learned %s from %d rows in %.1f s: method %s, %d inputs, %d numbers a row\n",
			printable.Quoted(target.Name), training.Rows, elapsed.Seconds(), m.Method(), len(m.Inputs()), row)+
			fmt.Sprintf("columns: %s%s\n", schema(m.Columns()), droppedRows(training.Dropped, ""))+
			fmt.Sprintf("%s\nwrote %s, %s", text, printable.Line(sink.Name(out)), printable.Size(bytes)),
		fields...)
}

package eval

import (
	"context"
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
)

// Run scores a model from a file on the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	if err := o.FailIf.Check(o.ScoreNames()); err != nil {
		return err
	}
	files := append(o.Source.Reads(data), sink.Reads("MODEL", file)...)
	if err := sink.Apart(s.In, s.Out, append(files, sink.Writes("--plot", o.Plot), sink.Writes("--calibration", o.Calibration))...); err != nil {
		return err
	}
	m, err := apply.Load(ctx, s, file)
	if err != nil {
		return err
	}
	target := o.Target
	if target == "" {
		target = m.Target().Name
	}
	if slices.ContainsFunc(m.Columns(), func(c table.Field) bool { return c.Name == target }) {
		return exit.Usagef("--target: %q is an input of the model", target)
	}
	drawings := o.drawings(target, m.Classes())
	report, result, err := apply.Score(ctx, s, m, data, o.Options, target, drawings.add)
	if err != nil {
		return err
	}
	if err := result.CheckSeen(s, o.Strict); err != nil {
		return err
	}
	if err := drawings.write(ctx, s.Out); err != nil {
		return err
	}
	if err := report.Print(s.Out, o.JSON); err != nil {
		return err
	}
	result.Warn(s, o.PolicyOf(m))
	return o.FailIf.Judge(report.Judged())
}

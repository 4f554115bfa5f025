package eval

import (
	"context"
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/model"
	"beziergp/serve"
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
	models, err := apply.LoadOutputs(ctx, s, file, o.Output)
	if err != nil {
		return err
	}
	if len(models) > 1 {
		return o.outputs(ctx, s, models, data)
	}
	m := models[0]
	target := o.Target
	if target == "" {
		target = m.Target().Name
	}
	if slices.ContainsFunc(m.Columns(), func(c table.Field) bool { return c.Name == target }) {
		return exit.Usagef("--target: %q is an input of the model", target)
	}
	if m.Classes() != nil {
		switch {
		case len(o.Pinball) > 0:
			return exit.Dataf("--pinball: the target %q has classes, and no quantiles; leave it out", m.Target().Name)
		case o.Point == model.MedianPoint:
			return exit.Dataf("--point %s: the target %q has classes, whose probabilities are scored; leave it out", o.Point, m.Target().Name)
		}
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

// outputs scores the models of several targets.
func (o *Options) outputs(ctx context.Context, s streams.Streams, models []serve.Model, data string) error {
	for flag, given := range map[string]bool{"target": o.Target != "", "plot": o.Plot != "", "calibration": o.Calibration != "", "by": o.By != nil} {
		if given {
			return exit.Dataf("--%s: the model has %d targets; name one of them by --output", flag, len(models))
		}
	}
	reports, result, err := apply.ScoreOutputs(ctx, s, models, data, o.Options)
	if err != nil {
		return err
	}
	if err := result.CheckSeen(s, o.Strict); err != nil {
		return err
	}
	all := apply.Outputs{Targets: apply.Targets(models), Reports: reports}
	if err := all.Print(s.Out, o.JSON); err != nil {
		return err
	}
	result.Warn(s, o.PolicyOf(models[0]))
	return o.FailIf.Judge(all.Judged())
}

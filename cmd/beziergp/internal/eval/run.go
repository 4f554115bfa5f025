package eval

import (
	"context"
	"io"
	"slices"

	"beziergp/cmd/beziergp/internal/apply"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/plot"
	"beziergp/table"
)

// Run scores a model from a file on the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	files := append(o.Source.Reads(data), sink.Reads("MODEL", file)...)
	if err := sink.Apart(s.In, s.Out, append(files, sink.Writes("--calibration", o.Calibration))...); err != nil {
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
	var pit []float64
	var transform func(float64)
	if o.Calibration != "" {
		transform = func(u float64) { pit = append(pit, u) }
	}
	report, result, err := apply.Score(ctx, s, m, data, o.Options, target, transform)
	if err != nil {
		return err
	}
	if err := result.CheckSeen(s, o.Strict); err != nil {
		return err
	}
	if o.Calibration != "" {
		if err := draw(ctx, o.Calibration, pit, s.Out); err != nil {
			return err
		}
	}
	if err := report.Print(s.Out, o.JSON); err != nil {
		return err
	}
	result.Warn(s, o.PolicyOf(m))
	return nil
}

// draw writes the picture of how often intervals hold the truth.
func draw(ctx context.Context, path string, pit []float64, stdout io.Writer) error {
	out, err := sink.Create(ctx, path, stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := plot.Calibration(out, pit); err != nil {
		return err
	}
	return out.Commit()
}

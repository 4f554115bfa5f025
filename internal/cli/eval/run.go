package eval

import (
	"context"
	"fmt"
	"io"
	"slices"

	"beziergp/internal/aside"
	"beziergp/internal/cli/apply"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/sink"
	"beziergp/internal/cli/source"
	"beziergp/internal/cli/streams"
	"beziergp/plot"
	"beziergp/table"
)

// Run scores a model from a file on the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	m, err := apply.Load(s, file)
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
		if err := sink.CheckApart("--calibration", o.Calibration, append(source.Files(data), file)...); err != nil {
			return err
		}
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
		if err := draw(o.Calibration, pit); err != nil {
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
func draw(path string, pit []float64) error {
	err := aside.WriteFile(path, func(w io.Writer) error { return plot.Calibration(w, pit) })
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

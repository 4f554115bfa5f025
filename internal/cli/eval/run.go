package eval

import (
	"context"
	"slices"

	"beziergp/internal/cli/apply"
	"beziergp/internal/cli/exit"
	"beziergp/internal/cli/streams"
	"beziergp/model"
	"beziergp/table"
)

// Run scores a model from a file on the table data.
func Run(ctx context.Context, s streams.Streams, file, data string, o *Options) error {
	m, err := model.Load(file)
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
	report, result, err := apply.Score(ctx, s, m, data, o.Options, target)
	if err != nil {
		return err
	}
	if err := report.Print(s.Out, o.JSON); err != nil {
		return err
	}
	result.WarnOutside(s, o.PolicyOf(m))
	return nil
}

package fit

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"beziergp"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/rival/method"
	"beziergp/serve"
	"beziergp/table"
	"beziergp/tablefile"
)

// source returns which rows are read, with the columns that cannot be dropped.
func (o *Options) source() source.Options {
	own := o.Source
	own.Needed = append(o.named(), o.Target, o.Weights, o.Exposure, o.Offset, o.Source.Group, o.Source.Time)
	return own
}

// Read reads the rows that fit would learn from into memory, with further columns, which may
// be among those excluded, and where they come from.
func (o *Options) Read(ctx context.Context, s streams.Streams, data string, further ...string) (*table.Table, *source.Table, error) {
	if o.Memory > 0 {
		debug.SetMemoryLimit(o.Memory)
	}
	t, err := source.Open(ctx, data, o.source(), false, s, "reading", nil)
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	columns, err := o.columns(t.Names(), data)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range further {
		if !slices.Contains(t.Names(), name) {
			unknown := table.Unknown(name, t.Names())
			return nil, nil, &tablefile.Error{File: source.Name(data), Column: name, Problem: "there is no such column", Remedy: unknown.Hint(), Err: unknown}
		}
		if !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	if err := t.Select(columns...); err != nil {
		return nil, nil, err
	}
	most := o.memory() / source.ShareOfValues
	rows, _, err := t.ReadOutOfCore(ctx, source.OutOfCore{Target: o.Target, Weights: o.Weights, Bytes: most})
	if errors.Is(err, source.ErrMemory) {
		return nil, nil, exit.Dataf("%s: all rows are needed in memory, and they take more than their share of it, %s; give it more by --memory, or take fewer by --rows",
			source.Name(data), printable.Size(most))
	}
	return rows, t, err
}

// Learn learns from a table in memory by what was asked for. Further columns are excluded.
func (o *Options) Learn(ctx context.Context, s streams.Streams, t *table.Table, exclude ...string) (serve.Model, error) {
	if o.Method != methodBezier {
		options := o.rivalOptions(s, new(method.Event))
		options.Exclude = exclude
		m, err := beziergp.FitRival(ctx, t, o.Target, o.chosen(), options)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	options := o.process(o.newWatch(s, "", t))
	options.Exclude = append(options.Exclude, exclude...)
	m, err := beziergp.Fit(ctx, t, o.Target, options)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// HoldsOut tells whether what learns holds rows out to choose by.
func (o *Options) HoldsOut() bool { return o.Method == methodBezier && o.Recipe == recipeAuto }

package laws

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/serve"
	"beziergp/table"
)

// Read reads the rows of a table that are asked for into memory, by the columns of a model.
func Read(ctx context.Context, s streams.Streams, m serve.Model, data string, o source.Options) (*table.Table, *source.Table, error) {
	if err := o.CheckSplit(); err != nil {
		return nil, nil, err
	}
	if o.Missing == nil {
		o.Missing = m.Missing()
	}
	t, err := source.Open(ctx, data, o, true, s, "reading", m.Columns())
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	if err := t.Select(names...); err != nil {
		return nil, nil, err
	}
	rows, err := t.ReadAll(ctx)
	s.Console.EndProgress()
	if err == nil && rows.Rows() == 0 {
		err = exit.Dataf("%s: there are no rows", source.Name(data))
	}
	return rows, t, err
}

// Outside warns of rows outside the box.
func Outside(s streams.Streams, r *analysis.Rows) {
	if n := r.Outside(); n > 0 {
		s.Console.Warn(fmt.Sprintf("%d of %d rows lie outside what the model knows: they are moved to the nearest bound, or unknown levels taken as rare or missing", n, r.Len()),
			slog.String("event", "outside_box"), slog.Int("rows", n))
	}
}

// Located gives an error about a row its place in the file.
func Located(ctx context.Context, t *source.Table, err error) error {
	var row box.RowError
	if errors.As(err, &row) {
		return t.Locate(ctx, err)
	}
	return err
}

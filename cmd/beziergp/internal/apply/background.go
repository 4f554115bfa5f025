package apply

import (
	"context"

	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/serve"
	"beziergp/table"
)

// Background reads the table that rows are explained against; nil where path is empty.
func Background(ctx context.Context, s streams.Streams, m serve.Model, path string, o source.Options) (*table.Table, error) {
	if path == "" {
		return nil, nil
	}
	how := source.Options{Missing: o.Missing}
	if how.Missing == nil {
		how.Missing = m.Missing()
	}
	t, err := source.Open(ctx, path, how, true, s, "", m.Columns())
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	if err := t.Select(names...); err != nil {
		return nil, err
	}
	return t.ReadAll(ctx)
}

package describe

import (
	"context"
	"fmt"
	"slices"

	"beziergp/cmd/beziergp/internal/alike"
	"beziergp/cmd/beziergp/internal/sink"
	"beziergp/cmd/beziergp/internal/source"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/tablefile"
)

// Run prints what is in the table data.
func Run(ctx context.Context, s streams.Streams, data string, o *Options) error {
	if err := o.Source.CheckSplit(); err != nil {
		return err
	}
	if err := sink.Apart(s.In, s.Out, o.Source.Reads(data)...); err != nil {
		return err
	}
	t, err := source.Open(ctx, data, o.Source, false, s, "reading", nil)
	if err != nil {
		return err
	}
	defer t.Close()
	if names := t.Names(); o.Target != "" && !slices.Contains(names, o.Target) {
		unknown := table.Unknown(o.Target, names)
		return &tablefile.Error{File: source.Name(data), Column: o.Target, Problem: "there is no such column",
			Remedy: unknown.Hint(), Err: unknown}
	}
	rows, err := t.ReadAll(ctx)
	if err != nil {
		return err
	}
	s.Console.EndProgress()
	d, err := describe(ctx, rows, o.Target)
	if err != nil {
		return err
	}
	d.File = source.Name(data)
	if !o.JSON {
		return d.print(s.Out)
	}
	encoder := printable.Encoder(s.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}

// description is what describe prints; programs rely on the names.
type description struct {
	File     string    `json:"file"`
	Rows     int       `json:"rows"`
	Columns  []column  `json:"columns"`
	Warnings []warning `json:"warnings"`
}

type warning struct {
	Column string `json:"column"`
	About  string `json:"about"`
	Text   string `json:"text"`
}

// describe looks at every column, and at every one beside the target.
func describe(ctx context.Context, t *table.Table, target string) (*description, error) {
	d := &description{Rows: t.Rows(), Warnings: []warning{}}
	var y []float64
	if field, ok := t.Field(target); ok && field.Kind != table.Category && field.Kind != table.DateTime {
		y, _ = t.Column(target)
	}
	if field, ok := t.Field(target); ok && y == nil {
		d.Warnings = append(d.Warnings, warning{field.Name, "target", fmt.Sprintf("is a %s: fit learns a number", field.Kind)})
	}
	for _, name := range t.Names() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		field, _ := t.Field(name)
		values, _ := t.Column(name)
		c, sorted := newColumn(field, values)
		d.Columns = append(d.Columns, c)
		if about, text := remark(c, sorted, len(values)); about != "" {
			d.Warnings = append(d.Warnings, warning{name, about, text})
		}
		if y != nil && name != target {
			if text := leak(field, values, y); text != "" {
				d.Warnings = append(d.Warnings, warning{name, "leak", text})
			}
		}
	}
	if y != nil {
		for _, c := range alike.Find(t, target) {
			d.Warnings = append(d.Warnings, warning{c.Name, "near copies", c.Text()})
		}
	}
	return d, nil
}

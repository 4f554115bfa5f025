package tablefile

import (
	"context"
	"slices"

	"beziergp/table"
)

// datedBody is the rows of a file that has parts of dates: behind its columns stand those that
// the parts make.
type datedBody struct {
	body
	dates []table.Field
	inner []plan  // those of the columns that are asked for, with parts in the place of dates
	parts [][]int // of a plan of a date, where those of its parts are among these; else nil
}

// withDates returns a body with the fields of a schema that are dates whose parts it has.
func withDates(b body, schema []table.Field) body {
	names := b.names()
	dates := slices.DeleteFunc(slices.Clone(schema), func(f table.Field) bool {
		return f.Parts == nil || slices.ContainsFunc(f.Parts, func(part string) bool { return !slices.Contains(names, part) })
	})
	if len(dates) == 0 {
		return b
	}
	return &datedBody{body: b, dates: dates}
}

// isDate tells whether a column is made of parts of the file.
func (r *Reader) isDate(name string) bool {
	b, ok := r.body.(*datedBody)
	return ok && slices.ContainsFunc(b.dates, func(f table.Field) bool { return f.Name == name })
}

// lacks returns the part of a date of the schema that the file lacks, where it cannot be read
// as a column of its own name either; or nothing.
func (r *Reader) lacks(name string) string {
	i := slices.IndexFunc(r.options.Schema, func(f table.Field) bool { return f.Name == name })
	if i < 0 || r.options.Schema[i].Parts == nil || r.isDate(name) {
		return ""
	}
	parts := r.options.Schema[i].Parts
	has := func(part string) bool { return r.known[part] }
	if r.known[name] && !slices.ContainsFunc(parts, has) {
		return ""
	}
	return parts[slices.IndexFunc(parts, func(part string) bool { return !has(part) })]
}

// names returns those of the file and, behind them, those of the dates.
func (d *datedBody) names() []string {
	names := slices.Clone(d.body.names())
	for _, f := range d.dates {
		names = append(names, f.Name)
	}
	return names
}

func (d *datedBody) look(ctx context.Context, plans []plan) (*block, error) {
	b, err := d.body.look(ctx, d.expand(plans))
	if err != nil {
		return nil, err
	}
	return d.join(b), nil
}

func (d *datedBody) next(ctx context.Context, plans []plan) ([]*block, error) {
	blocks, err := d.body.next(ctx, d.expand(plans))
	for _, b := range blocks {
		d.join(b)
	}
	return blocks, err
}

func (d *datedBody) shorten(i, rows int, plans []plan) *block {
	return d.join(d.body.shorten(i, rows, d.expand(plans)))
}

// expand returns the plans with the first part in the place of a date, and its others behind
// them all.
func (d *datedBody) expand(plans []plan) []plan {
	names := d.body.names()
	d.inner, d.parts = append(d.inner[:0], plans...), make([][]int, len(plans))
	for k, p := range plans {
		if p.index < len(names) {
			continue
		}
		for i, part := range d.dates[p.index-len(names)].Parts {
			own := planFor(part, table.Field{Name: part})
			own.missing, own.index = p.missing, slices.Index(names, part)
			at := k
			if i == 0 {
				d.inner[k] = own
			} else {
				at = len(d.inner)
				d.inner = append(d.inner, own)
			}
			d.parts[k] = append(d.parts[k], at)
		}
	}
	return d.inner
}

// join writes dates over their first parts. A cell that is no number is the date's fault.
func (d *datedBody) join(b *block) *block {
	for k, at := range d.parts {
		if at == nil {
			continue
		}
		var first *place
		values := make([][]float64, len(at))
		for i, j := range at {
			c := &b.columns[j]
			if values[i] = c.values; c.fault != nil && (first == nil || c.fault.row < first.row) {
				first = c.fault
				first.column = d.inner[j].name
			}
			c.fault = nil
		}
		table.Dates(b.columns[k].values, values)
		b.columns[k].fault = first
	}
	return b
}

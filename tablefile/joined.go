package tablefile

import (
	"context"
	"slices"

	"beziergp/table"
)

// joinedBody is the rows of a file that has parts of fields of a schema: behind its columns stand those that
// the parts make.
type joinedBody struct {
	body
	fields  []table.Field
	joiners []table.Joiner
	from    [][]int // of a field, the columns of the file that are its parts
	inner   []plan  // those of the columns that are asked for, with parts in the place of fields
	parts   [][]int // of a plan of a field, where those of its parts are among these; else nil
}

// withJoined returns a body with the fields of a schema whose parts it has.
func withJoined(b body, schema []table.Field) body {
	places := make(map[string]int)
	for j, name := range b.names() {
		places[name] = j
	}
	has := func(part string) bool { _, ok := places[part]; return ok }
	d := &joinedBody{body: b}
	for _, f := range schema {
		if f.Parts == nil || slices.ContainsFunc(f.Parts, func(part string) bool { return !has(part) }) {
			continue
		}
		var from []int
		for _, part := range f.Parts {
			from = append(from, places[part])
		}
		d.fields, d.joiners, d.from = append(d.fields, f), append(d.joiners, table.NewJoiner(f)), append(d.from, from)
	}
	if d.fields == nil {
		return b
	}
	return d
}

// isJoined tells whether a column is made of parts of the file.
func (r *Reader) isJoined(name string) bool {
	b, ok := r.body.(*joinedBody)
	return ok && slices.ContainsFunc(b.fields, func(f table.Field) bool { return f.Name == name })
}

// lacks returns the part of a field of the schema that the file lacks, where it cannot be read
// as a column of its own name either; or nothing.
func (r *Reader) lacks(name string) string {
	i := slices.IndexFunc(r.options.Schema, func(f table.Field) bool { return f.Name == name })
	if i < 0 || r.options.Schema[i].Parts == nil || r.isJoined(name) {
		return ""
	}
	parts := r.options.Schema[i].Parts
	has := func(part string) bool { return r.known[part] }
	if r.known[name] && !slices.ContainsFunc(parts, has) {
		return ""
	}
	return parts[slices.IndexFunc(parts, func(part string) bool { return !has(part) })]
}

// names returns those of the file and, behind them, those of the fields.
func (d *joinedBody) names() []string {
	names := slices.Clone(d.body.names())
	for _, f := range d.fields {
		names = append(names, f.Name)
	}
	return names
}

func (d *joinedBody) look(ctx context.Context, plans []plan) (*block, error) {
	b, err := d.body.look(ctx, d.expand(plans))
	if err != nil {
		return nil, err
	}
	return d.join(plans, b), nil
}

func (d *joinedBody) next(ctx context.Context, plans []plan) ([]*block, error) {
	blocks, err := d.body.next(ctx, d.expand(plans))
	for _, b := range blocks {
		d.join(plans, b)
	}
	return blocks, err
}

func (d *joinedBody) shorten(i, rows int, plans []plan) *block {
	return d.join(plans, d.body.shorten(i, rows, d.expand(plans)))
}

// field returns which of the fields a plan reads, or −1.
func (d *joinedBody) field(p plan) int { return max(p.index-len(d.body.names()), -1) }

// expand returns the plans with the first part in the place of a field, and its others behind
// them all.
func (d *joinedBody) expand(plans []plan) []plan {
	names := d.body.names()
	d.inner, d.parts = append(d.inner[:0], plans...), make([][]int, len(plans))
	for k, p := range plans {
		own := d.field(p)
		if own < 0 {
			continue
		}
		for i, j := range d.from[own] {
			part := planFor(names[j], table.Field{Name: names[j], Kind: d.fields[own].PartKind()})
			part.missing, part.index = p.missing, j
			at := k
			if i == 0 {
				d.inner[k] = part
			} else {
				at = len(d.inner)
				d.inner = append(d.inner, part)
			}
			d.parts[k] = append(d.parts[k], at)
		}
	}
	return d.inner
}

// join writes a field's values over those of its first part. A cell that is none of a part is the field's fault.
func (d *joinedBody) join(plans []plan, b *block) *block {
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
		d.joiners[d.field(plans[k])].JoinAll(b.columns[k].values, values)
		b.columns[k].fault = first
	}
	return b
}

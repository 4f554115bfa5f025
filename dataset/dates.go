package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/table"
	"beziergp/tablecache"
)

// dated returns the rows with a date-time more, if columns of numbers among the inputs are the
// parts of one in every row ([table.FindDate], [table.Date]), and the inputs with it in their
// place: trends, days of the year and weekdays lie along it, and not along its parts.
func (o Options) dated(ctx context.Context, rows blocks, inputs []string) (blocks, []string, error) {
	field, ok := o.date(rows.Fields(), inputs)
	if !ok {
		return rows, inputs, nil
	}
	more, err := withDate(ctx, rows, field)
	if errors.Is(err, errNoDate) {
		return rows, inputs, nil
	}
	own := slices.Clone(inputs)
	own[slices.IndexFunc(own, field.HasPart)] = field.Name
	return more, slices.DeleteFunc(own, field.HasPart), err
}

// date returns the field of a date whose parts are inputs by their names, but for those that
// stay as they are and for those with bounds.
func (o Options) date(fields []table.Field, inputs []string) (table.Field, bool) {
	parts := table.FindDate(slices.DeleteFunc(slices.Clone(fields), func(f table.Field) bool {
		_, bounded := o.Bounds[f.Name]
		return bounded || slices.Contains(o.Plain, f.Name) || !slices.Contains(inputs, f.Name)
	}))
	name := "date"
	for n := 2; slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == name }); n++ {
		name = fmt.Sprintf("date (%d)", n)
	}
	return table.Field{Name: name, Kind: table.DateTime, Parts: parts}, parts != nil
}

var errNoDate = errors.New("the parts are no date in some row")

// withDate returns the rows with a date-time behind their columns. It fails with errNoDate where
// the parts of a row are none.
func withDate(ctx context.Context, rows blocks, date table.Field) (blocks, error) {
	sample, err := rows.Sample().WithDate(date)
	if err != nil {
		return nil, err
	}
	if m, ok := rows.(*memory); ok {
		own := newMemory(sample)
		own.all, own.places = m.all, m.places
		if own.Summary(len(m.fields)).Missing > 0 {
			return nil, errNoDate
		}
		return own, nil
	}
	d := &datedRows{blocks: rows, fields: append(slices.Clone(rows.Fields()), date), sample: sample, summary: tablecache.Summary{Lo: math.Inf(1), Hi: math.Inf(-1)}}
	for _, part := range date.Parts {
		d.from = append(d.from, slices.IndexFunc(rows.Fields(), func(f table.Field) bool { return f.Name == part }))
	}
	return d, values(ctx, d, len(d.fields)-1, func(dates []float64) error {
		for _, v := range dates {
			if v != v {
				return errNoDate
			}
			d.summary.Lo, d.summary.Hi = min(d.summary.Lo, v), max(d.summary.Hi, v)
		}
		return nil
	})
}

// datedRows are rows of a cache with a date-time behind their columns.
type datedRows struct {
	blocks
	fields  []table.Field
	from    []int // columns that are its parts
	summary tablecache.Summary
	sample  *table.Table
}

func (d *datedRows) Fields() []table.Field { return d.fields }

func (d *datedRows) Sample() *table.Table { return d.sample }

func (d *datedRows) Summary(column int) tablecache.Summary {
	if column == len(d.fields)-1 {
		return d.summary
	}
	return d.blocks.Summary(column)
}

func (d *datedRows) Read(block int, b *tablecache.Buffer) (int, error) {
	var dates []float64
	if behind := len(d.fields) - 1; len(b.Columns) > behind { // of the block before
		dates, b.Columns = b.Columns[behind], b.Columns[:behind]
	}
	n, err := d.blocks.Read(block, b)
	if err != nil {
		return 0, err
	}
	parts := make([][]float64, len(d.from))
	for k, j := range d.from {
		parts[k] = b.Columns[j]
	}
	if cap(dates) < n {
		dates = make([]float64, n)
	}
	table.Dates(dates[:n], parts)
	b.Columns = append(b.Columns, dates[:n])
	return n, nil
}

func (d *datedRows) ReadColumn(block, column int, dst []float64) (n int, err error) {
	if column < len(d.fields)-1 {
		return d.blocks.ReadColumn(block, column, dst)
	}
	parts := make([][]float64, len(d.from))
	for k, j := range d.from {
		parts[k] = make([]float64, d.BlockRows())
		if n, err = d.blocks.ReadColumn(block, j, parts[k]); err != nil {
			return 0, err
		}
	}
	table.Dates(dst[:n], parts)
	return n, nil
}

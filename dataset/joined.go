package dataset

import (
	"context"
	"errors"
	"slices"

	"beziergp/table"
	"beziergp/tablecache"
)

// joined returns the rows with further columns that inputs make in every row, and the inputs with these in the
// place of their parts: a date-time of year, month and day ([table.Table.FindDate]), for trends, days of the
// year and weekdays lie along it, and categories of one-hot columns ([table.Table.FindOneHot]), for a level
// then is one function of one input.
func (o Options) joined(ctx context.Context, rows blocks, inputs []string) (blocks, []string, error) {
	fields := o.inParts(rows.Sample(), inputs)
	if fields == nil {
		return rows, inputs, nil
	}
	all, err := withJoined(rows, fields)
	if err != nil {
		return nil, nil, err
	}
	var kept []table.Field
	var summaries []tablecache.Summary
	for k, f := range fields {
		s, err := summarize(ctx, all, len(rows.Fields())+k, f)
		if err == errFails {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		kept, summaries = append(kept, f), append(summaries, s)
	}
	if all, err = withJoined(rows, kept); err != nil {
		return nil, nil, err
	}
	if d, ok := all.(*joinedRows); ok {
		d.summaries = summaries
	}
	inputs = slices.Clone(inputs)
	for _, f := range kept {
		inputs[slices.IndexFunc(inputs, f.HasPart)] = f.Name
		inputs = slices.DeleteFunc(inputs, f.HasPart)
	}
	return all, inputs, nil
}

// inParts returns the fields that some of the inputs make, but for inputs that stay as they are and for those with
// bounds. They are those of a sample of the rows.
func (o Options) inParts(sample *table.Table, inputs []string) []table.Field {
	var free, kept []string
	for _, name := range inputs {
		if _, bounded := o.Bounds[name]; bounded || slices.Contains(o.Plain, name) {
			kept = append(kept, name)
		} else {
			free = append(free, name)
		}
	}
	return sample.FindJoined(free, kept)
}

var errFails = errors.New("the parts make no value in some row")

// summarize returns the summary of a column that parts make. It fails with errFails where those of a row make none.
func summarize(ctx context.Context, rows blocks, column int, f table.Field) (tablecache.Summary, error) {
	s := tablecache.NewSummary()
	err := values(ctx, rows, column, func(part []float64) error {
		if slices.ContainsFunc(part, f.Fails) {
			return errFails
		}
		s.Add(part, f.Kind == table.Category)
		return nil
	})
	return s, err
}

// withJoined returns the rows with fields that have parts behind their columns.
func withJoined(rows blocks, fields []table.Field) (blocks, error) {
	if len(fields) == 0 {
		return rows, nil
	}
	sample, err := rows.Sample().WithJoined(fields...)
	if err != nil {
		return nil, err
	}
	if m, ok := rows.(*memory); ok {
		own := newMemory(sample)
		own.all, own.places = m.all, m.places
		return own, nil
	}
	d := &joinedRows{blocks: rows, fields: append(slices.Clone(rows.Fields()), fields...), sample: sample}
	for _, f := range fields {
		var from []int
		for _, part := range f.Parts {
			from = append(from, slices.IndexFunc(rows.Fields(), func(f table.Field) bool { return f.Name == part }))
		}
		d.from, d.joiners = append(d.from, from), append(d.joiners, table.NewJoiner(f))
	}
	return d, nil
}

// joinedRows are rows of a cache with columns behind theirs that some of these make.
type joinedRows struct {
	blocks
	fields    []table.Field
	from      [][]int // of every further column, those that are its parts
	joiners   []table.Joiner
	summaries []tablecache.Summary
	sample    *table.Table
}

func (d *joinedRows) Fields() []table.Field { return d.fields }

func (d *joinedRows) Sample() *table.Table { return d.sample }

func (d *joinedRows) Summary(column int) tablecache.Summary {
	if own := column - d.stored(); own >= 0 {
		return d.summaries[own]
	}
	return d.blocks.Summary(column)
}

// stored returns the number of columns of the cache.
func (d *joinedRows) stored() int { return len(d.fields) - len(d.from) }

func (d *joinedRows) Read(block int, b *tablecache.Buffer) (int, error) {
	stored := d.stored()
	own := make([][]float64, len(d.from))
	if len(b.Columns) > stored { // of the block before
		copy(own, b.Columns[stored:])
		b.Columns = b.Columns[:stored]
	}
	n, err := d.blocks.Read(block, b)
	if err != nil {
		return 0, err
	}
	for k, from := range d.from {
		if cap(own[k]) < n {
			own[k] = make([]float64, n)
		}
		parts := make([][]float64, len(from))
		for i, j := range from {
			parts[i] = b.Columns[j]
		}
		d.joiners[k].JoinAll(own[k][:n], parts)
		b.Columns = append(b.Columns, own[k][:n])
	}
	return n, nil
}

func (d *joinedRows) ReadColumn(block, column int, dst []float64) (n int, err error) {
	own := column - d.stored()
	if own < 0 {
		return d.blocks.ReadColumn(block, column, dst)
	}
	parts := make([][]float64, len(d.from[own]))
	for i, j := range d.from[own] {
		parts[i] = make([]float64, d.BlockRows())
		if n, err = d.blocks.ReadColumn(block, j, parts[i]); err != nil {
			return 0, err
		}
	}
	d.joiners[own].JoinAll(dst[:n], parts)
	return n, nil
}

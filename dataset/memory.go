package dataset

import (
	"slices"

	"beziergp/box"
	"beziergp/table"
	"beziergp/tablecache"
)

// memory is rows in memory as blocks.
type memory struct {
	table   *table.Table
	fields  []table.Field
	columns [][]float64
	all     int   // rows of the table that they are from
	places  []int // their rows there, counted from 1; nil for the same
}

// memoryRows is the number of rows of a block: they stay in a processor's cache while one
// input after the other is written.
const memoryRows = 1 << 12

func newMemory(t *table.Table) *memory {
	m := &memory{table: t, all: t.Rows()}
	for _, name := range t.Names() {
		f, _ := t.Field(name)
		values, _ := t.Column(name)
		m.fields, m.columns = append(m.fields, f), append(m.columns, values)
	}
	return m
}

// keep returns those of the rows that can be learned from, which have all targets, or some; they
// are copied if they are not all.
func (m *memory) keep(c columns, some bool) (*memory, error) {
	mask, kept := make([]bool, m.all), 0
	all := make([]float64, len(c.targets))
	for i := range mask {
		y := all
		for k, j := range c.targets {
			y[k] = m.columns[j][i]
		}
		if i := slices.IndexFunc(y, func(v float64) bool { return v == v }); some && i >= 0 {
			y = y[:copy(y, y[i:i+1])] // one is enough
		}
		var weight *float64
		if c.weights >= 0 {
			weight = &m.columns[c.weights][i]
		}
		var err error
		if mask[i], err = Keeps(weight, y...); err != nil {
			at := err.(box.RowError).At()
			at.Row, at.Column = i+1, m.fields[c.weights].Name
			return nil, err
		}
		if mask[i] {
			kept++
		}
	}
	if kept == m.all {
		return m, nil
	}
	return m.filter(mask), nil
}

// filter returns the rows that a mask marks.
func (m *memory) filter(mask []bool) *memory {
	out := newMemory(m.table.Filter(mask))
	out.all = m.all
	for i, keeps := range mask {
		if keeps {
			out.places = append(out.places, m.place(i+1))
		}
	}
	return out
}

// place returns the row of the table that is the k-th of these, both counted from 1.
func (m *memory) place(k int) int {
	if m.places == nil || k < 1 || k > len(m.places) {
		return k
	}
	return m.places[k-1]
}

func (m *memory) Fields() []table.Field { return m.fields }

func (m *memory) Rows() int { return m.table.Rows() }

func (m *memory) Dropped() int { return m.all - m.Rows() }

func (m *memory) Blocks() int { return (m.Rows() + memoryRows - 1) / memoryRows }

func (m *memory) BlockRows() int { return memoryRows }

// Read points the buffer at the rows of a block.
func (m *memory) Read(block int, b *tablecache.Buffer) (int, error) {
	from := block * memoryRows
	to := min(from+memoryRows, m.Rows())
	b.Columns = b.Columns[:0]
	for _, values := range m.columns {
		b.Columns = append(b.Columns, values[from:to])
	}
	return to - from, nil
}

// ReadColumn copies a column of a block.
func (m *memory) ReadColumn(block, column int, dst []float64) (int, error) {
	from := block * memoryRows
	return copy(dst, m.columns[column][from:min(from+memoryRows, m.Rows())]), nil
}

func (m *memory) Sample() *table.Table { return m.table }

func (m *memory) Summary(column int) tablecache.Summary {
	return tablecache.Summarize(m.columns[column], m.fields[column].Kind == table.Category)
}

package tablefile

import (
	"math"
	"unicode/utf8"

	"beziergp/table"
	"beziergp/table/exact"
)

// Keep has [Reader.Next] read columns as they stand besides those that are selected, which
// may be the same: [Reader.Kept] has them. Those that it does not name it reads as before.
// It fails as [Reader.Select] does, and panics once rows were read.
func (r *Reader) Keep(names ...string) error {
	if r.plans != nil {
		panic(errBegun)
	}
	for _, name := range names {
		if err := r.has(name); err != nil {
			return err
		}
	}
	r.keeps = names
	r.kept = make([]exact.Column, len(names))
	return nil
}

// KeepOnly has these columns kept and none selected: rows are read by [Reader.NextKept].
func (r *Reader) KeepOnly(names ...string) error {
	err := r.Keep(names...)
	r.selected = nil
	return err
}

// NextKept reads up to most rows of the columns to keep, as [Reader.Next] does.
func (r *Reader) NextKept(most int) (int, error) { return r.next(nil, most) }

// Typed tells whether the file that is read has types of its own.
func (r *Reader) Typed() bool {
	b := r.body
	if joined, ok := b.(*joinedBody); ok {
		b = joined.body
	}
	_, typed := b.(*typedBody)
	return typed
}

// Kept returns the columns of [Reader.Keep] for the rows that the last [Reader.Next] has
// returned; the next one overwrites them. Those of text files are texts, of which those that
// say that there is no value are missing; others have the types that the file has. A
// column's kind is the same for all rows.
func (r *Reader) Kept() []exact.Column { return r.kept }

// keep takes rows of queue[0] over, from r.at on.
func (r *Reader) keep(rows int) error {
	for k := range r.kept {
		to, from := &r.kept[k], &r.queue[0].columns[len(r.selected)+k].kept
		if r.rows == 0 && r.at == 0 {
			to.Reset(from.Kind)
		}
		if to.Kind != from.Kind {
			return &Error{File: r.fileName(), Column: r.keeps[k], Problem: "its values are of another type here than in the rows before",
				Remedy: "write the files with one type a column, or do not keep it"}
		}
		to.Append(from, r.at, r.at+rows)
	}
	return nil
}

// addKept reads a cell of keepForm.
func (c *cells) addKept(p *plan, text []byte, at place) {
	if !utf8.Valid(text) && c.fault == nil {
		at.text = string(text)
		c.fault = &at
	}
	c.kept.AddText(string(text), p.missing.Missing(table.Category, text))
}

// keepAll reads the cells of a column with types.
func (c *cells) keepAll(k exact.Kind, from *typedCells, rows int) {
	c.kept.Reset(k)
	for i := range rows {
		switch {
		case k.Type == exact.Text:
			c.kept.AddText(from.Texts[i], from.Missing != nil && from.Missing[i])
		case k.Type == exact.Number:
			c.kept.AddNumber(from.Numbers[i])
		default:
			missing := math.IsNaN(from.Numbers[i])
			v, ok := from.integer(k, i)
			if !ok && !missing && c.fault == nil {
				c.fault = &place{row: i, text: string(from.appendText(nil, i))}
			}
			c.kept.AddInteger(v, missing)
		}
	}
}

// integer returns the whole number of a cell, and whether an int64 holds it.
func (c *typedCells) integer(k exact.Kind, i int) (v int64, ok bool) {
	f := c.Numbers[i]
	switch {
	case c.whole && f == f:
		v = c.Integers[i]
		return v, f < 1<<62 || v > 0 // those of no sign wrap round
	case k.Type == exact.Date:
		f = math.Floor(f / (24 * 60 * 60))
	case k.Type == exact.Time:
		f = math.Round(f * float64(k.PerSecond))
	}
	if !(f >= -1<<63 && f < 1<<63) {
		return 0, false
	}
	return int64(f), true
}

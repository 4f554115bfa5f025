package tablefile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"beziergp/table"
	"beziergp/table/cell"
)

// Part is the rows that one of several readers of a table reads: From ≤ j < To of all files,
// counted from 0. The others read the rest at the same time.
type Part struct {
	From, To int
	// Exchange sends a message to all readers, this one included, and returns theirs in the order
	// of their parts. It fails for all where one has failed.
	Exchange func(own []byte, failed error) ([][]byte, error)
}

// divisible is a source of which some rows can be read without those before them.
type divisible interface {
	Total() int64
	Narrow(from, to int64) // before the first Next
}

// Counts returns the number of rows of every file, and whether parts of them can be read.
func (r *Reader) Counts() (counts []int, ok bool) {
	if r.reopen != nil {
		return nil, false
	}
	for i, path := range r.files {
		b := r.body
		if i != r.file {
			var err error
			if b, err = openBody(path, r.options); err != nil {
				return nil, false // which reading tells
			}
			defer b.close()
		}
		t, typed := b.(*typedBody)
		if !typed {
			return nil, false
		}
		file, can := t.file.(divisible)
		if !can {
			return nil, false
		}
		counts = append(counts, int(file.Total()))
	}
	return counts, true
}

// ReadPart is [Reader.ReadOutOfCore] of a part of the rows, all of which go to out. What columns
// hold is told by the rows of all readers, who have to select the same columns. It panics unless
// [Reader.Counts] tells that parts can be read.
func (r *Reader) ReadPart(ctx context.Context, out *OutOfCore, part Part) (*Stored, error) {
	columns, err := r.ofPart(ctx, out, part)
	var own []byte
	if err == nil {
		own, err = said(columns)
	}
	all, err := part.Exchange(own, err)
	if err != nil {
		return nil, err
	}
	again, err := agreed(columns, all)
	if err != nil {
		return nil, err
	}
	if len(again) > 0 {
		second, err := r.second(r.selected)
		if _, failed := part.Exchange(nil, err); failed != nil {
			return nil, failed
		}
		defer second.Close()
		second.words, out.sink = again, nil
		return second.ReadPart(ctx, out, part)
	}
	stored, err := r.stored(columns, out)
	r.noteCollapses(columns)
	r.noteCodes(columns)
	_, err = part.Exchange(nil, err)
	return stored, err
}

// ofPart reads the rows of a part.
func (r *Reader) ofPart(ctx context.Context, out *OutOfCore, part Part) ([]column, error) {
	counts, ok := r.Counts()
	if !ok || r.plans != nil {
		panic(errBegun)
	}
	r.part, r.starts = &part, []int{0}
	for _, n := range counts {
		r.starts = append(r.starts, r.starts[len(r.starts)-1]+n)
	}
	r.plan(plan{form: guessForm})
	inferred := make([]bool, len(r.plans))
	for k, p := range r.plans {
		inferred[k] = p.form == guessForm
	}
	for r.file+1 < len(r.files) && r.starts[r.file+1] <= part.From {
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
	if r.file == 0 {
		r.narrow()
	}
	if err := r.guess(ctx, inferred); err != nil {
		return nil, err
	}
	columns, err := r.build(ctx, inferred, out)
	if err == nil {
		err = out.take(columns)
	}
	return columns, err
}

// narrow has of the present file those rows read that are of the part.
func (r *Reader) narrow() {
	from, to := max(r.part.From, r.starts[r.file]), min(r.part.To, r.starts[r.file+1])
	r.row = max(0, from-r.starts[r.file])
	b := r.body
	if joined, ok := b.(*joinedBody); ok {
		b = joined.body
	}
	b.(*typedBody).file.(divisible).Narrow(int64(r.row), int64(max(to-r.starts[r.file], r.row)))
}

// isLast tells whether no file is left to read.
func (r *Reader) isLast() bool {
	return r.file+1 == len(r.files) || r.part != nil && r.starts[r.file+1] >= r.part.To
}

// common is what the readers of all parts know of a column together.
type common struct {
	kind   table.Kind
	mixed  bool
	codes  *Codes   // nil for a column that is none of codes
	levels []string // of a category
}

// columnSaid is what a reader says of a column.
type columnSaid struct {
	Form  form         `json:"form"`
	Tally [classes]int `json:"tally"`
	Rows  int          `json:"rows"`
	Words [][]byte     `json:"words"`
	// Values is the number of different numbers, or of words where the cells are read as text.
	Values int `json:"values"`
}

func said(columns []column) ([]byte, error) {
	all := make([]columnSaid, len(columns))
	for k := range columns {
		c := &columns[k]
		all[k] = columnSaid{Form: c.plan.form, Tally: c.tally(), Rows: c.rows, Values: max(c.numbers.Len(), len(c.words))}
		for _, w := range c.words {
			all[k].Words = append(all[k].Words, []byte(w.text))
		}
	}
	return json.Marshal(all)
}

// agreed gives columns what all readers know of them, and returns the names of those that are to
// be read as text from the first row on: the same for all readers.
func agreed(columns []column, messages [][]byte) (again []string, err error) {
	all := make([][]columnSaid, len(messages))
	for i, message := range messages {
		if err := json.Unmarshal(message, &all[i]); err != nil || len(all[i]) != len(columns) {
			return nil, errors.Join(fmt.Errorf("the reader of part %d has selected other columns", i+1), err)
		}
	}
	for k := range columns {
		c := &columns[k]
		c.common = &common{kind: table.Category}
		var tally [classes]int
		for _, said := range all {
			for i, n := range said[k].Tally {
				tally[i] += n
			}
		}
		if c.inferred {
			c.common.kind, c.common.mixed = verdict(tally)
		}
		reread := c.agreeOnCodes(k, tally, all)
		if c.common.kind == table.Boolean && c.answersAlike(wordsOf(k, all)) {
			c.common.kind = table.Category
		}
		for _, said := range all {
			missing := said[k].Tally[missingClass] == said[k].Rows
			reread = reread || c.inferred && said[k].Form != wordForm && !missing && said[k].Form.kind() != c.common.kind
			if c.common.kind == table.Category {
				for _, text := range said[k].Words {
					c.common.levels = append(c.common.levels, cell.Level(string(text)))
				}
			}
		}
		slices.Sort(c.common.levels)
		c.common.levels = slices.Compact(c.common.levels)
		if reread {
			again = append(again, c.name())
		}
	}
	return again, nil
}

// agreeOnCodes gives column k what all readers know of its codes, if it has any, and tells whether
// its texts are needed for that.
func (c *column) agreeOnCodes(k int, tally [classes]int, all [][]columnSaid) (reread bool) {
	values := 0 // at least
	for _, said := range all {
		values = max(values, said[k].Values)
	}
	if !c.common.mixed || c.common.kind != table.Numeric || !mayBeCodes(tally, values) {
		return false
	}
	for _, said := range all {
		reread = reread || said[k].Form != wordForm
	}
	if codes := c.codes(tally, wordsOf(k, all)); !reread && codes != nil {
		c.common.kind, c.common.mixed, c.common.codes = table.Category, false, codes
	}
	return reread
}

// wordsOf returns the different words that readers have of column k, in order.
func wordsOf(k int, all [][]columnSaid) (words []string) {
	for _, said := range all {
		for _, text := range said[k].Words {
			words = append(words, string(text))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// endOfRows is what reading ends with. A part may have no row, and so may a file of several.
func (r *Reader) endOfRows() error {
	if r.rows == 0 && r.part == nil {
		return noRows(r.fileName())
	}
	return io.EOF
}

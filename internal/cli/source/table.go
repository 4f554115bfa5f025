package source

import (
	"context"
	"fmt"
	"io"

	"beziergp/internal/cli/console"
	"beziergp/internal/cli/streams"
	"beziergp/table"
	"beziergp/tablefile"
)

// Table reads the rows that were asked for, block by block. It must be closed.
type Table struct {
	file   string
	reader *tablefile.Reader
	mask   []bool // by row of the file; nil for all rows
	take   bool   // the mark of the rows to take
	limit  int    // of rows to take; 0 for none
	read   int    // rows of the file so far
	taken  int
}

// Open opens a table, "-" being standard input. marked says whether the rows to
// take are those that the mask marks or the others. task is what reading the table
// is called while it goes on.
func Open(ctx context.Context, path string, o Options, marked bool, s streams.Streams, task string) (*Table, error) {
	t := &Table{file: Name(path), take: marked, limit: o.Rows}
	if o.Mask.Path != "" {
		mask, err := tablefile.ReadMask(ctx, o.Mask.Path, o.Mask.Column, -1)
		if err != nil {
			return nil, err
		}
		t.mask = mask
	}
	reader, err := tablefile.Open(path, tablefile.Options{
		Stdin: interruptible(ctx, s.In),
		Progress: func(read, total int64) {
			if task != "" {
				s.Console.Update(console.State{Task: task, Done: read, Total: total, Unit: console.Bytes})
			}
		},
	})
	if err != nil {
		return nil, err
	}
	t.reader = reader
	return t, nil
}

// Name returns what a table's file is called in messages.
func Name(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// Names returns the names of all columns of the file.
func (t *Table) Names() []string { return t.reader.Names() }

// Select has only the named columns read, in that order. The others may hold
// anything.
func (t *Table) Select(names ...string) error { return t.reader.Select(names...) }

// Close closes the file.
func (t *Table) Close() error { return t.reader.Close() }

// Block returns memory for blocks of the selected columns, [columns, B].
func (t *Table) Block() [][]float64 {
	const most, values = 1 << 13, 1 << 22
	block := make([][]float64, len(t.reader.Selected()))
	rows := max(1, min(most, values/len(block)))
	for k := range block {
		block[k] = make([]float64, rows)
	}
	return block
}

// Next reads the next rows to take into dst, as [tablefile.Reader.Next] does, at
// least one unless it fails. At the end it returns [io.EOF], or what is wrong with
// the number of rows.
func (t *Table) Next(ctx context.Context, dst [][]float64) (int, error) {
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		full := t.limit > 0 && t.taken == t.limit
		if full && t.mask == nil {
			return 0, io.EOF
		}
		n, err := t.reader.Next(dst)
		if err == io.EOF {
			return 0, t.end()
		}
		if err != nil {
			return 0, err
		}
		if t.mask != nil && t.read+n > len(t.mask) {
			return 0, t.wrongMask("more")
		}
		// Where enough is taken, the rest is read to hold the mask against it.
		kept := 0
		if !full {
			kept = t.compact(dst, n)
		}
		t.read += n
		t.taken += kept
		if kept > 0 {
			return kept, nil
		}
	}
}

// compact moves the rows to take of a block of n to its beginning.
func (t *Table) compact(dst [][]float64, n int) int {
	kept := 0
	for i := range n {
		if t.limit > 0 && t.taken+kept == t.limit {
			break
		}
		if t.mask != nil && t.mask[t.read+i] != t.take {
			continue
		}
		for _, column := range dst {
			column[kept] = column[i]
		}
		kept++
	}
	return kept
}

// end returns io.EOF if the table had the rows that it ought to have.
func (t *Table) end() error {
	switch {
	case t.mask != nil && t.read < len(t.mask):
		return t.wrongMask(fmt.Sprint(t.read))
	case t.taken == 0: // the reader refuses a file without rows: it is the mask
		mark := map[bool]int{true: 1, false: 0}[t.take]
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask marks no row with %d", mark),
			Remedy: "0 marks the rows to train on, 1 those to test"}
	case t.taken < t.limit:
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("there are %d rows, fewer than the %d asked for", t.taken, t.limit),
			Remedy: "ask for fewer with --rows"}
	}
	return io.EOF
}

func (t *Table) wrongMask(rows string) error {
	return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask has %d rows, but the table has %s", len(t.mask), rows),
		Remedy: "give the mask that belongs to the table"}
}

// FileRow returns the row of the file, counted from 1, that was the k-th taken.
func (t *Table) FileRow(k int) int {
	if t.mask == nil {
		return k
	}
	for row, mark := range t.mask {
		if mark == t.take {
			k--
		}
		if k == 0 {
			return row + 1
		}
	}
	return 0
}

// ReadAll returns the rows to take as a table in memory.
func (t *Table) ReadAll(ctx context.Context) (*table.Table, error) {
	columns := make([]table.Column, len(t.reader.Selected()))
	for k, name := range t.reader.Selected() {
		columns[k].Name = name
	}
	block := t.Block()
	for {
		n, err := t.Next(ctx, block)
		if err == io.EOF {
			return table.New(columns...)
		}
		if err != nil {
			return nil, err
		}
		for k := range columns {
			columns[k].Values = append(columns[k].Values, block[k][:n]...)
		}
	}
}

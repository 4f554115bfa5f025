package source

import (
	"context"
	"fmt"
	"io"
	"os"

	"beziergp/tablefile"
)

// mostRows is how many rows a block has at most.
const mostRows = 1 << 13

// Block returns memory for blocks of the selected columns, [columns, B].
func (t *Table) Block() [][]float64 {
	const values = 1 << 22
	block := make([][]float64, len(t.reader.Selected()))
	rows := max(1, min(mostRows, values/len(block)))
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
		if full && !t.chooses() {
			return 0, io.EOF
		}
		t.rows = t.rows[:0]
		n, err := t.nextOfFile(dst)
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
		for k := range t.reader.Kept() {
			t.reader.Kept()[k].Cut(kept)
		}
		t.read += n
		t.taken += kept
		if kept > 0 {
			return kept, nil
		}
	}
}

// nextOfFile reads the next rows, taken or not.
func (t *Table) nextOfFile(dst [][]float64) (int, error) {
	if len(dst) == 0 { // nothing is selected
		return t.reader.NextKept(mostRows)
	}
	return t.reader.Next(dst)
}

// compact moves the rows to take of a block of n to its beginning.
func (t *Table) compact(dst [][]float64, n int) int {
	kept, columns := 0, t.reader.Kept()
	for i := range n {
		if t.limit > 0 && t.taken+kept == t.limit {
			break
		}
		if !t.takes(t.read + i) {
			continue
		}
		for _, column := range dst {
			column[kept] = column[i]
		}
		for k := range columns {
			columns[k].Move(kept, i)
		}
		t.rows = append(t.rows, int64(t.read+i+1))
		kept++
	}
	return kept
}

// end returns io.EOF if the table had the rows that it ought to have.
func (t *Table) end() error {
	switch {
	case t.mask != nil && t.read < len(t.mask):
		return t.wrongMask(fmt.Sprint(t.read))
	case t.taken == 0 && t.options.Holdout > 0: // the reader refuses a file without rows
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("a share of %g of %d rows leaves none on one side", t.options.Holdout, t.read),
			Remedy: "hold out another share"}
	case t.taken == 0:
		mark := map[bool]int{true: 1, false: 0}[t.take]
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask marks no row with %d", mark),
			Remedy: "0 marks the rows to train on, 1 those to test"}
	case t.taken < t.limit:
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("there are %d rows, fewer than the %d asked for", t.taken, t.limit),
			Remedy: "ask for fewer with --rows"}
	case t.marked != nil && !t.asMarked():
		return &tablefile.Error{File: t.file, Problem: "the table changed after its mask was read", Remedy: "read it again when it is complete"}
	}
	return io.EOF
}

// asMarked tells whether the file seems to be what it was when the mask was read from it,
// which takes no longer than reading it twice.
func (t *Table) asMarked() bool {
	now, err := os.Stat(t.path)
	return err == nil && os.SameFile(now, t.marked) && now.Size() == t.marked.Size() && now.ModTime().Equal(t.marked.ModTime())
}

func (t *Table) wrongMask(rows string) error {
	if t.by != "" {
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("it had %d rows when they were split by --%s, and has %s now", len(t.mask), t.by, rows),
			Remedy: "read it again when it is complete"}
	}
	return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask has %d rows, but the table has %s", len(t.mask), rows),
		Remedy: "give the mask that belongs to the table"}
}

// Read returns how many rows of the file were read, taken or not.
func (t *Table) Read() int { return t.read }

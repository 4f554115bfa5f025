//go:build !lean && !wasm

package tablefile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"beziergp/table/exact"
)

// arrowRows reads Arrow's record batches, of a file or a stream, block by block. It holds
// a batch and a block.
type arrowRows struct {
	encoded
	batches  arrowBatches
	fields   []arrow.Field
	selected []int
	keep     []int
	batch    arrow.RecordBatch // the one at hand, or nil
	at       int64             // the next row of it
	cells    []typedCells
	rows     int64
}

// arrowBatches are the batches of a file or a stream.
type arrowBatches interface {
	schema() *arrow.Schema
	// next returns the next batch, which the caller releases, or io.EOF.
	next() (arrow.RecordBatch, error)
	// progress returns how many bytes of all have been read.
	progress() (done int64)
	close() error
}

func newArrowRows(e encoded, batches arrowBatches) *arrowRows {
	a := &arrowRows{encoded: e, batches: batches, fields: batches.schema().Fields()}
	for j := range a.fields {
		a.selected = append(a.selected, j)
	}
	return a
}

// Names returns the names of the columns.
func (a *arrowRows) Names() []string {
	names := make([]string, len(a.fields))
	for j, f := range a.fields {
		names[j] = f.Name
	}
	return names
}

// Select has only these columns converted.
func (a *arrowRows) Select(columns []int) error {
	var aliens []alien
	for _, j := range columns {
		f := a.fields[j]
		if _, ok := arrowKind(f.Type); !ok {
			aliens = append(aliens, alien{f.Name, f.Type.String()})
		}
	}
	if err := typeError(a.name, aliens, convertType); err != nil {
		return err
	}
	a.selected = columns
	return nil
}

// Keep has whole numbers of these columns converted.
func (a *arrowRows) Keep(columns []int) { a.keep = columns }

// Kind returns the kind of a column.
func (a *arrowRows) Kind(column int) exact.Kind { return exactArrow(a.fields[column].Type) }

// Next converts the next block, which is within a batch.
func (a *arrowRows) Next(ctx context.Context) (cells []typedCells, n int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if a.cells == nil {
		if err := a.Select(a.selected); err != nil {
			return nil, 0, err
		}
		a.cells = make([]typedCells, len(a.selected))
		for k, j := range a.selected {
			a.cells[k].keep = slices.Contains(a.keep, j)
		}
	}
	err = a.try(func() error {
		if err := a.nextBatch(); err != nil {
			return err
		}
		n = int(min(a.batch.NumRows()-a.at, typedRows(len(a.selected))))
		return a.convert(n)
	})
	if err != nil {
		return nil, 0, err
	}
	a.rows, a.at = a.rows+int64(n), a.at+int64(n)
	return a.cells, n, nil
}

// nextBatch sees to it that there is a batch at hand with rows left.
func (a *arrowRows) nextBatch() error {
	for a.batch == nil || a.at == a.batch.NumRows() {
		a.drop()
		batch, err := a.batches.next()
		switch {
		case err == io.EOF:
			return io.EOF
		case err != nil:
			return a.damage(fmt.Errorf("after row %d: %w", a.rows, err))
		}
		a.batch, a.at = batch, 0
	}
	return nil
}

func (a *arrowRows) convert(n int) error {
	for k, j := range a.selected {
		column, cells := a.batch.Column(j), &a.cells[k]
		if int64(column.Len()) != a.batch.NumRows() {
			return a.damage(fmt.Errorf("column %q has %d of %d rows", a.fields[j].Name, column.Len(), a.batch.NumRows()))
		}
		kind, _ := arrowKind(a.fields[j].Type)
		cells.resize(kind, n)
		part := array.NewSlice(column, a.at, a.at+int64(n))
		err := fillArrow(cells, 0, part)
		part.Release()
		if err != nil {
			e := a.damage(err)
			e.Column = a.fields[j].Name
			return e
		}
		if i := cells.infinite(); i >= 0 {
			return infiniteError(a.name, a.fields[j].Name, a.rows+int64(i)+1, cells.Numbers[i])
		}
	}
	return nil
}

// Progress counts the bytes that are read.
func (a *arrowRows) Progress() (done, total int64) { return min(a.batches.progress(), a.size), a.size }

// More returns the rows that are left of the batch at hand.
func (a *arrowRows) More() int {
	if a.batch == nil {
		return 0
	}
	return int(a.batch.NumRows() - a.at)
}

func (a *arrowRows) drop() {
	if a.batch != nil {
		a.batch.Release()
		a.batch = nil
	}
}

// Close releases what is at hand and closes what it is read from.
func (a *arrowRows) Close() error {
	_ = a.try(func() error { a.drop(); return nil })
	return a.batches.close()
}

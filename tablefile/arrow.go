//go:build !lean && !wasm

package tablefile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"beziergp/table/exact"
)

// arrowFile reads an Arrow IPC file, also called Feather, batch by batch.
// It holds a batch and a block.
type arrowFile struct {
	*binaryFile
	reader   *ipc.FileReader
	fields   []arrow.Field
	selected []int
	keep     []int
	batch    arrow.RecordBatch // the one at hand, or nil
	next     int               // the number of the one behind it
	at       int64             // the next row of the one at hand
	cells    []typedCells
	rows     int64
}

func openArrow(path string) (typed, error) {
	f, err := openBinary(path, "Arrow")
	if err != nil {
		return nil, err
	}
	a := &arrowFile{binaryFile: f}
	if err := a.try(a.readSchema); err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

func (a *arrowFile) readSchema() error {
	if err := a.checkSchema(); err != nil {
		return a.damage(err)
	}
	var err error
	if a.reader, err = ipc.NewFileReader(a.File, ipc.WithAllocator(a.allocator()), ipc.WithMetadataSizeLimit(a.size), ipc.WithBodySizeLimit(a.size)); err != nil {
		return a.damage(err)
	}
	a.fields = a.reader.Schema().Fields()
	for j := range a.fields {
		a.selected = append(a.selected, j)
	}
	return nil
}

// Names returns the names of the columns.
func (a *arrowFile) Names() []string {
	names := make([]string, len(a.fields))
	for j, f := range a.fields {
		names[j] = f.Name
	}
	return names
}

// Select has only these columns converted.
func (a *arrowFile) Select(columns []int) error {
	for _, j := range columns {
		f := a.fields[j]
		if _, ok := arrowKind(f.Type); !ok {
			return typeError(a.name, f.Name, f.Type.String(), convertType)
		}
	}
	a.selected = columns
	return nil
}

// Keep has whole numbers of these columns converted.
func (a *arrowFile) Keep(columns []int) { a.keep = columns }

// Kind returns the kind of a column.
func (a *arrowFile) Kind(column int) exact.Kind { return exactArrow(a.fields[column].Type) }

// Next converts the next block, which is within a batch.
func (a *arrowFile) Next(ctx context.Context) (cells []typedCells, n int, err error) {
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
func (a *arrowFile) nextBatch() error {
	for a.batch == nil || a.at == a.batch.NumRows() {
		a.drop()
		if a.next == a.reader.NumRecords() {
			if a.rows == 0 {
				return noRows(a.name)
			}
			return io.EOF
		}
		batch, err := a.reader.RecordBatchAt(a.next)
		if err != nil {
			return a.damage(fmt.Errorf("after row %d: %w", a.rows, err))
		}
		a.batch, a.next, a.at = batch, a.next+1, 0
	}
	return nil
}

func (a *arrowFile) convert(n int) error {
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

// Progress counts the bytes that are read; the dictionaries and the footer are read
// first and count for nothing.
func (a *arrowFile) Progress() (done, total int64) {
	done, err := a.Seek(0, io.SeekCurrent)
	if err != nil {
		done = 0
	}
	return min(done, a.size), a.size
}

func (a *arrowFile) drop() {
	if a.batch != nil {
		a.batch.Release()
		a.batch = nil
	}
}

// Close releases what is at hand and closes the file.
func (a *arrowFile) Close() error {
	_ = a.try(func() error { a.drop(); return a.reader.Close() })
	return a.File.Close()
}

package tablefile

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"beziergp/table"
)

// parquetFile reads a Parquet file in blocks, the columns of a block side by side.
// It holds a block and a page of every selected column, whatever the row groups.
type parquetFile struct {
	*binaryFile
	decoder  *pqarrow.FileReader
	fields   []arrow.Field
	selected []int
	columns  []*pqarrow.ColumnReader // of the selected; nil before the first block
	cells    []typedCells
	rows     int64 // read
	total    int64
}

func openParquet(path string) (typed, error) {
	f, err := openBinary(path, "Parquet")
	if err != nil {
		return nil, err
	}
	p := &parquetFile{binaryFile: f}
	if err := p.try(p.readSchema); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

func (p *parquetFile) readSchema() error {
	memory := p.allocator()
	properties := parquet.NewReaderProperties(memory)
	properties.BufferedStreamEnabled = true // pages, not whole column chunks
	properties.BufferSize = 1 << 18
	reader, err := file.NewParquetReader(p.File, file.WithReadProps(properties))
	if err != nil {
		return p.damage(err)
	}
	p.total = reader.NumRows()
	if p.decoder, err = pqarrow.NewFileReader(reader, pqarrow.ArrowReadProperties{}, memory); err != nil {
		return p.damage(err)
	}
	for j, column := range p.decoder.Manifest.Fields {
		p.fields = append(p.fields, *column.Field)
		p.selected = append(p.selected, j)
	}
	if err := table.CheckNames(p.Names()); err != nil {
		return &Error{File: p.name, Problem: err.Error(), Remedy: uniqueNames, Err: err}
	}
	return nil
}

const uniqueNames = "give every column a name of its own, in UTF-8"

// Names returns the names of the columns; those of a nested column are one.
func (p *parquetFile) Names() []string { return fieldNames(p.fields) }

func fieldNames(fields []arrow.Field) []string {
	names := make([]string, len(fields))
	for j, f := range fields {
		names[j] = f.Name
	}
	return names
}

// Select has only these columns read.
func (p *parquetFile) Select(columns []int) error {
	if err := checkFields(p.name, p.fields, columns); err != nil {
		return err
	}
	p.selected = columns
	return nil
}

// checkFields fails when a selected column's type is no cell's.
func checkFields(file string, fields []arrow.Field, selected []int) error {
	for _, j := range selected {
		if _, ok := arrowKind(fields[j].Type); !ok {
			return typeError(file, fields[j].Name, fields[j].Type.String(), "exclude the column or convert it")
		}
	}
	return nil
}

// start opens the selected columns.
func (p *parquetFile) start(ctx context.Context) error {
	if err := checkFields(p.name, p.fields, p.selected); err != nil {
		return err
	}
	if p.total == 0 {
		return noRows(p.name)
	}
	for _, j := range p.selected {
		c, err := p.decoder.GetColumn(ctx, j)
		if err != nil {
			return p.columnDamage(j, err)
		}
		p.columns = append(p.columns, c)
	}
	p.cells = make([]typedCells, len(p.selected))
	return nil
}

// Next decodes the next block.
func (p *parquetFile) Next(ctx context.Context) ([]typedCells, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if p.columns == nil {
		if err := p.try(func() error { return p.start(context.WithoutCancel(ctx)) }); err != nil {
			return nil, 0, err
		}
	}
	n := min(p.total-p.rows, typedRows(len(p.selected)))
	if n <= 0 {
		return nil, 0, io.EOF
	}
	if err := p.decode(int(n)); err != nil {
		return nil, 0, err
	}
	p.rows += n
	return p.cells, int(n), nil
}

// typedRows keeps a block at about 8 MB, which leaves the cost of a block behind
// and the caches not too far.
func typedRows(columns int) int64 {
	return int64(min(max(1<<20/max(columns, 1), 1<<10), 1<<16))
}

// decode fills the cells of n rows. Each column is one worker's, so the result does
// not depend on their number; of several faults the leftmost column's is told.
func (p *parquetFile) decode(n int) error {
	faults := make([]error, len(p.columns))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.columns)) {
		wait.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= len(p.columns) {
					return
				}
				faults[k] = p.try(func() error { return p.decodeColumn(k, n) })
			}
		})
	}
	wait.Wait()
	for k, err := range faults {
		if err != nil {
			e := err.(*Error)
			e.Column = p.fields[p.selected[k]].Name
			return e
		}
	}
	return nil
}

func (p *parquetFile) decodeColumn(k, n int) error {
	j, cells := p.selected[k], &p.cells[k]
	chunks, err := p.columns[k].NextBatch(int64(n))
	if err != nil {
		return p.columnDamage(j, err)
	}
	defer chunks.Release()
	if chunks.Len() != n {
		return p.columnDamage(j, fmt.Errorf("row %d to %d: only %d values", p.rows+1, p.rows+int64(n), chunks.Len()))
	}
	kind, _ := arrowKind(p.fields[j].Type)
	cells.resize(kind, n)
	from := 0
	for _, chunk := range chunks.Chunks() {
		if err := fillArrow(cells, from, chunk); err != nil {
			return p.columnDamage(j, err)
		}
		from += chunk.Len()
	}
	if i := cells.infinite(); i >= 0 {
		return infiniteError(p.name, p.fields[j].Name, p.rows+int64(i)+1, cells.Numbers[i])
	}
	return nil
}

func (p *parquetFile) columnDamage(j int, err error) *Error {
	e := p.damage(err)
	e.Column = p.fields[j].Name
	return e
}

// Progress counts bytes as if all rows had as many.
func (p *parquetFile) Progress() (done, total int64) {
	if p.total <= 0 {
		return 0, p.size
	}
	return int64(float64(p.size) * float64(p.rows) / float64(p.total)), p.size
}

// Close releases the decoders and closes the file.
func (p *parquetFile) Close() error {
	for _, c := range p.columns {
		_ = p.try(func() error { c.Release(); return nil })
	}
	p.columns = nil
	return p.File.Close()
}

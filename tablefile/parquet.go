//go:build !lean && !wasm

package tablefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"beziergp/table/exact"
)

// parquetFile reads a Parquet file in blocks, the columns of a block in parallel.
// It holds a block and a page of every selected column, whatever the row groups.
// The library's own way to Arrow arrays would double the size of the program.
type parquetFile struct {
	*binaryFile
	reader   *file.Reader
	columns  []*parquetColumn // all
	selected []int
	keep     []int
	cells    []typedCells // of the selected; nil before the first block
	rows     int64        // read, or passed over
	end      int64        // before which rows are read
	total    int64
}

// parquetColumn is where the reading of a column stands.
type parquetColumn struct {
	node   schema.Node
	leaf   int // its index among the leaves of the schema
	kind   cellKind
	decode pageDecoder // nil if the values are no cells
	groups int         // row groups begun, or passed over
	pass   int64       // rows to pass over in the next
	chunk  file.ColumnChunkReader
	left   int64 // rows of the chunk
}

func openParquet(f *binaryFile) (typed, error) {
	p := &parquetFile{binaryFile: f}
	if err := p.try(p.readSchema); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

func (p *parquetFile) readSchema() error {
	properties := parquet.NewReaderProperties(p.allocator())
	properties.BufferedStreamEnabled = true // pages, not whole column chunks
	properties.BufferSize = 1 << 18
	var err error
	if p.reader, err = file.NewParquetReader(p.randomAccess, file.WithReadProps(properties)); err != nil {
		return p.damage(err)
	}
	p.total = p.reader.NumRows()
	p.end = p.total
	of := p.reader.MetaData().Schema
	for j := range of.Root().NumFields() {
		c := &parquetColumn{node: of.Root().Field(j)}
		if c.kind, c.decode = parquetType(c.node); c.decode != nil {
			c.leaf = of.ColumnIndexByNode(c.node)
		}
		p.columns = append(p.columns, c)
		p.selected = append(p.selected, j)
	}
	return nil
}

// Names returns the names of the columns; those of a nested column are one.
func (p *parquetFile) Names() []string {
	names := make([]string, len(p.columns))
	for j, c := range p.columns {
		names[j] = c.node.Name()
	}
	return names
}

// Select has only these columns read.
func (p *parquetFile) Select(columns []int) error {
	var aliens []alien
	for _, j := range columns {
		if c := p.columns[j]; c.decode == nil {
			aliens = append(aliens, alien{c.node.Name(), typeName(c.node)})
		}
	}
	if err := typeError(p.name, aliens, convertType); err != nil {
		return err
	}
	p.selected = columns
	return nil
}

// Keep has whole numbers of these columns read.
func (p *parquetFile) Keep(columns []int) { p.keep = columns }

// Kind returns the kind of a column.
func (p *parquetFile) Kind(column int) exact.Kind {
	return parquetKind(p.columns[column].node, p.columns[column].kind)
}

// Next decodes the next block.
func (p *parquetFile) Next(ctx context.Context) ([]typedCells, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if p.cells == nil {
		if err := p.Select(p.selected); err != nil {
			return nil, 0, err
		}
		if p.total == 0 {
			return nil, 0, io.EOF
		}
		p.cells = make([]typedCells, len(p.selected))
		for k, j := range p.selected {
			p.cells[k].keep = slices.Contains(p.keep, j)
		}
	}
	n := min(p.end-p.rows, typedRows(len(p.selected)))
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
	faults := make([]error, len(p.selected))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.selected)) {
		wait.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= len(p.selected) {
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
			e.Column = p.columns[p.selected[k]].node.Name()
			return e
		}
	}
	return nil
}

func (p *parquetFile) decodeColumn(k, n int) error {
	c, cells := p.columns[p.selected[k]], &p.cells[k]
	cells.resize(c.kind, n)
	for done := 0; done < n; {
		rows, err := c.next(p.reader, cells, done, n-done)
		if err != nil {
			return p.damage(fmt.Errorf("after row %d: %w", p.rows+int64(done), err))
		}
		done += rows
	}
	if i := cells.infinite(); i >= 0 {
		return infiniteError(p.name, c.node.Name(), p.rows+int64(i)+1, cells.Numbers[i])
	}
	return nil
}

// Total returns the number of rows.
func (p *parquetFile) Total() int64 { return p.total }

// Narrow has only the rows from ≤ j < to read. Row groups before them are passed over.
func (p *parquetFile) Narrow(from, to int64) {
	p.rows, p.end = from, to
	groups := 0
	for groups < p.reader.NumRowGroups() && from >= p.reader.RowGroup(groups).NumRows() {
		from -= p.reader.RowGroup(groups).NumRows()
		groups++
	}
	for _, c := range p.columns {
		c.groups, c.pass = groups, from
	}
}

// skip decodes the rows of a chunk that are passed over.
func (c *parquetColumn) skip() error {
	var cells typedCells
	for c.pass > 0 {
		cells.resize(c.kind, pageRows)
		rows, err := c.decode(c.chunk, &cells, 0, int(min(c.pass, pageRows)))
		if err == nil && rows == 0 {
			err = errors.New("a column has fewer values than its row group has rows")
		}
		if err != nil {
			return err
		}
		c.pass -= int64(rows)
		c.left -= int64(rows)
	}
	return nil
}

// next decodes rows, n at most, into cells from, from+1, …, and returns how many.
func (c *parquetColumn) next(reader *file.Reader, cells *typedCells, from, n int) (int, error) {
	for c.left <= 0 {
		if err := c.close(); err != nil {
			return 0, err
		}
		if c.groups == reader.NumRowGroups() {
			return 0, errors.New("the row groups have fewer rows than the file")
		}
		group := reader.RowGroup(c.groups)
		chunk, err := group.Column(c.leaf)
		if err != nil {
			return 0, err
		}
		c.chunk, c.left = chunk, group.NumRows()
		c.groups++
		if err := c.skip(); err != nil {
			return 0, err
		}
	}
	rows, err := c.decode(c.chunk, cells, from, int(min(int64(n), c.left)))
	if err == nil && rows == 0 {
		err = errors.New("a column has fewer values than its row group has rows")
	}
	c.left -= int64(rows)
	return rows, err
}

func (c *parquetColumn) close() error {
	if c.chunk == nil {
		return nil
	}
	chunk := c.chunk
	c.chunk = nil
	return chunk.Close()
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
		_ = p.try(c.close)
	}
	return p.randomAccess.Close()
}

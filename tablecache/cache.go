package tablecache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"

	"beziergp/table"
)

// Cache is a table on disk. Its blocks may be read by any number of goroutines.
type Cache struct {
	path    string
	file    file
	footer  footer
	sealed  bool
	meaning [][]float64 // as given to Finish
	sample  *table.Table
	joined  *joined // nil of a cache of all rows
}

// file is an open file, of which every byte can be read in any order.
type file interface {
	io.ReaderAt
	io.Closer
}

// ErrDamaged says that a file is no cache, or not one any more.
var ErrDamaged = errors.New("it is no cache of this program, or damaged; remove it or name another file")

// Open opens a finished cache.
func Open(path string) (*Cache, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, diskError(path, err)
	}
	return open(path, file)
}

// open reads what an open file says of itself. It closes the file if it fails.
func open(path string, file *os.File) (*Cache, error) {
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, diskError(path, err)
	}
	c, err := read(path, file, info.Size())
	if err != nil {
		file.Close()
	}
	return c, err
}

// read opens a cache in a file of so many bytes.
func read(path string, file file, size int64) (*Cache, error) {
	f, sealed, err := readFooter(file, size)
	if err != nil {
		return nil, diskError(path, err)
	}
	c := &Cache{path: path, file: file, footer: f, sealed: sealed}
	s := &Reservoir{columns: make([][]float64, len(f.Fields))}
	for j := range f.Fields {
		c.meaning = append(c.meaning, unbits(f.Meaning[j]))
		s.columns[j] = unbits(f.Sample[j])
	}
	if c.sample, err = s.Table(f.Fields, c.meaning); err != nil {
		return nil, diskError(path, ErrDamaged)
	}
	c.footer.Sample = nil
	return c, nil
}

// translate replaces indices by what they stand for, and tells whether all do.
func translate(values, meaning []float64) bool {
	if meaning == nil {
		return true
	}
	for i, v := range values {
		switch {
		case v != v:
		case !(v >= 0 && v < float64(len(meaning))) || v != math.Trunc(v):
			return false
		default:
			values[i] = meaning[int(v)]
		}
	}
	return true
}

// known tells whether the values of a category or a boolean are such.
func known(values []float64, f table.Field) bool {
	if f.Kind != table.Category && f.Kind != table.Boolean {
		return true
	}
	for _, v := range values {
		if f.Problem(v) != "" {
			return false
		}
	}
	return true
}

// Sealed tells whether the cache has a digest of what it says of its blocks, which is
// right; those of older versions have none.
func (c *Cache) Sealed() bool { return c.sealed }

// Source returns what identifies the rows' origin, as given to [Writer.Finish].
func (c *Cache) Source() string { return c.footer.Source }

// Fields describes the columns. They must not be changed.
func (c *Cache) Fields() []table.Field { return c.footer.Fields }

// Rows returns the number of rows.
func (c *Cache) Rows() int {
	if c.joined != nil {
		return c.joined.bounds[len(c.joined.bounds)-1]
	}
	return c.footer.Rows
}

// Dropped returns the number of rows that were left out.
func (c *Cache) Dropped() int {
	if c.joined != nil {
		return c.joined.dropped
	}
	return c.footer.Dropped
}

// Blocks returns the number of blocks, and BlockRows the number of rows of each but
// the last.
func (c *Cache) Blocks() int { return (c.Rows() + c.footer.BlockRows - 1) / c.footer.BlockRows }

// BlockRows returns the number of rows of a block that is not the last.
func (c *Cache) BlockRows() int { return c.footer.BlockRows }

// Sample returns rows drawn at random, all if they are not many.
func (c *Cache) Sample() *table.Table { return c.sample }

// Summary returns what is known of column j over all rows.
func (c *Cache) Summary(j int) Summary {
	if c.joined != nil {
		return c.joined.summaries[j]
	}
	s := c.footer.Summaries[j]
	out := Summary{Missing: s.Missing, Lo: math.Float64frombits(s.Lo), Hi: math.Float64frombits(s.Hi), Counts: s.Counts}.orNone()
	if meaning := c.meaning[j]; meaning != nil {
		c.translate(&out, meaning, c.footer.Fields[j])
	}
	return out
}

// translate turns the summary of indices into that of what they stand for.
func (c *Cache) translate(s *Summary, meaning []float64, f table.Field) {
	counts := s.Counts
	s.Lo, s.Hi, s.Counts = math.NaN(), math.NaN(), nil
	if f.Kind == table.Category {
		s.Counts = make([]int, len(f.Levels))
	}
	for i, n := range counts {
		v := meaning[i]
		switch {
		case n == 0:
			continue
		case v != v:
			s.Missing += n
			continue
		case s.Counts != nil:
			s.Counts[int(v)] += n
		}
		if s.Lo != s.Lo {
			s.Lo, s.Hi = v, v
		}
		s.Lo, s.Hi = min(s.Lo, v), max(s.Hi, v)
	}
}

// Buffer is the memory of one reader of blocks.
type Buffer struct {
	bytes   []byte
	Columns [][]float64 // [columns][rows of the block]
	other   *Buffer     // for a block that lies in two of the file
}

// resize makes room for a block.
func (b *Buffer) resize(rows, columns int) {
	if len(b.Columns) == columns && cap(b.Columns[0]) >= rows {
		return
	}
	b.bytes = make([]byte, rows*columns*float64Bytes)
	b.Columns = make([][]float64, columns)
	for j := range b.Columns {
		b.Columns[j] = make([]float64, rows)
	}
}

// Read reads block i into b and returns its number of rows; of parts that were joined those rows
// of it that this one has.
func (c *Cache) Read(i int, b *Buffer) (int, error) {
	if c.joined != nil {
		return c.readOwn(i, b)
	}
	return c.read(i, b)
}

// read reads block i of the file.
func (c *Cache) read(i int, b *Buffer) (int, error) {
	f := &c.footer
	columns := len(f.Fields)
	rows := min(f.BlockRows, f.Rows-i*f.BlockRows)
	size := rows * columns * float64Bytes
	b.resize(f.BlockRows, columns)
	bytes := b.bytes[:size]
	b.Columns = b.Columns[:columns] // whoever has the block may have added some
	if _, err := c.file.ReadAt(bytes, int64(i)*int64(f.BlockRows)*int64(columns)*float64Bytes); err != nil {
		return 0, diskError(c.path, err)
	}
	if crc32.Checksum(bytes, checksums) != f.Checksums[i] {
		return 0, diskError(c.path, ErrDamaged)
	}
	for j := range b.Columns {
		b.Columns[j] = b.Columns[j][:rows]
		for p := range rows {
			b.Columns[j][p] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[float64Bytes*(j*rows+p):]))
		}
		if !translate(b.Columns[j], c.meaning[j]) || !known(b.Columns[j], f.Fields[j]) {
			return 0, diskError(c.path, ErrDamaged)
		}
	}
	return rows, nil
}

// Close closes the cache and leaves its file.
func (c *Cache) Close() error { return c.file.Close() }

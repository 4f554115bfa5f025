package tablecache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"math"
	"os"

	"beziergp/table"
)

// Cache is a table on disk. Its blocks may be read by any number of goroutines.
type Cache struct {
	path    string
	file    *os.File
	footer  footer
	meaning [][]float64 // as given to Finish
	sample  *table.Table
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
	c := &Cache{path: path, file: file}
	if err := c.read(); err != nil {
		file.Close()
		return nil, diskError(path, err)
	}
	return c, nil
}

// read reads the footer. It believes no length before it has seen it is there.
func (c *Cache) read() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	const end = 8 + int64(len(magic))
	tail := make([]byte, end)
	if info.Size() < end {
		return ErrDamaged
	}
	if _, err := c.file.ReadAt(tail, info.Size()-end); err != nil {
		return err
	}
	length := binary.LittleEndian.Uint64(tail)
	if string(tail[8:]) != magic || length > uint64(info.Size()-end) {
		return ErrDamaged
	}
	text := make([]byte, length)
	blocks := info.Size() - end - int64(length)
	if _, err := c.file.ReadAt(text, blocks); err != nil {
		return err
	}
	f := &c.footer
	if err := json.Unmarshal(text, f); err != nil {
		return ErrDamaged
	}
	columns := len(f.Fields)
	if columns == 0 || f.BlockRows < 1 || f.Rows < 0 || len(f.Meaning) != columns || len(f.Summaries) != columns || len(f.Sample) != columns ||
		int64(f.Rows)*int64(columns)*float64Bytes != blocks || len(f.Checksums) != (f.Rows+f.BlockRows-1)/f.BlockRows {
		return ErrDamaged
	}
	s := &sample{columns: make([][]float64, columns)}
	for j := range f.Fields {
		c.meaning = append(c.meaning, unbits(f.Meaning[j]))
		s.columns[j] = unbits(f.Sample[j])
		translate(s.columns[j], c.meaning[j])
	}
	c.sample, err = s.table(f.Fields)
	if err != nil {
		return ErrDamaged
	}
	f.Sample = nil
	return nil
}

// translate replaces indices by what they stand for.
func translate(values, meaning []float64) {
	if meaning == nil {
		return
	}
	for i, v := range values {
		if v == v && int(v) < len(meaning) {
			values[i] = meaning[int(v)]
		}
	}
}

// Source returns what identifies the rows' origin, as given to [Writer.Finish].
func (c *Cache) Source() string { return c.footer.Source }

// Fields describes the columns. They must not be changed.
func (c *Cache) Fields() []table.Field { return c.footer.Fields }

// Rows returns the number of rows.
func (c *Cache) Rows() int { return c.footer.Rows }

// Dropped returns the number of rows that were left out.
func (c *Cache) Dropped() int { return c.footer.Dropped }

// Blocks returns the number of blocks, and BlockRows the number of rows of each but
// the last.
func (c *Cache) Blocks() int { return len(c.footer.Checksums) }

// BlockRows returns the number of rows of a block that is not the last.
func (c *Cache) BlockRows() int { return c.footer.BlockRows }

// Sample returns rows drawn at random, all if they are not many.
func (c *Cache) Sample() *table.Table { return c.sample }

// Summary returns what is known of column j over all rows.
func (c *Cache) Summary(j int) Summary {
	s := c.footer.Summaries[j]
	out := Summary{Missing: s.Missing, Lo: math.Float64frombits(s.Lo), Hi: math.Float64frombits(s.Hi), Counts: s.Counts}
	if math.IsInf(out.Lo, 1) {
		out.Lo, out.Hi = math.NaN(), math.NaN()
	}
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
}

// Read reads block i into b and returns its number of rows.
func (c *Cache) Read(i int, b *Buffer) (int, error) {
	f := &c.footer
	columns := len(f.Fields)
	rows := min(f.BlockRows, f.Rows-i*f.BlockRows)
	size := rows * columns * float64Bytes
	if cap(b.bytes) < size {
		b.bytes = make([]byte, f.BlockRows*columns*float64Bytes)
		b.Columns = make([][]float64, columns)
		for j := range b.Columns {
			b.Columns[j] = make([]float64, f.BlockRows)
		}
	}
	bytes := b.bytes[:size]
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
		translate(b.Columns[j], c.meaning[j])
	}
	return rows, nil
}

// Close closes the cache and leaves its file.
func (c *Cache) Close() error { return c.file.Close() }

// Remove closes the cache and removes its file.
func (c *Cache) Remove() error {
	c.file.Close()
	return os.Remove(c.path)
}

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
	path   string
	file   *os.File
	footer footer
	sample *table.Table
}

var errDamaged = errors.New("damaged or not whole; remove it")

// Open opens a finished cache.
func Open(path string) (*Cache, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, diskError(path, err)
	}
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
		return errDamaged
	}
	if _, err := c.file.ReadAt(tail, info.Size()-end); err != nil {
		return err
	}
	length := binary.LittleEndian.Uint64(tail)
	if string(tail[8:]) != magic || length > uint64(info.Size()-end) {
		return errDamaged
	}
	text := make([]byte, length)
	blocks := info.Size() - end - int64(length)
	if _, err := c.file.ReadAt(text, blocks); err != nil {
		return err
	}
	f := &c.footer
	if err := json.Unmarshal(text, f); err != nil {
		return errDamaged
	}
	columns := len(f.Fields)
	if columns == 0 || f.BlockRows < 1 || f.Rows < 0 || len(f.Recode) != columns || len(f.Summaries) != columns || len(f.Sample) != columns ||
		int64(f.Rows)*int64(columns)*float64Bytes != blocks || len(f.Checksums) != (f.Rows+f.BlockRows-1)/f.BlockRows {
		return errDamaged
	}
	s := &sample{columns: make([][]float64, columns)}
	for j, bits := range f.Sample {
		for _, b := range bits {
			s.columns[j] = append(s.columns[j], math.Float64frombits(b))
		}
		recode(s.columns[j], f.Recode[j])
	}
	c.sample, err = s.table(f.Fields)
	if err != nil {
		return errDamaged
	}
	f.Sample = nil
	return nil
}

// recode replaces codes by those that they stand for.
func recode(values []float64, codes []int) {
	if codes == nil {
		return
	}
	for i, v := range values {
		if v == v && int(v) < len(codes) {
			values[i] = float64(codes[int(v)])
		}
	}
}

// Source returns what identifies the rows' origin, as given to [Writer.Finish].
func (c *Cache) Source() string { return c.footer.Source }

// Fields describes the columns. They must not be changed.
func (c *Cache) Fields() []table.Field { return c.footer.Fields }

// Rows returns the number of rows.
func (c *Cache) Rows() int { return c.footer.Rows }

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
	if codes := c.footer.Recode[j]; codes != nil {
		out.Counts = make([]int, len(c.footer.Fields[j].Levels))
		for code, n := range s.Counts {
			out.Counts[codes[code]] += n
		}
	}
	return out
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
		return 0, diskError(c.path, errDamaged)
	}
	for j := range b.Columns {
		b.Columns[j] = b.Columns[j][:rows]
		for p := range rows {
			b.Columns[j][p] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[float64Bytes*(j*rows+p):]))
		}
		recode(b.Columns[j], f.Recode[j])
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

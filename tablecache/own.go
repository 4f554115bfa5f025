package tablecache

import (
	"encoding/binary"
	"math"
)

// ReadColumn reads column j of block i into dst, which has room for a block, and returns the number of
// its rows, which are those of [Cache.Read]. It does not see damage, which whole blocks show: who reads
// a column reads them as well.
func (c *Cache) ReadColumn(i, j int, dst []float64) (int, error) {
	size, from := c.footer.BlockRows, i*c.footer.BlockRows
	to := min(from+size, c.footer.Rows)
	if c.joined != nil {
		from, to = c.ownOf(i)
	}
	bytes := make([]byte, float64Bytes*max(0, to-from))
	for at := from; at < to; {
		first := at / size * size // of the block of the file
		rows := min(size, c.footer.Rows-first)
		n := min(first+rows, to) - at
		part := bytes[float64Bytes*(at-from):][:float64Bytes*n]
		place := int64(first)*int64(len(c.footer.Fields)) + int64(j)*int64(rows) + int64(at-first)
		if _, err := c.file.ReadAt(part, float64Bytes*place); err != nil {
			return 0, diskError(c.path, err)
		}
		at += n
	}
	n := len(bytes) / float64Bytes
	for p := range n {
		dst[p] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[float64Bytes*p:]))
	}
	if !translate(dst[:n], c.meaning[j]) || !known(dst[:n], c.footer.Fields[j]) {
		return 0, diskError(c.path, ErrDamaged)
	}
	return n, nil
}

// ownOf returns which rows of the file are those of block i of all rows: from ≤ j < to.
func (c *Cache) ownOf(i int) (from, to int) {
	size, first := c.footer.BlockRows, c.joined.bounds[c.joined.part]
	return max(i*size-first, 0), min((i+1)*size-first, c.footer.Rows)
}

// readOwn reads those rows of block i of all rows that are of the part. They may lie in two blocks of
// the file.
func (c *Cache) readOwn(i int, b *Buffer) (int, error) {
	size := c.footer.BlockRows
	from, to := c.ownOf(i)
	switch {
	case to <= from:
		return 0, nil
	case from%size == 0 && to == min(from+size, c.footer.Rows):
		return c.read(from/size, b)
	}
	b.resize(size, len(c.footer.Fields))
	if b.other == nil {
		b.other = &Buffer{}
	}
	for at := from; at < to; {
		n, err := c.read(at/size, b.other)
		if err != nil {
			return 0, err
		}
		skipped := at % size
		for j := range b.Columns {
			b.Columns[j] = b.Columns[j][:to-from]
			copy(b.Columns[j][at-from:], b.other.Columns[j][skipped:])
		}
		at += n - skipped
	}
	return to - from, nil
}

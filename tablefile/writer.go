package tablefile

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"

	"beziergp/table"
)

// Values is a column of values to write: [Floats], [Gaps], [Bools], [Truths] or [Words].
type Values interface {
	len() int
	appendText(dst []byte, i int) []byte
}

// Floats are written in the fewest digits that read back as the same float64.
type Floats []float64

// Bools are written as 1 and 0, as [ReadMask] reads them.
type Bools []bool

func (v Floats) len() int { return len(v) }
func (v Bools) len() int  { return len(v) }

func (v Floats) appendText(dst []byte, i int) []byte {
	return strconv.AppendFloat(dst, v[i], 'g', -1, 64)
}

func (v Bools) appendText(dst []byte, i int) []byte {
	if v[i] {
		return append(dst, '1')
	}
	return append(dst, '0')
}

// Writer writes a table as CSV, block by block. It is used by one goroutine at a
// time.
type Writer struct {
	buffer  *bufio.Writer
	columns int
	row     []byte
}

// Write writes a whole table, a column for every name.
func Write(w io.Writer, names []string, columns []Values) error {
	out, err := NewWriter(w, names...)
	if err != nil {
		return err
	}
	if err := out.Write(columns...); err != nil {
		return err
	}
	return out.Flush()
}

// NewWriter writes the header. It fails when there are no names, when one is empty,
// is not UTF-8, or stands twice, and when w does. w belongs to the caller.
func NewWriter(w io.Writer, names ...string) (*Writer, error) {
	if err := table.CheckNames(names); err != nil {
		return nil, err
	}
	buffer := bufio.NewWriterSize(w, bufferSize)
	header := csv.NewWriter(buffer)
	if err := header.Write(names); err != nil {
		return nil, err
	}
	header.Flush()
	return &Writer{buffer: buffer, columns: len(names)}, header.Error()
}

// Write adds a block of rows, one column a name and all of one length, which may be
// 0. It keeps none of them. NaN and infinities are written as NaN, +Inf and -Inf,
// which no [Reader] takes. Write fails when the underlying writer does, at once or
// later; it panics on a wrong number or length of columns.
func (w *Writer) Write(columns ...Values) error {
	if len(columns) != w.columns {
		panic(errWrite)
	}
	rows := columns[0].len()
	for _, c := range columns {
		if c.len() != rows {
			panic(errWrite)
		}
	}
	for i := range rows {
		w.row = w.row[:0]
		for j, c := range columns {
			if j > 0 {
				w.row = append(w.row, ',')
			}
			w.row = c.appendText(w.row, i)
		}
		w.row = append(w.row, '\n')
		if _, err := w.buffer.Write(w.row); err != nil {
			return err
		}
	}
	return nil
}

const errWrite = "tablefile: a block wants one column a name, all of one length"

// Flush hands all rows to the underlying writer.
func (w *Writer) Flush() error { return w.buffer.Flush() }

package data

import (
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// groupRows is the number of rows of a row group in the files that are made here. Their
// numbers are float32: seven digits are more than the figures of any benchmark have,
// and half of the disk.
const groupRows = 1 << 16

// WriteParquet writes a table of numbers, which next hands out: it fills columns with
// the next rows. A row group has groupRows of them, and is what memory holds at once.
func WriteParquet[T float32 | float64](w io.Writer, names []string, rows, groupRows int, next func(columns [][]T) error) error {
	kind := parquet.Types.Float
	if _, double := any(T(0)).(float64); double {
		kind = parquet.Types.Double
	}
	var fields schema.FieldList
	for _, name := range names {
		fields = append(fields, schema.MustPrimitive(schema.NewPrimitiveNode(name, parquet.Repetitions.Required, kind, -1, -1)))
	}
	root, err := schema.NewGroupNode("table", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	// A dictionary is of no use to numbers that all differ.
	out, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithDictionaryDefault(false))))
	if err != nil {
		return err
	}
	columns := make([][]T, len(names))
	for j := range columns {
		columns[j] = make([]T, min(groupRows, rows))
	}
	for from := 0; from < rows; from += groupRows {
		for j := range columns {
			columns[j] = columns[j][:min(groupRows, rows-from)]
		}
		if err := next(columns); err != nil {
			return err
		}
		if err := writeGroup(out.AppendRowGroup(), columns); err != nil {
			return err
		}
	}
	return out.Close()
}

func writeGroup[T float32 | float64](group file.SerialRowGroupWriter, columns [][]T) error {
	for _, values := range columns {
		c, err := group.NextColumn()
		if err != nil {
			return err
		}
		if _, err := c.(interface {
			WriteBatch(values []T, definition, repetition []int16) (int64, error)
		}).WriteBatch(values, nil, nil); err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

package data

import (
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// groupRows is the number of rows that are in memory at once.
const groupRows = 1 << 16

// writeParquet writes a table of numbers, which next hands out: it fills columns with
// the next rows. Seven digits are more than the figures of any benchmark have, and
// half of the disk.
func writeParquet(w io.Writer, names []string, rows int, next func(columns [][]float32) error) error {
	var fields schema.FieldList
	for _, name := range names {
		fields = append(fields, schema.NewFloat32Node(name, parquet.Repetitions.Required, -1))
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
	columns := make([][]float32, len(names))
	for j := range columns {
		columns[j] = make([]float32, min(groupRows, rows))
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

func writeGroup(group file.SerialRowGroupWriter, columns [][]float32) error {
	for _, values := range columns {
		c, err := group.NextColumn()
		if err != nil {
			return err
		}
		if _, err := c.(*file.Float32ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

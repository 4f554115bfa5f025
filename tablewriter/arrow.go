//go:build !lean && !wasm

package tablewriter

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"beziergp/table/exact"
)

// arrowWriter writes an Arrow IPC file, a batch a block.
type arrowWriter struct {
	fields  []Field
	builder *array.RecordBuilder
	file    *ipc.FileWriter
}

func createArrow(w io.Writer, fields []Field) (Writer, error) {
	columns := make([]arrow.Field, len(fields))
	for k, f := range fields {
		columns[k] = arrow.Field{Name: f.Name, Type: arrowType(f.Kind), Nullable: true}
	}
	schema := arrow.NewSchema(columns, nil)
	file, err := ipc.NewFileWriter(w, ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	return &arrowWriter{fields, array.NewRecordBuilder(memory.DefaultAllocator, schema), file}, nil
}

// arrowType returns the type of a column.
func arrowType(k exact.Kind) arrow.DataType {
	switch k.Type {
	case exact.Number:
		return arrow.PrimitiveTypes.Float64
	case exact.Integer:
		return arrow.PrimitiveTypes.Int64
	case exact.Truth:
		return arrow.FixedWidthTypes.Boolean
	case exact.Date:
		return arrow.FixedWidthTypes.Date32
	case exact.Time:
		unit := map[int64]arrow.TimeUnit{1: arrow.Second, 1e3: arrow.Millisecond, 1e6: arrow.Microsecond, 1e9: arrow.Nanosecond}[k.PerSecond]
		return &arrow.TimestampType{Unit: unit, TimeZone: k.Zone}
	}
	return arrow.BinaryTypes.String
}

func (w *arrowWriter) Write(columns ...*exact.Column) error {
	if check(w.fields, columns) == 0 {
		return nil
	}
	for k, c := range columns {
		appendArrow(w.builder.Field(k), c)
	}
	batch := w.builder.NewRecordBatch()
	defer batch.Release()
	return w.file.Write(batch)
}

func appendArrow(to array.Builder, c *exact.Column) {
	to.Reserve(c.Len())
	for i := range c.Len() {
		if c.IsMissing(i) {
			to.AppendNull()
			continue
		}
		switch b := to.(type) {
		case *array.Float64Builder:
			b.UnsafeAppend(c.Numbers[i])
		case *array.Int64Builder:
			b.UnsafeAppend(c.Integers[i])
		case *array.BooleanBuilder:
			b.UnsafeAppend(c.Integers[i] != 0)
		case *array.Date32Builder:
			b.UnsafeAppend(arrow.Date32(c.Integers[i]))
		case *array.TimestampBuilder:
			b.UnsafeAppend(arrow.Timestamp(c.Integers[i]))
		case *array.StringBuilder:
			b.Append(c.Texts[i])
		}
	}
}

func (w *arrowWriter) Close() error {
	w.builder.Release()
	return w.file.Close()
}

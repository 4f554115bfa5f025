//go:build !lean && !wasm

package tablewriter

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"beziergp/table/exact"
)

// parquetWriter writes a Parquet file. It holds the rows of a row group.
type parquetWriter struct {
	fields []Field
	file   *file.Writer
	group  []exact.Column // rows that are not written yet
	texts  int            // bytes of their texts
}

func createParquet(w io.Writer, fields []Field) (Writer, error) {
	nodes := make(schema.FieldList, len(fields))
	group := make([]exact.Column, len(fields))
	for k, f := range fields {
		var err error
		physical, logical := parquetType(f.Kind)
		if nodes[k], err = schema.NewPrimitiveNodeLogical(f.Name, parquet.Repetitions.Optional, logical, physical, -1, -1); err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
		group[k].Reset(f.Kind)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		return nil, err
	}
	properties := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithCreatedBy("beziergp"))
	// It would close w.
	out, err := file.NewParquetWriterWithError(struct{ io.Writer }{w}, root, file.WithWriterProps(properties))
	if err != nil {
		return nil, err
	}
	return &parquetWriter{fields: fields, file: out, group: group}, nil
}

// parquetType returns the types of a column.
func parquetType(k exact.Kind) (parquet.Type, schema.LogicalType) {
	switch k.Type {
	case exact.Number:
		return parquet.Types.Double, schema.NoLogicalType{}
	case exact.Integer:
		return parquet.Types.Int64, schema.NewIntLogicalType(64, true)
	case exact.Truth:
		return parquet.Types.Boolean, schema.NoLogicalType{}
	case exact.Date:
		return parquet.Types.Int32, schema.DateLogicalType{}
	case exact.Time:
		unit := map[int64]schema.TimeUnitType{1: schema.TimeUnitMillis, 1e3: schema.TimeUnitMillis, 1e6: schema.TimeUnitMicros, 1e9: schema.TimeUnitNanos}[k.PerSecond]
		return parquet.Types.Int64, schema.NewTimestampLogicalType(k.Zone != "", unit)
	}
	return parquet.Types.ByteArray, schema.StringLogicalType{}
}

// groupRows is how many rows a row group has, fewer where columns are many.
func groupRows(columns int) int { return max(1<<10, min(1<<16, 1<<20/columns)) }

// groupTexts is how many bytes of texts end a row group.
const groupTexts = 1 << 26

func (w *parquetWriter) Write(columns ...*exact.Column) error {
	n := check(w.fields, columns)
	for k, c := range columns {
		w.group[k].Append(c, 0, n)
		for _, text := range c.Texts {
			w.texts += len(text)
		}
	}
	if w.group[0].Len() < groupRows(len(columns)) && w.texts < groupTexts {
		return nil
	}
	return w.flush()
}

// flush writes the row group.
func (w *parquetWriter) flush() error {
	group, err := w.file.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for k := range w.group {
		chunk, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := writeChunk(chunk, &w.group[k]); err != nil {
			return err
		}
		if err := chunk.Close(); err != nil {
			return err
		}
		w.group[k].Reset(w.fields[k].Kind)
	}
	w.texts = 0
	return group.Close()
}

// writeChunk writes the cells of a column: of each whether it has a value, and the values.
func writeChunk(chunk file.ColumnChunkWriter, c *exact.Column) (err error) {
	present := make([]int16, c.Len())
	for i := range present {
		if !c.IsMissing(i) {
			present[i] = 1
		}
	}
	switch chunk := chunk.(type) {
	case *file.Float64ColumnChunkWriter:
		_, err = chunk.WriteBatch(values(present, func(i int) float64 { return c.Numbers[i] }), present, nil)
	case *file.Int64ColumnChunkWriter:
		scale := int64(1)
		if c.Type == exact.Time && c.PerSecond == 1 { // there is no such unit
			scale = 1e3
		}
		_, err = chunk.WriteBatch(values(present, func(i int) int64 { return scale * c.Integers[i] }), present, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = chunk.WriteBatch(values(present, func(i int) int32 { return int32(c.Integers[i]) }), present, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = chunk.WriteBatch(values(present, func(i int) bool { return c.Integers[i] != 0 }), present, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = chunk.WriteBatch(values(present, func(i int) parquet.ByteArray { return parquet.ByteArray(c.Texts[i]) }), present, nil)
	}
	return err
}

// values returns what there is, without gaps.
func values[T any](present []int16, at func(i int) T) []T {
	all := make([]T, 0, len(present))
	for i, is := range present {
		if is != 0 {
			all = append(all, at(i))
		}
	}
	return all
}

func (w *parquetWriter) Close() error {
	if w.group[0].Len() > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.file.Close()
}

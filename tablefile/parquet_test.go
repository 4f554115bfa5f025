//go:build !lean

package tablefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"beziergp/internal/format"
)

// writeValues writes one column in two row groups: three rows and three more.
func writeValues[T any](t *testing.T, node schema.Node, present []int16, values []T, options ...parquet.WriterProperty) string {
	t.Helper()
	var out bytes.Buffer
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		t.Fatal(err)
	}
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	for range 2 {
		column, err := w.AppendRowGroup().NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := column.(interface {
			WriteBatch([]T, []int16, []int16) (int64, error)
		}).WriteBatch(values, present, nil); err != nil {
			t.Fatal(err)
		}
		if err := column.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkParquet writes two values of a type, required and optional, plain, in a
// dictionary and on pages of the second version, and compares the cells.
func checkParquet[T any](t *testing.T, logical schema.LogicalType, physical parquet.Type, length int, values [2]T, kind cellKind, want [2]any) {
	t.Helper()
	name := fmt.Sprint(physical, " ", logical)
	for _, options := range [][]parquet.WriterProperty{{parquet.WithDictionaryDefault(false)}, {parquet.WithDictionaryDefault(true)},
		{parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2)}} {
		for _, optional := range []bool{false, true} {
			repetition, present, rows, cells := parquet.Repetitions.Required, []int16(nil), []T{values[0], values[1], values[0]}, []any{want[0], want[1], want[0]}
			if optional {
				repetition, present, rows, cells = parquet.Repetitions.Optional, []int16{1, 0, 1}, values[:], []any{want[0], nil, want[1]}
			}
			node, err := schema.NewPrimitiveNodeLogical("c", repetition, logical, physical, length, -1)
			if err != nil {
				t.Fatal(err)
			}
			expected := typedCells{Kind: kind}
			for _, v := range append(cells, cells...) {
				switch {
				case kind == textCells:
					text, _ := v.(string)
					expected.Texts, expected.Missing = append(expected.Texts, text), append(expected.Missing, v == nil)
				case v == nil:
					expected.Numbers = append(expected.Numbers, math.NaN())
				default:
					expected.Numbers = append(expected.Numbers, v.(float64))
				}
			}
			s, err := openFormat(format.Parquet, writeValues(t, node, present, rows, options...))
			if got := readCells(t, s, err); !sameCells(got, []typedCells{expected}) {
				t.Errorf("%s, optional %v: %v, want %v", name, optional, got, expected)
			}
		}
	}
}

func TestParquetTypes(t *testing.T) {
	types := parquet.Types
	none := schema.NoLogicalType{}
	checkParquet(t, none, types.Boolean, -1, [2]bool{true, false}, boolCells, [2]any{1.0, 0.0})
	checkParquet(t, none, types.Int32, -1, [2]int32{-5, math.MaxInt32}, numberCells, [2]any{-5.0, 2147483647.0})
	checkParquet(t, schema.NewIntLogicalType(8, true), types.Int32, -1, [2]int32{-128, 127}, numberCells, [2]any{-128.0, 127.0})
	checkParquet(t, schema.NewIntLogicalType(16, false), types.Int32, -1, [2]int32{0, 65535}, numberCells, [2]any{0.0, 65535.0})
	checkParquet(t, schema.NewIntLogicalType(32, false), types.Int32, -1, [2]int32{-1, 1}, numberCells, [2]any{4294967295.0, 1.0})
	checkParquet(t, schema.NewIntLogicalType(64, false), types.Int64, -1, [2]int64{math.MinInt64, 1}, numberCells, [2]any{0x1p63, 1.0})
	checkParquet(t, none, types.Int64, -1, [2]int64{-1 << 53, 7}, numberCells, [2]any{-0x1p53, 7.0})
	checkParquet(t, none, types.Float, -1, [2]float32{0.25, -3}, numberCells, [2]any{0.25, -3.0})
	checkParquet(t, none, types.Double, -1, [2]float64{0.1, math.NaN()}, numberCells, [2]any{0.1, nil})
	checkParquet(t, schema.Float16LogicalType{}, types.FixedLenByteArray, 2,
		[2]parquet.FixedLenByteArray{float16.New(1.5).ToLEBytes(), float16.New(-2).ToLEBytes()}, numberCells, [2]any{1.5, -2.0})

	checkParquet(t, schema.NewDecimalLogicalType(5, 2), types.Int32, -1, [2]int32{-12345, 10}, numberCells, [2]any{-123.45, 0.1})
	checkParquet(t, schema.NewDecimalLogicalType(15, 3), types.Int64, -1, [2]int64{-1, 123456789012345}, numberCells, [2]any{-0.001, 123456789012.345})
	checkParquet(t, schema.NewDecimalLogicalType(9, 2), types.ByteArray, -1,
		[2]parquet.ByteArray{{0xff, 0x85}, {0x00, 0xc8}}, numberCells, [2]any{-1.23, 2.0})
	checkParquet(t, schema.NewDecimalLogicalType(28, 20), types.FixedLenByteArray, 12, // 2^88 − 1 and −2^64, each over 10^20
		[2]parquet.FixedLenByteArray{[]byte("\x00" + strings.Repeat("\xff", 11)), []byte("\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00")},
		numberCells, [2]any{3094850.09821345068724781055, -0.18446744073709551616})

	day := time.Date(1969, 7, 20, 20, 17, 40, 250_000_000, time.UTC)
	want := [2]any{float64(day.Unix()) + 0.25, 0.0}
	for unit, ticks := range map[schema.TimeUnitType]int64{schema.TimeUnitMillis: day.UnixMilli(), schema.TimeUnitMicros: day.UnixMicro(), schema.TimeUnitNanos: day.UnixNano()} {
		for _, utc := range []bool{false, true} {
			checkParquet(t, schema.NewTimestampLogicalType(utc, unit), types.Int64, -1, [2]int64{ticks, 0}, timeCells, want)
		}
	}
	var moon, epoch parquet.Int96 // the Julian day after the nanoseconds; 1970 begins with day 2440588
	binary.LittleEndian.PutUint64(moon[:], 73_060_250_000_000)
	binary.LittleEndian.PutUint32(moon[8:], 2440588-165)
	binary.LittleEndian.PutUint32(epoch[8:], 2440588)
	checkParquet(t, none, types.Int96, -1, [2]parquet.Int96{moon, epoch}, timeCells, want)
	checkParquet(t, schema.DateLogicalType{}, types.Int32, -1, [2]int32{-1, 19782}, timeCells, [2]any{-86400.0, 1709164800.0}) // 2024-02-29

	for _, logical := range []schema.LogicalType{schema.StringLogicalType{}, schema.EnumLogicalType{}, schema.JSONLogicalType{}} {
		checkParquet(t, logical, types.ByteArray, -1, [2]parquet.ByteArray{[]byte("größe"), {}}, textCells, [2]any{"größe", ""})
	}
}

// What is no cell is refused where it is selected, and only there.
func TestParquetFaults(t *testing.T) {
	leaf := func(logical schema.LogicalType, physical parquet.Type, length int) schema.Node {
		node, err := schema.NewPrimitiveNodeLogical("c", parquet.Repetitions.Required, logical, physical, length, -1)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	types := parquet.Types
	bytes := []parquet.ByteArray{[]byte("a"), []byte("b"), []byte("\xff")}
	none := schema.NoLogicalType{}
	for want, path := range map[string]string{
		`column "c": the type BYTE_ARRAY is neither`:     writeValues(t, leaf(none, types.ByteArray, -1), nil, bytes),
		`column "c": the type Time(isAdjusted`:           writeValues(t, leaf(schema.NewTimeLogicalType(true, schema.TimeUnitMillis), types.Int32, -1), nil, []int32{1}),
		`column "c": this cannot be decoded as Parquet`:  writeValues(t, leaf(schema.StringLogicalType{}, types.ByteArray, -1), nil, bytes),
		`row 6, column "c": "-Inf" is not finite`:        writeInfinity(t),
		`row 1, column "c": "+Inf" is not finite; mend`:  writeValues(t, leaf(none, types.Float, -1), nil, []float32{float32(math.Inf(1))}),
		`column "c": the type UUID is neither a number,`: writeValues(t, leaf(schema.UUIDLogicalType{}, types.FixedLenByteArray, 16), nil, []parquet.FixedLenByteArray{make([]byte, 16)}),
	} {
		wantFault(t, want, drain(openFormat(format.Parquet, path)), want)
	}

	list := array.NewListBuilder(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64)
	group := array.NewStructBuilder(memory.DefaultAllocator, arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Int64}))
	number := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range int64(2) {
		list.Append(true)
		list.ValueBuilder().(*array.Int64Builder).AppendValues([]int64{i, i + 1}, nil)
		group.Append(true)
		group.FieldBuilder(0).(*array.Int64Builder).Append(10)
		group.FieldBuilder(1).(*array.Int64Builder).Append(20)
		number.Append(30 + i)
	}
	arrays := []arrow.Array{list.NewArray(), group.NewArray(), number.NewArray()}
	var fields []arrow.Field
	for j, a := range arrays {
		fields = append(fields, arrow.Field{Name: []string{"list", "group", "n"}[j], Type: a.DataType()})
	}
	path := filepath.Join(t.TempDir(), "t")
	writeParquet(t, path, array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, 2), 10)
	s, err := openFormat(format.Parquet, path)
	if err != nil || !reflect.DeepEqual(s.Names(), []string{"list", "group", "n"}) {
		t.Fatalf("%v", err)
	}
	wantFault(t, "list", s.Select([]int{2, 0}), `column "list": the type List is neither`)
	wantFault(t, "group", s.Select([]int{1}), `column "group": the type group is neither`)
	err = s.Select([]int{2})
	if got := readCells(t, s, err); len(got) != 1 || !reflect.DeepEqual(got[0].Numbers, []float64{30, 31}) {
		t.Errorf("beside nested columns: %v", got)
	}

	file := filepath.Join(t.TempDir(), "nested.parquet")
	writeParquet(t, file, array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, 2), 10)
	read := func(o Options) error {
		r, err := Open(file, o)
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = r.ReadAll(t.Context())
		return err
	}
	wantFault(t, "all", read(Options{}), `nor a text, nor is that of another column; exclude the column or convert it, or give --column list=drop --column group=drop`)
	if err := read(Options{Needed: []string{"group"}}); err == nil || strings.Contains(err.Error(), "=drop") {
		t.Errorf("a column that is needed: %v", err)
	}
}

// writeInfinity writes −∞ to the last of six rows and a missing one before.
func writeInfinity(t *testing.T) string {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{1, 2, 3, 4, 0, math.Inf(-1)}, []bool{true, true, true, true, false, true})
	batch := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil), []arrow.Array{b.NewArray()}, 6)
	path := filepath.Join(t.TempDir(), "t")
	writeParquet(t, path, batch, 3)
	return path
}

// Texts are right however many there are to keep, and pages and blocks may end anywhere.
func TestParquetManyTexts(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	text := func(i int) string { return fmt.Sprint(i%9973, strings.Repeat("x", i%300)) }
	const rows = 1<<16 + 5000
	for i := range rows {
		b.Append(text(i))
	}
	batch := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String}}, nil), []arrow.Array{b.NewArray()}, rows)
	for _, dictionary := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "t")
		writeParquet(t, path, batch, 20_000, parquet.WithDictionaryDefault(dictionary), parquet.WithDataPageSize(10_001))
		s, err := openFormat(format.Parquet, path)
		got := readCells(t, s, err)
		if len(got[0].Texts) != rows {
			t.Fatalf("%d rows", len(got[0].Texts))
		}
		for i, v := range got[0].Texts {
			if v != text(i) {
				t.Fatalf("row %d is %.40q, want %.40q", i+1, v, text(i))
			}
		}
	}
}

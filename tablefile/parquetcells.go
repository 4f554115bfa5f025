//go:build !lean && !wasm

package tablefile

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"beziergp/table/exact"
)

// pageDecoder writes the cells of a chunk's next rows, which are of one page and n
// at most, into cells from, from+1, …, and returns how many there were.
type pageDecoder func(chunk file.ColumnChunkReader, cells *typedCells, from, n int) (int, error)

// parquetType returns the kind of cell that holds a column's values and what
// decodes them, which is nil if the values are no cells.
func parquetType(node schema.Node) (cellKind, pageDecoder) {
	leaf, ok := node.(*schema.PrimitiveNode)
	if !ok || leaf.RepetitionType() == parquet.Repetitions.Repeated {
		return 0, nil
	}
	switch leaf.PhysicalType() {
	case parquet.Types.Boolean:
		return boolCells, decodeNumbers(leaf, fillBits)
	case parquet.Types.Int32:
		return parquetInt[int32](leaf)
	case parquet.Types.Int64:
		return parquetInt[int64](leaf)
	case parquet.Types.Int96: // a time, and nothing else since 2013
		return timeCells, decodeNumbers(leaf, fillInt96)
	case parquet.Types.Float:
		return numberCells, decodeNumbers(leaf, widen[float32])
	case parquet.Types.Double:
		return numberCells, decodeNumbers(leaf, func(dst, src []float64) { copy(dst, src) })
	case parquet.Types.ByteArray:
		switch t := leaf.LogicalType().(type) {
		case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
			return textCells, decodeTexts(leaf)
		case schema.DecimalLogicalType:
			return numberCells, decodeNumbers(leaf, fillDecimalBytes[parquet.ByteArray](t.Scale()))
		}
	case parquet.Types.FixedLenByteArray:
		switch t := leaf.LogicalType().(type) {
		case schema.Float16LogicalType:
			return numberCells, decodeNumbers(leaf, fillFloat16)
		case schema.DecimalLogicalType:
			return numberCells, decodeNumbers(leaf, fillDecimalBytes[parquet.FixedLenByteArray](t.Scale()))
		}
	}
	return 0, nil
}

func parquetInt[T int32 | int64](leaf *schema.PrimitiveNode) (cellKind, pageDecoder) {
	switch t := leaf.LogicalType().(type) {
	case schema.NoLogicalType, schema.NullLogicalType:
		return numberCells, decodeNumbers(leaf, widen[T])
	case schema.IntLogicalType:
		if t.IsSigned() {
			return numberCells, decodeNumbers(leaf, widen[T])
		}
		bits := ^uint64(0) >> (64 - t.BitWidth())
		return numberCells, decodeNumbers(leaf, func(dst []float64, src []T) {
			for i, v := range src {
				dst[i] = float64(uint64(v) & bits)
			}
		})
	case schema.DecimalLogicalType:
		return numberCells, decodeNumbers(leaf, func(dst []float64, src []T) {
			for i, v := range src {
				dst[i] = decimal(decimal128.FromI64(int64(v)), t.Scale())
			}
		})
	case schema.DateLogicalType:
		return timeCells, decodeNumbers(leaf, func(dst []float64, src []T) {
			for i, days := range src {
				dst[i] = float64(days) * 86400
			}
		})
	case schema.TimestampLogicalType:
		perSecond := ticks[t.TimeUnit()]
		return timeCells, decodeNumbers(leaf, func(dst []float64, src []T) {
			for i, ticks := range src {
				dst[i] = seconds(int64(ticks), perSecond)
			}
		})
	}
	return 0, nil
}

// parquetKind returns the kind of a column to keep, whose cells are of a kind.
func parquetKind(node schema.Node, kind cellKind) exact.Kind {
	switch kind {
	case textCells:
		return exact.Kind{Type: exact.Text}
	case boolCells:
		return exact.Kind{Type: exact.Truth}
	}
	leaf := node.(*schema.PrimitiveNode)
	switch t := leaf.LogicalType().(type) {
	case schema.DateLogicalType:
		return exact.Kind{Type: exact.Date}
	case schema.TimestampLogicalType:
		k := exact.Kind{Type: exact.Time, PerSecond: ticks[t.TimeUnit()]}
		if t.IsAdjustedToUTC() {
			k.Zone = "UTC"
		}
		return k
	case schema.DecimalLogicalType:
		return exact.Kind{Type: exact.Number}
	}
	switch leaf.PhysicalType() {
	case parquet.Types.Int96:
		return exact.Kind{Type: exact.Time, PerSecond: 1e6}
	case parquet.Types.Int32, parquet.Types.Int64:
		return exact.Kind{Type: exact.Integer}
	}
	return exact.Kind{Type: exact.Number}
}

// ticks are what a second has of a unit of time.
var ticks = map[schema.TimeUnitType]int64{schema.TimeUnitMillis: 1e3, schema.TimeUnitMicros: 1e6, schema.TimeUnitNanos: 1e9}

// typeName names the type of a column whose values are no cells.
func typeName(node schema.Node) string {
	name := "group"
	if leaf, ok := node.(*schema.PrimitiveNode); ok {
		name = leaf.PhysicalType().String()
	}
	if t := node.LogicalType(); t != nil && !t.IsNone() {
		name = t.String()
	}
	if node.RepetitionType() == parquet.Repetitions.Repeated {
		name = "repeated " + name
	}
	return name
}

// chunkOf is a chunk whose values the library stores as T.
type chunkOf[T any] interface {
	ReadBatchInPage(n int64, values []T, definitions, repetitions []int16) (rows int64, present int, err error)
}

// pageRows is the most rows that are decoded at once: they stay in the cache.
const pageRows = 1 << 10

// batch is what is decoded at once.
type batch[T any] struct {
	values  []T
	present []int16 // 1 where a row has a value, 0 where it has none; nil if all have one
}

func newBatch[T any](leaf *schema.PrimitiveNode) batch[T] {
	b := batch[T]{values: make([]T, pageRows)}
	if leaf.RepetitionType() == parquet.Repetitions.Optional {
		b.present = make([]int16, pageRows)
	}
	return b
}

// read returns the values of the next rows and which of these have one. They are
// the page's memory.
func (b batch[T]) read(chunk file.ColumnChunkReader, n int) (rows int, values []T, present []int16, err error) {
	count, some, err := chunk.(chunkOf[T]).ReadBatchInPage(int64(min(n, pageRows)), b.values, b.present, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	if b.present == nil {
		return int(count), b.values[:some], nil, nil
	}
	present = b.present[:count]
	want := 0
	for _, p := range present {
		want += int(p)
	}
	if want != some {
		return 0, nil, nil, fmt.Errorf("%d values of %d", some, want)
	}
	return int(count), b.values[:some], present, nil
}

// decodeNumbers decodes a column whose values fill writes as numbers.
func decodeNumbers[T any](leaf *schema.PrimitiveNode, fill func(dst []float64, src []T)) pageDecoder {
	var b batch[T]
	return func(chunk file.ColumnChunkReader, cells *typedCells, from, n int) (int, error) {
		if b.values == nil { // not before the column is selected
			b = newBatch[T](leaf)
		}
		rows, values, present, err := b.read(chunk, n)
		if err != nil {
			return 0, err
		}
		dst := cells.Numbers[from : from+rows]
		fill(dst[:len(values)], values)
		if ints, ok := any(values).([]int64); ok {
			if cells.Kind == numberCells {
				addInts(&cells.wide, ints, dst[:len(values)])
			}
			if cells.keep {
				cells.whole = true
				copy(cells.Integers[from:], ints)
				spread(cells.Integers[from:from+rows], len(values), present, 0)
			}
		}
		spread(dst, len(values), present, math.NaN())
		return rows, nil
	}
}

// spread moves the first numbers of dst, which are count, to where one is present,
// from the last on, and makes the others missing.
func spread[T any](dst []T, count int, present []int16, missing T) {
	for i := len(dst) - 1; count <= i; i-- {
		if present[i] == 0 {
			dst[i] = missing
		} else {
			count--
			dst[i] = dst[count]
		}
	}
}

// decodeTexts decodes a column of texts.
func decodeTexts(leaf *schema.PrimitiveNode) pageDecoder {
	var b batch[parquet.ByteArray]
	var known recentTexts
	return func(chunk file.ColumnChunkReader, cells *typedCells, from, n int) (int, error) {
		if b.values == nil {
			b = newBatch[parquet.ByteArray](leaf)
		}
		rows, values, present, err := b.read(chunk, n)
		if err != nil {
			return 0, err
		}
		for i := range rows {
			if present != nil && present[i] == 0 {
				cells.miss(from + i)
				continue
			}
			if cells.Texts[from+i], err = known.text(values[0]); err != nil {
				return 0, err
			}
			values = values[1:]
		}
		return rows, nil
	}
}

// recentTexts keeps one copy of texts that come again and again, as those of a
// dictionary do, and checks it once.
type recentTexts struct {
	texts map[string]string
	size  int
}

func (r *recentTexts) text(b []byte) (string, error) {
	if text, ok := r.texts[string(b)]; ok {
		return text, nil
	}
	if !utf8.Valid(b) {
		return "", fmt.Errorf("the text %q is not UTF-8", b)
	}
	const most, each = 1 << 20, 64 // bytes
	if r.size += each + len(b); r.texts == nil || r.size > most {
		r.texts, r.size = map[string]string{}, each+len(b)
	}
	text := string(b)
	r.texts[text] = text
	return text, nil
}

func fillBits(dst []float64, src []bool) {
	for i, v := range src {
		dst[i] = 0
		if v {
			dst[i] = 1
		}
	}
}

// fillInt96 reads nanoseconds of a day and the day in Julian days.
func fillInt96(dst []float64, src []parquet.Int96) {
	const epoch = 2440588 // 1970-01-01 as a Julian day
	for i := range src {
		days := int64(binary.LittleEndian.Uint32(src[i][8:])) - epoch
		nanoseconds := int64(binary.LittleEndian.Uint64(src[i][:8]))
		dst[i] = float64(days)*86400 + seconds(nanoseconds, 1e9)
	}
}

func fillFloat16(dst []float64, src []parquet.FixedLenByteArray) {
	for i, b := range src {
		dst[i] = float64(float16.FromLEBytes(b).Float32())
	}
}

// fillDecimalBytes reads two's complements, the highest byte first.
func fillDecimalBytes[T ~[]byte](scale int32) func(dst []float64, src []T) {
	return func(dst []float64, src []T) {
		for i, b := range src {
			dst[i] = decimalBytes(b, scale)
		}
	}
}

func decimalBytes(b []byte, scale int32) float64 {
	if len(b) <= 8 {
		v := int64(0)
		if len(b) > 0 && b[0] >= 0x80 {
			v = -1
		}
		for _, digit := range b {
			v = v<<8 | int64(digit)
		}
		return decimal(decimal128.FromI64(v), scale)
	}
	if len(b) > 1<<10 { // beyond 10^2400: no decimal, but digits that take for ever
		return math.Inf(1)
	}
	v := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return scaled(v.String(), scale)
}

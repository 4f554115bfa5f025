//go:build !lean && !wasm

package tablefile

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"beziergp/table/exact"
)

// arrowKind returns the kind of cell that holds values of an Arrow type, if there is one.
func arrowKind(t arrow.DataType) (kind cellKind, ok bool) {
	switch t.ID() {
	case arrow.DICTIONARY:
		return arrowKind(t.(*arrow.DictionaryType).ValueType)
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return textCells, true
	case arrow.BOOL:
		return boolCells, true
	case arrow.DATE32, arrow.DATE64, arrow.TIMESTAMP:
		return timeCells, true
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64,
		arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256, arrow.NULL:
		return numberCells, true
	}
	return 0, false
}

// texts are arrays of strings, however they keep them.
type texts interface {
	arrow.Array
	Value(i int) string
}

// fillArrow writes the values of an array into cells from, from+1, …, which have
// room for them and are of its kind.
func fillArrow(cells *typedCells, from int, a arrow.Array) error {
	if d, ok := a.(*array.Dictionary); ok {
		return fillDictionary(cells, from, d)
	}
	if cells.Kind == textCells {
		return fillTexts(cells, from, a)
	}
	fillNumbers(cells, cells.Numbers[from:from+a.Len()], a)
	if cells.keep {
		fillIntegers(cells, from, a)
	}
	fillMissing(cells, from, a)
	return nil
}

func fillMissing(cells *typedCells, from int, a arrow.Array) {
	if a.NullN() == 0 {
		return
	}
	for i := range a.Len() {
		if a.IsNull(i) {
			cells.miss(from + i)
		}
	}
}

func fillTexts(cells *typedCells, from int, a arrow.Array) error {
	values := a.(texts)
	for i := range a.Len() {
		if a.IsNull(i) {
			cells.miss(from + i)
			continue
		}
		text := values.Value(i)
		if !utf8.ValidString(text) {
			return fmt.Errorf("the text %q is not UTF-8", text)
		}
		cells.Texts[from+i] = text
	}
	return nil
}

// fillDictionary looks each value up in the array's dictionary.
func fillDictionary(cells *typedCells, from int, a *array.Dictionary) error {
	levels := typedCells{keep: cells.keep}
	levels.resize(cells.Kind, a.Dictionary().Len())
	if err := fillArrow(&levels, 0, a.Dictionary()); err != nil {
		return err
	}
	cells.wide.merge(levels.wide)
	cells.whole = levels.whole
	for i := range a.Len() {
		switch {
		case a.IsNull(i):
			cells.miss(from + i)
		case cells.Kind != textCells:
			cells.Numbers[from+i] = levels.Numbers[a.GetValueIndex(i)]
			if levels.whole {
				cells.Integers[from+i] = levels.Integers[a.GetValueIndex(i)]
			}
		case levels.Missing != nil && levels.Missing[a.GetValueIndex(i)]:
			cells.miss(from + i)
		default:
			cells.Texts[from+i] = levels.Texts[a.GetValueIndex(i)]
		}
	}
	return nil
}

// fillNumbers writes the numbers of an array to dst. What it writes where a value
// is missing has no meaning. It notes whole numbers in the cells.
func fillNumbers(cells *typedCells, dst []float64, a arrow.Array) {
	switch a := a.(type) {
	case *array.Float64:
		copy(dst, a.Float64Values())
	case *array.Float32:
		widen(dst, a.Float32Values())
	case *array.Int8:
		widen(dst, a.Int8Values())
	case *array.Int16:
		widen(dst, a.Int16Values())
	case *array.Int32:
		widen(dst, a.Int32Values())
	case *array.Int64:
		widen(dst, a.Int64Values())
		noteArrow(&cells.wide, a, a.Int64Values(), dst)
	case *array.Uint8:
		widen(dst, a.Uint8Values())
	case *array.Uint16:
		widen(dst, a.Uint16Values())
	case *array.Uint32:
		widen(dst, a.Uint32Values())
	case *array.Uint64:
		widen(dst, a.Uint64Values())
		noteArrow(&cells.wide, a, a.Uint64Values(), dst)
	case *array.Float16:
		for i := range dst {
			dst[i] = float64(a.Value(i).Float32())
		}
	case *array.Boolean:
		for i := range dst {
			dst[i] = 0
			if a.Value(i) {
				dst[i] = 1
			}
		}
	case *array.Date32:
		for i, days := range a.Date32Values() {
			dst[i] = float64(days) * 86400
		}
	case *array.Date64:
		for i, ms := range a.Date64Values() {
			dst[i] = seconds(int64(ms), 1000)
		}
	case *array.Timestamp:
		perSecond := int64(1e9) / int64(a.DataType().(*arrow.TimestampType).Unit.Multiplier())
		for i, ticks := range a.TimestampValues() {
			dst[i] = seconds(int64(ticks), perSecond)
		}
	default:
		fillDecimals(dst, a)
	}
}

// fillIntegers writes the numbers of an array of 64 bits to the cells' whole numbers.
func fillIntegers(cells *typedCells, from int, a arrow.Array) {
	dst := cells.Integers[from:]
	cells.whole = true
	switch a := a.(type) {
	case *array.Int64:
		copy(dst, a.Int64Values())
	case *array.Uint64:
		for i, v := range a.Uint64Values() {
			dst[i] = int64(v)
		}
	case *array.Timestamp:
		for i, v := range a.TimestampValues() {
			dst[i] = int64(v)
		}
	default:
		cells.whole = false
	}
}

// exactArrow returns the kind of a column of an Arrow type to keep.
func exactArrow(t arrow.DataType) exact.Kind {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return exactArrow(t.ValueType)
	case *arrow.TimestampType:
		return exact.Kind{Type: exact.Time, PerSecond: int64(1e9) / int64(t.Unit.Multiplier()), Zone: t.TimeZone}
	}
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return exact.Kind{Type: exact.Text}
	case arrow.BOOL:
		return exact.Kind{Type: exact.Truth}
	case arrow.DATE32, arrow.DATE64:
		return exact.Kind{Type: exact.Date}
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return exact.Kind{Type: exact.Integer}
	}
	return exact.Kind{Type: exact.Number}
}

// noteArrow notes the whole numbers of an array that are not missing.
func noteArrow[T int64 | uint64](w *wide, a arrow.Array, ints []T, floats []float64) {
	for i, v := range floats {
		if isWide(v) && a.IsValid(i) {
			addInts(w, ints[i:i+1], floats[i:i+1])
		}
	}
}

func widen[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32](dst []float64, src []T) {
	for i, v := range src {
		dst[i] = float64(v)
	}
}

func fillDecimals(dst []float64, a arrow.Array) {
	switch a := a.(type) {
	case *array.Decimal32:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		for i := range dst {
			dst[i] = decimal(decimal128.FromI64(int64(a.Value(i))), scale)
		}
	case *array.Decimal64:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		for i := range dst {
			dst[i] = decimal(decimal128.FromI64(int64(a.Value(i))), scale)
		}
	case *array.Decimal128:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		for i := range dst {
			dst[i] = decimal(a.Value(i), scale)
		}
	case *array.Decimal256:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		for i := range dst {
			dst[i] = scaled(a.Value(i).BigInt().String(), scale)
		}
	case *array.Null: // which has no bitmap that would tell that values are missing
		for i := range dst {
			dst[i] = math.NaN()
		}
	default:
		panic(fmt.Sprintf("an array of type %v where none was selected", a.DataType()))
	}
}

// decimal returns v·10^−scale, rounded once.
func decimal(v decimal128.Num, scale int32) float64 {
	// Whole numbers below 2^53 and tens of ten up to 22 are float64s, and a
	// quotient of two of them is rounded once.
	low := int64(v.LowBits())
	if small := low > -1<<53 && low < 1<<53 && v.HighBits() == low>>63; small && scale >= 0 && scale < int32(len(tens)) {
		return float64(low) / tens[scale]
	}
	return scaled(v.BigInt().String(), scale)
}

func scaled(digits string, scale int32) float64 {
	v, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(-int(scale)), 64) // out of range is ±Inf, which is refused
	return v
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

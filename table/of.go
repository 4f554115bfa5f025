package table

import (
	"math"
	"reflect"
	"slices"
	"time"
)

// Value is what a column can be made of: numbers, truth values, texts and times, or types
// that are based on them.
type Value interface {
	~float64 | ~float32 | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~bool | ~string | time.Time
}

// ColumnOf returns the column of these values, one a row. What it holds follows from their
// type alone, and is what a reader of files makes of a column of that type:
//
//   - numbers are [Numeric]. NaN is a missing value; an infinite one is refused by [New].
//     An integer beyond ±2⁵³ becomes the float64 nearest to it.
//   - bool is [Boolean].
//   - string is [Category]: every distinct text is a level, in the order of their bytes,
//     and taken as it is, so that the text "7" is a name and no number. The empty text is
//     a missing value, as an empty cell of a file is. [New] refuses texts that are not UTF-8.
//   - [time.Time] is [DateTime], the instant in seconds; the zero time is a missing value.
//
// A []float64 is kept and must not be changed afterwards; all others are copied.
// [OptionalOf] is for values that may be missing where their type has none that says so.
func ColumnOf[T Value](name string, values []T) Column {
	if floats, ok := any(values).([]float64); ok {
		return Column{Name: name, Kind: Numeric, Values: floats}
	}
	return columnOf(name, len(values), func(row int) *T { return &values[row] })
}

// OptionalOf is [ColumnOf] for values of which nil is a missing one.
func OptionalOf[T Value](name string, values []*T) Column {
	return columnOf(name, len(values), func(row int) *T { return values[row] })
}

func columnOf[T Value](name string, rows int, at func(row int) *T) Column {
	of := reflect.TypeFor[T]()
	if of.Kind() == reflect.String {
		return categoryOf(name, rows, func(row int) string {
			if v := at(row); v != nil {
				return reflect.ValueOf(v).Elem().String()
			}
			return ""
		})
	}
	c := Column{Name: name, Kind: Numeric, Values: make([]float64, rows)}
	for row := range c.Values {
		c.Values[row] = math.NaN()
		if v := at(row); v != nil {
			c.Values[row] = numberOf(reflect.ValueOf(v).Elem())
		}
	}
	switch of.Kind() {
	case reflect.Bool:
		c.Kind = Boolean
	case reflect.Struct:
		c.Kind = DateTime
	}
	return c
}

// numberOf returns the number that stands for a value that is no text.
func numberOf(v reflect.Value) float64 {
	switch {
	case v.CanFloat():
		return v.Float()
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	}
	t := v.Interface().(time.Time)
	if t.IsZero() {
		return math.NaN()
	}
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}

// categoryOf returns the column of the levels that texts name; an empty one is missing.
func categoryOf(name string, rows int, at func(row int) string) Column {
	c := Column{Name: name, Kind: Category, Values: make([]float64, rows)}
	code := map[string]float64{"": math.NaN()}
	for row := range rows {
		text := at(row)
		if _, known := code[text]; !known {
			code[text] = 0
			c.Levels = append(c.Levels, text)
		}
	}
	slices.Sort(c.Levels)
	for i, level := range c.Levels {
		code[level] = float64(i)
	}
	for row := range rows {
		c.Values[row] = code[at(row)]
	}
	return c
}

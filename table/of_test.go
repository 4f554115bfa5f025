package table_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"beziergp/table"
)

type celsius float32

type city string

// equal compares columns, NaN with NaN.
func equal(a, b table.Column) bool {
	if a.Name != b.Name || a.Kind != b.Kind || !reflect.DeepEqual(a.Levels, b.Levels) || len(a.Values) != len(b.Values) {
		return false
	}
	for i, v := range a.Values {
		if math.Float64bits(v) != math.Float64bits(b.Values[i]) && (v == v || b.Values[i] == b.Values[i]) {
			return false
		}
	}
	return true
}

func TestColumnsOfGoValues(t *testing.T) {
	nan := math.NaN()
	noon := time.Date(2024, 2, 29, 12, 0, 0, 250_000_000, time.FixedZone("", 3600))
	truth, seven, empty, rome := true, 7, "", "Rome"
	levels := func(values []float64, names ...string) table.Column {
		return table.Column{Name: "c", Kind: table.Category, Levels: names, Values: values}
	}
	numbers := func(kind table.Kind, values ...float64) table.Column {
		return table.Column{Name: "c", Kind: kind, Values: values}
	}
	for name, c := range map[string]struct{ got, want table.Column }{
		"float64":  {table.ColumnOf("c", []float64{1.5, nan}), numbers(table.Numeric, 1.5, nan)},
		"float32":  {table.ColumnOf("c", []float32{0.1, float32(nan)}), numbers(table.Numeric, float64(float32(0.1)), nan)},
		"int":      {table.ColumnOf("c", []int{-3, 1<<53 + 1}), numbers(table.Numeric, -3, 1<<53)},
		"uint8":    {table.ColumnOf("c", []uint8{255}), numbers(table.Numeric, 255)},
		"uint64":   {table.ColumnOf("c", []uint64{1 << 63}), numbers(table.Numeric, 1<<63)},
		"named":    {table.ColumnOf("c", []celsius{-1}), numbers(table.Numeric, -1)},
		"bool":     {table.ColumnOf("c", []bool{true, false}), numbers(table.Boolean, 1, 0)},
		"time":     {table.ColumnOf("c", []time.Time{noon, {}}), numbers(table.DateTime, 1709204400.25, nan)},
		"string":   {table.ColumnOf("c", []string{"b", "", "a", "b", "10", " "}), levels([]float64{3, nan, 2, 3, 1, 0}, " ", "10", "a", "b")},
		"city":     {table.ColumnOf("c", []city{"Rome", "Oslo"}), levels([]float64{1, 0}, "Oslo", "Rome")},
		"nothing":  {table.ColumnOf("c", []string{"", ""}), levels([]float64{nan, nan})},
		"no rows":  {table.ColumnOf[int]("c", nil), numbers(table.Numeric)},
		"*int":     {table.OptionalOf("c", []*int{nil, &seven}), numbers(table.Numeric, nan, 7)},
		"*bool":    {table.OptionalOf("c", []*bool{&truth, nil}), numbers(table.Boolean, 1, nan)},
		"*string":  {table.OptionalOf("c", []*string{nil, &rome, &empty}), levels([]float64{nan, 0, nan}, "Rome")},
		"*time":    {table.OptionalOf("c", []*time.Time{nil, &noon}), numbers(table.DateTime, nan, 1709204400.25)},
		"*float64": {table.OptionalOf("c", []*float64{nil, &nan}), numbers(table.Numeric, nan, nan)},
	} {
		if !equal(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
		if _, err := table.New(c.got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestColumnsOfAMatrix(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, math.NaN()})
	columns, err := table.ColumnsOf(m.T(), "a", "b")
	if err != nil || len(columns) != 2 || columns[1].Name != "b" || columns[1].Kind != table.Numeric || fmt.Sprint(columns[1].Values) != "[4 5 NaN]" {
		t.Errorf("columns %+v, error %v", columns, err)
	}
	if columns, err = table.ColumnsOf(m); err != nil || len(columns) != 3 || columns[2].Name != "x3" || columns[2].Values[0] != 3 {
		t.Errorf("columns %+v, error %v", columns, err)
	}
}

// What makes no table is an error with a type of its own, and says where it is.
func TestErrorsAreTyped(t *testing.T) {
	ok := table.ColumnOf("x", []float64{1, 2})
	columns, _ := table.ColumnsOf(&mat.Dense{})
	for want, columns := range map[error][]table.Column{
		table.ErrNoColumns: columns,
		&table.NameError{Name: "x", Column: 2, Other: 1}: {ok, ok},
		&table.NameError{Column: 2}:                      {ok, table.ColumnOf("", []int{1, 2})},
		&table.NameError{Name: "\xff", Column: 1}:        {table.ColumnOf("\xff", []int{1})},
		&table.LengthError{"y", 3, "x", 2}:               {ok, table.ColumnOf("y", []int{1, 2, 3})},
		&table.ValueError{2, "y", math.Inf(-1), "is not a finite number"}: {
			table.ColumnOf("y", []float32{0, float32(math.Inf(-1))})},
		&table.LevelError{"c", "\xc3("}: {table.ColumnOf("c", []string{"a", "\xc3("})},
	} {
		if _, err := table.New(columns...); !reflect.DeepEqual(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	var width *table.WidthError
	if _, err := table.FromRows([]string{"x"}, [][]float64{{1}, {1, 2}}); !errors.As(err, &width) || width.Row != 2 || width.Values != 2 {
		t.Errorf("error %v", err)
	}
	if _, err := table.ColumnsOf(mat.NewDense(1, 2, nil), "x"); !errors.As(err, &width) || width.Names != 1 || width.Values != 2 {
		t.Errorf("error %v", err)
	}
}

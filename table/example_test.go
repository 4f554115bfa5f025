package table_test

import (
	"fmt"
	"log"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"beziergp/table"
)

// A table of slices: what a column holds follows from the type of its values.
func ExampleColumnOf() {
	day := func(d int) time.Time { return time.Date(2024, 5, d, 0, 0, 0, 0, time.UTC) }
	t, err := table.New(
		table.ColumnOf("minutes", []float64{12.5, 31, math.NaN()}), // the last one is missing
		table.ColumnOf("stops", []int{2, 5, 3}),
		table.ColumnOf("express", []bool{true, false, true}),
		table.ColumnOf("city", []string{"Rome", "Oslo", ""}), // so is the last of these
		table.ColumnOf("day", []time.Time{day(1), day(2), {}}))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range t.Names() {
		f, _ := t.Field(name)
		values, _ := t.Column(name)
		fmt.Println(name, f.Kind, f.Levels, values)
	}
	// Output:
	// minutes numeric [] [12.5 31 NaN]
	// stops numeric [] [2 5 3]
	// express boolean [] [1 0 1]
	// city category [Oslo Rome] [1 0 NaN]
	// day datetime [] [1.7145216e+09 1.714608e+09 NaN]
}

// Values that may be missing where their type cannot say so: nil is a missing one.
func ExampleOptionalOf() {
	two, no := 2, false
	t, err := table.New(
		table.OptionalOf("stops", []*int{&two, nil}),
		table.OptionalOf("express", []*bool{nil, &no}))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range t.Names() {
		values, _ := t.Column(name)
		fmt.Println(name, values)
	}
	// Output:
	// stops [2 NaN]
	// express [NaN 0]
}

// A matrix of inputs beside a slice of targets.
func ExampleColumnsOf() {
	x := mat.NewDense(3, 2, []float64{
		1, 10,
		2, 20,
		3, 30,
	})
	columns, err := table.ColumnsOf(x)
	if err != nil {
		log.Fatal(err)
	}
	t, err := table.New(append(columns, table.ColumnOf("y", []float64{0.1, 0.4, 0.9}))...)
	if err != nil {
		log.Fatal(err)
	}
	second, _ := t.Column("x2")
	fmt.Println(t.Rows(), t.Names(), second)
	// Output: 3 [x1 x2 y] [10 20 30]
}

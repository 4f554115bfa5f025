package dataset_test

import (
	"fmt"
	"log"
	"math"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/table"
)

// A training set has two targets here: rows that lack one are left out.
func ExampleFromTable() {
	t, err := table.New(
		table.ColumnOf("hour", []int{0, 6, 12, 24}),
		table.ColumnOf("sky", []string{"clear", "clouds", "clear", "clear"}),
		table.ColumnOf("degrees", []float64{10, 12, 20, 14}),
		table.ColumnOf("rain", []float64{0, 3, 0, math.NaN()}))
	if err != nil {
		log.Fatal(err)
	}
	s, err := dataset.FromTable(t, dataset.Options{Targets: []box.Target{
		{Name: "degrees"},
		{Name: "rain", Transform: box.Log1p},
	}})
	if err != nil {
		log.Fatal(err)
	}
	x, y, _, err := s.Load(1)
	if err != nil {
		log.Fatal(err)
	}
	for i := range s.Rows {
		fmt.Printf("row %d: inputs %.2f, targets %.2f\n", s.Place(i+1), x[2*i:2*i+2], y[2*i:2*i+2])
	}
	// Output:
	// row 1: inputs [0.00 0.00], targets [-0.93 -0.71]
	// row 2: inputs [0.50 1.00], targets [-0.46 1.41]
	// row 3: inputs [1.00 0.00], targets [1.39 -0.71]
}

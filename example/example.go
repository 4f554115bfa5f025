// Package example holds a table to try things on: the flow of water through a
// borehole, a test function of eight inputs, with noise.
//
// It is known what is to be learnt, [Flow], and how well it can be, [NoiseStd].
package example

import (
	"bytes"
	"context"
	_ "embed" // the table
	"slices"

	"beziergp/table"
	"beziergp/tablefile"
)

//go:generate go run ./generate borehole.csv

//go:embed borehole.csv
var borehole []byte

// CSV returns the table as a file, [Rows] rows of the columns of [Inputs] and then
// [Target]. The slice is the caller's.
func CSV() []byte { return slices.Clone(borehole) }

// Table returns the table.
func Table() (*table.Table, error) {
	r, err := tablefile.NewReader(bytes.NewReader(borehole), "borehole.csv", tablefile.Options{})
	if err != nil {
		return nil, err
	}
	return r.ReadAll(context.Background())
}

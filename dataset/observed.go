package dataset

import (
	"slices"

	"beziergp/tablecache"
)

// Observed is a target of the rows of a set as it is in the table, without the rows.
type Observed struct {
	values []float64 // of rows in memory
	places []int     // their rows in the table, counted from 1; nil for the same
	rows   blocks    // those out of core
	column int
}

// Observed returns target k, counted from 0.
func (s *Set) Observed(k int) *Observed {
	column := s.columns.targets[k]
	if m, ok := s.rows.(*memory); ok {
		return &Observed{values: m.columns[column], places: m.places}
	}
	return &Observed{rows: s.rows, column: column}
}

// At returns the targets of some rows of the set, counted from 0 and in ascending order, and
// which rows of the table they are, counted from 1. It fails where these cannot be read.
func (o *Observed) At(rows []int) (places []int, y []float64, err error) {
	var b tablecache.Buffer
	for from := 0; from < len(rows) && o.rows != nil; {
		block := rows[from] / o.rows.BlockRows()
		if _, err := o.rows.Read(block, &b); err != nil {
			return nil, nil, err
		}
		for ; from < len(rows) && rows[from]/o.rows.BlockRows() == block; from++ {
			y = append(y, b.Columns[o.column][rows[from]%o.rows.BlockRows()])
		}
	}
	for _, row := range rows {
		if o.rows == nil {
			y = append(y, o.values[row])
		}
		if o.places != nil {
			row = o.places[row] - 1
		}
		places = append(places, row+1)
	}
	return places, slices.Clip(y), nil
}

package dataset

import (
	"math"

	"beziergp/box"
	"beziergp/table"
)

// absences are the sets of rows that columns lack a value in, as bits.
type absences map[string]bool

// tells tells of a column, by its values, whether which of them are missing may tell something that no column before it does.
func (a absences) tells(kind table.Kind, values []float64) bool {
	missing, bits := 0, make([]byte, (len(values)+7)/8)
	for i, v := range values {
		if math.IsNaN(v) {
			missing++
			bits[i/8] |= 1 << (i % 8)
		}
	}
	if !box.TellsAbsent(kind, missing, len(values)) || a[string(bits)] {
		return false
	}
	a[string(bits)] = true
	return true
}

package effects

import (
	"beziergp/table/exact"
)

// curve is the individual conditional expectations of rows along an input, [rows, values].
type curve struct {
	input  int
	grid   []float64
	rows   []int64 // their numbers in the table
	values []float64
}

// curveColumns returns the curves as a table.
func (e *found) curveColumns() (names []string, columns []*exact.Column) {
	rows := exact.Integers(nil)
	place := []*exact.Column{exact.Texts(nil), exact.Numbers(nil), exact.Texts(nil)}
	mean := exact.Numbers(nil)
	for _, c := range e.curves {
		for k, row := range c.rows {
			for v, at := range c.grid {
				rows.AddInteger(row, false)
				e.addTo(place, []int{c.input}, []float64{at}, 0)
				mean.AddNumber(c.values[k*len(c.grid)+v])
			}
		}
	}
	return []string{"row", "input", "value", "level", "mean"}, append(append([]*exact.Column{rows}, place...), mean)
}

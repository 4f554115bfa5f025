package box

import (
	"math"

	"beziergp/table"
)

// OffsetColumn tells how the offset of a row comes of a column.
type OffsetColumn struct {
	Column string `json:"column"`
	// Exposure says that the offset is the logarithm of the column, which is positive.
	Exposure bool `json:"exposure,omitempty"`
}

// Of returns the offset of a row, or says why there is none.
func (o OffsetColumn) Of(v float64) (float64, error) {
	at := Place{Column: o.Column}
	switch {
	case v != v && o.Exposure:
		return 0, &LawError{Place: at, Value: v, Problem: "is missing, and it is the exposure", Remedy: "give a number above 0 or remove the row"}
	case v != v:
		return 0, &LawError{Place: at, Value: v, Problem: "is missing, and it is the offset", Remedy: "give a number or remove the row"}
	case o.Exposure && v <= 0:
		return 0, &LawError{Place: at, Value: v, Problem: "is no exposure", Remedy: "give a number above 0 or remove the row"}
	case o.Exposure:
		return math.Log(v), nil
	}
	return v, nil
}

// Field returns the column.
func (o *OffsetColumn) Field() table.Field { return table.Field{Name: o.Column} }

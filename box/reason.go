package box

import (
	"math"

	"beziergp/table"
)

// Reason says why a value does not lie in the box.
type Reason string

const (
	Inside   Reason = ""            // it does
	Beyond   Reason = "outside_box" // a number, or a part of a time, beyond its bounds
	NewLevel Reason = "new_level"   // a level of a category that no training row had
	NewGap   Reason = "new_missing" // missing, as in no training row
)

// Reasons are those for which a value does not lie in the box.
func Reasons() []Reason { return []Reason{Beyond, NewLevel, NewGap} }

// Reason says why a value of the input's column does not lie in the box, if it does not.
func (in Input) Reason(v float64) Reason {
	_, inside := in.coordinate(v)
	switch {
	case inside:
		return Inside
	case math.IsNaN(v):
		return NewGap
	case in.Kind == table.Category:
		return NewLevel
	}
	return Beyond
}

package box

import (
	"fmt"
	"math"
	"time"

	"beziergp/table"
	"beziergp/table/cell"
)

// Level returns the name of a function of a category; "" of a number.
func (in *Input) Level(node float64) string {
	switch {
	case in.Kind != table.Category:
		return ""
	case int(node) < len(in.Levels):
		return in.Levels[int(node)]
	case int(node) == in.Nodes():
		return "(missing)"
	}
	if in.Pooled != nil && in.Pooled.Apart {
		return fmt.Sprintf("(rare level %d)", int(node)-len(in.Levels)+1)
	}
	return "(rare levels)"
}

// Text returns a value of the input's column as text: a level's name, a date, a number.
func (in *Input) Text(v float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case in.Kind == table.Category && int(v) < len(in.Levels):
		return in.Levels[int(v)]
	case in.Kind == table.Category:
		return "another level"
	case in.Kind == table.DateTime:
		at := time.Unix(int64(v), 0).UTC()
		if v == math.Floor(v/secondsOfDay)*secondsOfDay {
			return at.Format(time.DateOnly)
		}
		return at.Format(time.DateTime)
	}
	return cell.Canonical(v)
}

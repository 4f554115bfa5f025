package describe

import (
	"fmt"
	"math"
	"slices"

	"beziergp/table"
)

// column is what there is to say of one.
type column struct {
	Name     string     `json:"name"`
	Kind     table.Kind `json:"kind"`
	Missing  int        `json:"missing"`
	Distinct int        `json:"distinct"`
	Min      *float64   `json:"min,omitempty"` // nil of a category, and without values
	Max      *float64   `json:"max,omitempty"`
	Levels   int        `json:"levels,omitempty"`
	Top      []level    `json:"top,omitempty"` // of a category, those that occur most
}

type level struct {
	Level string `json:"level"`
	Count int    `json:"count"`
}

// top is how many levels are named.
const top = 5

// newColumn returns the description of a column, and its values in order, without
// those that are missing.
func newColumn(f table.Field, values []float64) (column, []float64) {
	c := column{Name: f.Name, Kind: f.Kind}
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	c.Missing = len(values) - len(sorted)
	slices.Sort(sorted)
	var levels []level
	for i := 0; i < len(sorted); {
		end := i
		for end < len(sorted) && sorted[end] == sorted[i] {
			end++
		}
		c.Distinct++
		if f.Kind == table.Category {
			levels = append(levels, level{f.Levels[int(sorted[i])], end - i})
		}
		i = end
	}
	switch {
	case f.Kind == table.Category:
		c.Levels = len(f.Levels)
		slices.SortStableFunc(levels, func(a, b level) int { return b.Count - a.Count })
		c.Top = levels[:min(top, len(levels))]
	case len(sorted) > 0:
		c.Min, c.Max = &sorted[0], &sorted[len(sorted)-1]
	}
	return c, sorted
}

// few rows may be distinct, or numbered, by chance.
const few = 20

// remark says what is suspicious about a column by itself, or nothing.
func remark(c column, sorted []float64, rows int) (about, text string) {
	known := len(sorted)
	switch {
	case known == 0:
		return "empty", "all values are missing"
	case c.Distinct == 1 && c.Missing == 0:
		return "constant", "has the same value in all rows: nothing can be learned from it"
	case 2*c.Missing > rows:
		return "missing", fmt.Sprintf("%.1f %% of the values are missing", 100*float64(c.Missing)/float64(rows))
	case known < few:
		return "", ""
	case c.Kind == table.Category && 10*c.Distinct > 9*known:
		return "identifier", fmt.Sprintf("%d of %d rows have a text of their own: it seems to name the rows", c.Distinct, known)
	case c.Kind == table.Numeric && numbersRows(sorted):
		return "identifier", fmt.Sprintf("holds each whole number from %.0f to %.0f once: it seems to number the rows", sorted[0], sorted[known-1])
	}
	return "", ""
}

// numbersRows tells whether values in order are 0, 1, 2, … or 1, 2, 3, ….
func numbersRows(sorted []float64) bool {
	if sorted[0] != 0 && sorted[0] != 1 {
		return false
	}
	for i, v := range sorted {
		if v != sorted[0]+float64(i) {
			return false
		}
	}
	return true
}

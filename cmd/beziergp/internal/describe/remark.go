package describe

import (
	"fmt"
	"math"
	"slices"

	"beziergp/table"
)

// few rows may be distinct, numbered or correlated by chance.
const few = 20

// remark says what is suspicious about a column by itself, or nothing. values are those of
// all rows, sorted those that are known, in order, and texts is what [dataset.AsTexts] says.
func remark(c column, values, sorted []float64, texts string) (about, text string) {
	rows, known := len(values), len(sorted)
	switch {
	case known == 0:
		return "empty", "all values are missing"
	case c.Distinct == 1 && c.Missing == 0:
		return "constant", "has the same value in all rows: nothing can be learned from it"
	case 2*c.Missing > rows:
		return "missing", fmt.Sprintf("%.1f %% of the values are missing", 100*float64(c.Missing)/float64(rows))
	case texts != "":
		return "text", texts
	case known < few:
		return "", ""
	case c.Kind == table.Category && 10*c.Distinct > 9*known:
		return "identifier", fmt.Sprintf("%d of %d rows have a text of their own: it seems to name the rows", c.Distinct, known)
	case c.Kind == table.Numeric && numbersRows(sorted):
		return "identifier", fmt.Sprintf("holds each whole number from %.0f to %.0f once: it seems to number the rows", sorted[0], sorted[known-1])
	case c.Kind == table.Numeric && c.Distinct == rows && isWhole(sorted) && slices.IsSorted(values):
		return "identifier", "holds whole numbers that grow from row to row: it seems to number the rows"
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

// isWhole tells whether all values are whole numbers.
func isWhole(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}

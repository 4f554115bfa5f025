package cell

import "beziergp/table"

// Value returns the number that a text stands for in a column of some kind, which is no
// category, and whether it stands for one. The text does not say that a value is missing.
func Value(kind table.Kind, text []byte) (float64, bool) {
	switch kind {
	case table.DateTime:
		return Time(text)
	case table.Boolean:
		if v, ok := Number(text); ok {
			return v, v == 0 || v == 1
		}
		return Truth(text)
	}
	return Number(text)
}

// Fault says why a text is no value of a kind, and what to do.
func Fault(kind table.Kind, text string) (problem, remedy string) {
	switch kind {
	case table.DateTime:
		return "is not a date or a time as ISO 8601 writes it", "write it as in 2024-02-29 or 2024-02-29T13:45:30Z"
	case table.Boolean:
		return "is neither true nor false", "write true or false, yes or no, 1 or 0"
	}
	return noNumber(text)
}

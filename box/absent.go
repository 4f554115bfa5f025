package box

import "beziergp/table"

// Absent is the [Part] of an input that tells whether its column, of numbers, truth values or date-times, lacks a
// value: 1 where it does, and else 0. The other inputs of the column are averaged out there.
const Absent Part = "missing"

// NewAbsent returns the input that tells whether a value is missing of the column that an input comes from.
func NewAbsent(of Input) Input {
	return Input{
		Name: of.Source() + "." + string(Absent), Column: of.Source(), Parts: of.Parts, Kind: of.Kind, Part: Absent, Hi: 1,
	}
}

// TellsAbsent tells whether so many of the values of a column are missing, and so many known, that a function of
// whether they are can be learned. A category has a level of its own for that ([Input.MissingLevel]).
func TellsAbsent(kind table.Kind, missing, rows int) bool {
	least := leastRows(rows)
	return kind != table.Category && missing >= least && rows-missing >= least
}

// AbsentText returns a value of such an input as text.
func AbsentText(v float64) string {
	if v == 1 {
		return "missing"
	}
	return "known"
}

package tablefile

import (
	"bytes"
	"unicode"

	"beziergp/table/cell"
)

// class is what a cell looks like by itself.
type class int

const (
	missingClass class = iota
	numberClass
	brokenClass // meant as a number, but none
	truthClass
	timeClass
	textClass
	classes
)

func classify(text []byte) class {
	if _, ok := cell.Number(text); ok {
		return numberClass
	}
	if cell.Missing(text) {
		return missingClass
	}
	if _, ok := cell.Truth(text); ok {
		return truthClass
	}
	if _, ok := cell.Time(text); ok {
		return timeClass
	}
	if cell.MeantAsNumber(text) {
		return brokenClass
	}
	return textClass
}

// trim takes blanks off a value; few have any.
func trim(text []byte) []byte {
	if n := len(text); n == 0 || text[0]-'!' < 0x7f-'!' && text[n-1]-'!' < 0x7f-'!' {
		return text
	}
	return bytes.TrimFunc(text, unicode.IsSpace)
}

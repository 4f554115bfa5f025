package tablefile

import (
	"bytes"
	"unicode"

	"beziergp/table"
	"beziergp/table/cell"
)

// class is what a cell looks like by itself.
type class int

const (
	missingClass class = iota
	gapClass           // missing among numbers and times, a text among texts
	numberClass
	brokenClass // meant as a number, but none
	truthClass
	timeClass
	textClass
	classes
)

// classify tells what a text looks like where such words stand for a missing value.
func classify(text []byte, missing *cell.Words) class {
	if v, ok := cell.Number(text); ok && !missing.Number(v) {
		return numberClass
	}
	if missing.Missing(table.Category, text) {
		return missingClass
	}
	if missing.Gap(text) {
		return gapClass
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

package tablefile

import (
	"bytes"
	"fmt"
	"slices"
)

// records splits a text of whole records, [RFC 4180], into cells.
//
// [RFC 4180]: https://www.rfc-editor.org/rfc/rfc4180
type records struct {
	text  []byte
	comma byte
	stop  [256]bool // the bytes that end a value which is not quoted
	at    int
	line  int // of at

	// Of the last record:
	cells  [][]byte // valid until the next one
	start  int      // its line
	breaks []int    // the cells that hold line breaks, once a break
	spare  []byte   // values whose quotation marks are no longer doubled
}

func newRecords(comma byte) *records {
	r := &records{comma: comma}
	r.stop[comma], r.stop['\n'], r.stop['"'] = true, true, true
	return r
}

func (r *records) reset(c chunk) { r.text, r.line, r.at = c.text, c.line, 0 }

// next splits the next record that is no blank line, and returns false at the end.
// The fault of a record says nothing of file and row.
func (r *records) next() (bool, *Error) {
	r.skipBlankLines()
	if r.at == len(r.text) {
		return false, nil
	}
	r.cells, r.breaks, r.spare, r.start = r.cells[:0], r.breaks[:0], r.spare[:0], r.line
	for {
		cell, fault := r.cell()
		if fault != nil {
			return false, fault
		}
		r.cells = append(r.cells, cell)
		if r.at == len(r.text) {
			return true, nil
		}
		r.at++
		if r.text[r.at-1] == '\n' {
			r.line++
			return true, nil
		}
	}
}

func (r *records) skipBlankLines() {
	for r.at < len(r.text) {
		width := 1
		if r.text[r.at] == '\r' && r.at+1 < len(r.text) {
			width = 2
		}
		switch last := r.text[r.at+width-1]; {
		case last == '\n':
			r.line++
		case last != '\r': // at the end of the text, one alone ends a line
			return
		case width == 2:
			return
		}
		r.at += width
	}
}

// cell returns the value that begins at r.at, and moves r.at to what ends it: a
// separator, a line end, or the end of the text.
func (r *records) cell() ([]byte, *Error) {
	text, begin, at := r.text, r.at, r.at
	for at < len(text) && !r.stop[text[at]] {
		at++
	}
	if at < len(text) && text[at] == '"' {
		if len(bytes.TrimSpace(text[begin:at])) > 0 {
			return nil, r.strayMark(r.line)
		}
		return r.quoted(at + 1)
	}
	r.at = at
	if at > begin && text[at-1] == '\r' && (at == len(text) || text[at] == '\n') {
		at--
	}
	return text[begin:at], nil
}

// quoted returns the value behind a quotation mark.
func (r *records) quoted(begin int) ([]byte, *Error) {
	text, at, doubled := r.text, begin, false
	for {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			rest := bytes.TrimSuffix(text[begin:], lineEnd)
			return nil, r.strayMark(r.line + bytes.Count(rest, lineEnd))
		}
		at += i + 1
		if at == len(text) || text[at] != '"' {
			break
		}
		at++
		doubled = true
	}
	value := text[begin : at-1]
	for range bytes.Count(value, lineEnd) {
		r.breaks = append(r.breaks, len(r.cells))
		r.line++
	}
	if at < len(text) && text[at] == '\r' && (at+1 == len(text) || text[at+1] == '\n') {
		at++
	}
	if at < len(text) && text[at] != r.comma && text[at] != '\n' {
		return nil, r.strayMark(r.line)
	}
	r.at = at
	if doubled || bytes.IndexByte(value, '\r') >= 0 {
		value = r.plain(value)
	}
	return value, nil
}

// plain returns a quoted value as it was meant: marks single, lines ending in LF.
func (r *records) plain(value []byte) []byte {
	from := len(r.spare)
	for i := 0; i < len(value); i++ {
		if i+1 < len(value) && (value[i] == '"' || value[i] == '\r' && value[i+1] == '\n') {
			i++
		}
		r.spare = append(r.spare, value[i])
	}
	return r.spare[from:]
}

// strayMark is the fault of the record that is being split.
func (r *records) strayMark(noticed int) *Error {
	e := &Error{Line: r.start, Problem: "a quotation mark is out of place or has no partner",
		Remedy: "double the quotation marks in a quoted value"}
	if noticed != r.start {
		e.Problem += fmt.Sprintf(", noticed on line %d", noticed)
	}
	return e
}

// lineOf returns the line where a cell of the last record begins.
func (r *records) lineOf(cell int) int {
	before, _ := slices.BinarySearch(r.breaks, cell)
	return r.start + before
}

package tablefile

import (
	"fmt"
	"strings"

	"beziergp/internal/printable"
)

// Error says what is wrong with a file, where, and what to do about it. Its
// message reads like
//
//	prices.csv: row 17 (line 18), column "rooms": "three" is not a number; mend the value or exclude the column
type Error struct {
	File    string // path, or "standard input"
	Row     int    // data row from 1, the header not counted; 0 is none
	Line    int    // line of the file from 1; 0 is none
	Column  string // name of the column; empty is none
	Value   string // the offending text, whole, blanks trimmed; empty is none
	Problem string // what is wrong, in words that can follow the value
	Remedy  string // what the user may do; may be empty
	Flag    string // what the user of the program may give in its place; may be empty
	Err     error  // the cause, if another package found it; may be nil
}

// Error returns the message on one line: of long texts the middle is left out, and
// control characters are shown as escapes.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(printable.Line(e.File))
	var place []string
	switch {
	case e.Row > 0 && e.Line > 0:
		place = append(place, fmt.Sprintf("row %d (line %d)", e.Row, e.Line))
	case e.Row > 0:
		place = append(place, fmt.Sprintf("row %d", e.Row))
	case e.Line > 0:
		place = append(place, fmt.Sprintf("line %d", e.Line))
	}
	if e.Column != "" {
		place = append(place, "column "+printable.Quoted(e.Column))
	}
	if len(place) > 0 {
		b.WriteString(": " + strings.Join(place, ", "))
	}
	b.WriteString(": ")
	if e.Value != "" {
		b.WriteString(printable.Quoted(e.Value) + " ")
	}
	b.WriteString(printable.Line(e.Problem))
	if e.Remedy != "" {
		b.WriteString("; " + printable.Line(e.Remedy))
	}
	if e.Flag != "" {
		b.WriteString(", or give " + printable.Line(e.Flag))
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

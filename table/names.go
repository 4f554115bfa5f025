package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"beziergp/internal/near"
	"beziergp/internal/printable"
)

// CheckNames fails with [ErrNoColumns] when there are no names, and with a [*NameError]
// when one is empty, is not UTF-8, or stands twice.
func CheckNames(names []string) error {
	if len(names) == 0 {
		return ErrNoColumns
	}
	first := make(map[string]int, len(names))
	for j, name := range names {
		switch i, seen := first[name]; {
		case name == "":
			return &NameError{Column: j + 1}
		case !utf8.ValidString(name):
			return &NameError{Name: name, Column: j + 1}
		case seen:
			return &NameError{Name: name, Column: j + 1, Other: i + 1}
		}
		first[name] = j
	}
	return nil
}

// UnknownError says that a column was asked for which does not exist.
type UnknownError struct {
	Name string   // the name that was asked for
	Near []string // names like it, nearest first; may be empty
	Have []string // all names
}

// Unknown returns the error for a name that is none of have.
func Unknown(name string, have []string) *UnknownError {
	return &UnknownError{Name: name, Near: near.Names(name, have), Have: have}
}

// Error names the column and what may have been meant.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("no column %s; %s", printable.Quoted(e.Name), e.Hint())
}

// Hint returns the near names or, where there are none, the columns there are.
func (e *UnknownError) Hint() string {
	if len(e.Have) == 0 {
		return "there are no columns"
	}
	if len(e.Near) > 0 {
		return "did you mean " + quoted(e.Near, " or ") + "?"
	}
	if !slices.ContainsFunc(e.Have, func(name string) bool { _, err := strconv.ParseFloat(name, 64); return err != nil }) {
		return "the columns are called " + quoted(e.Have[:min(3, len(e.Have))], ", ") + ", …: if that is the first row, put a line with names before it"
	}
	const most = 20
	if more := len(e.Have) - most; more > 0 {
		return fmt.Sprintf("there are %s and %d more", quoted(e.Have[:most], ", "), more)
	}
	return "there are " + quoted(e.Have, ", ")
}

func quoted(names []string, between string) string {
	q := make([]string, len(names))
	for i, name := range names {
		q[i] = printable.Quoted(name)
	}
	return strings.Join(q, between)
}

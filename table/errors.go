package table

import (
	"errors"
	"fmt"

	"beziergp/internal/printable"
)

// ErrNoColumns says that a table would have no columns.
var ErrNoColumns = errors.New("a table needs at least one column")

// NameError reports a column whose name is none, or stands for another.
type NameError struct {
	Name   string
	Column int // counted from 1
	Other  int // the column before it of this name; 0 where the name itself is at fault
}

func (e *NameError) Error() string {
	switch {
	case e.Other > 0:
		return fmt.Sprintf("columns %d and %d are both called %s", e.Other, e.Column, printable.Quoted(e.Name))
	case e.Name == "":
		return fmt.Sprintf("column %d has no name", e.Column)
	}
	return fmt.Sprintf("the name of column %d, %s, is not UTF-8", e.Column, printable.Quoted(e.Name))
}

// LengthError reports columns of different lengths.
type LengthError struct {
	Column    string
	Rows      int
	First     string // the column that it differs from
	FirstRows int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("column %q has %d rows, but column %q has %d", e.Column, e.Rows, e.First, e.FirstRows)
}

// WidthError reports a row of values that are not one a name.
type WidthError struct {
	Row    int // counted from 1; 0 for all rows of a matrix
	Values int
	Names  int
}

func (e *WidthError) Error() string {
	if e.Row == 0 {
		return fmt.Sprintf("%d names for a matrix of %d columns", e.Names, e.Values)
	}
	return fmt.Sprintf("row %d has %d values for %d columns", e.Row, e.Values, e.Names)
}

// ValueError reports a value that a column of its kind cannot have.
type ValueError struct {
	Row     int // counted from 1
	Column  string
	Value   float64
	Problem string // in words that follow the value
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("row %d, column %q: %v %s", e.Row, e.Column, e.Value, e.Problem)
}

// LevelError reports a level of a category whose name is not UTF-8, which no file could
// hold.
type LevelError struct {
	Column string
	Level  string
}

func (e *LevelError) Error() string {
	return fmt.Sprintf("column %q: the level %s is not UTF-8; convert the text", e.Column, printable.Quoted(e.Level))
}

// KindError reports a column of another kind than is wanted.
type KindError struct {
	Column     string
	Have, Want Kind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("column %q is %s, but %s is wanted; convert it", e.Column, e.Have, e.Want)
}

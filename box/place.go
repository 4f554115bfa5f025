package box

import (
	"errors"
	"fmt"
	"math"

	"beziergp/internal/printable"
	"beziergp/table"
)

// Place is where a value stands in a table.
type Place struct {
	Row    int // counted from 1
	Column string
	Text   string // of the value, where its number does not tell it; may be empty
}

// At returns the place, for whoever knows it better to mend.
func (p *Place) At() *Place { return p }

// RowError is an error about a value of a row.
type RowError interface {
	error
	// At returns where the value stands. The rows are those that whoever returned the
	// error was given.
	At() *Place
	// Fault says what is wrong with the value, in words that follow it, and what to do.
	Fault() (problem, remedy string)
}

// message is the text of an error about a value, NaN for one that has no number to show.
func message(e RowError, value float64) string {
	at := e.At()
	problem, remedy := e.Fault()
	text := "the value"
	switch {
	case at.Text != "":
		text = printable.Quoted(at.Text)
	case value == value:
		text = fmt.Sprintf("%g", value)
	}
	return fmt.Sprintf("row %d, column %s: %s %s; %s", at.Row, printable.Quoted(at.Column), text, problem, remedy)
}

// Offset moves the row that an error names by the rows before the block that [Box.Map]
// was given.
func Offset(err error, rows int) error {
	return MoveRow(err, func(row int) int { return row + rows })
}

// MoveRow changes the row that an error names, if it is a [RowError].
func MoveRow(err error, to func(row int) int) error {
	var e RowError
	if errors.As(err, &e) {
		e.At().Row = to(e.At().Row)
	}
	return err
}

// NameLevel gives an error about a row of t the level that stands there.
func NameLevel(err error, t *table.Table) error {
	var e RowError
	if !errors.As(err, &e) {
		return err
	}
	at := e.At()
	f, _ := t.Field(at.Column)
	values, ok := t.Column(at.Column)
	if ok && f.Kind == table.Category && at.Row >= 1 && at.Row <= len(values) {
		if code := values[at.Row-1]; code < float64(len(f.Levels)) {
			at.Text = f.Levels[int(code)]
		}
	}
	return err
}

// BoundsError reports a training value outside the bounds declared for its input.
type BoundsError struct {
	Place
	Input Input
	Value float64
}

func (e *BoundsError) Error() string { return message(e, e.Value) }

// Fault says which bounds they are.
func (e *BoundsError) Fault() (problem, remedy string) {
	return fmt.Sprintf("lies outside the declared bounds [%g, %g]", e.Input.Lo, e.Input.Hi), "widen the bounds or remove the row"
}

// OutsideError reports a value outside the box under [Refuse].
type OutsideError struct {
	Place
	Input Input
	Value float64 // of the column, or of the part of it that the input takes
}

func (e *OutsideError) Error() string {
	if e.Input.Kind == table.Category {
		return message(e, math.NaN())
	}
	return message(e, e.Value)
}

// Fault says what the training rows had.
func (e *OutsideError) Fault() (problem, remedy string) {
	in := e.Input
	switch {
	case math.IsNaN(e.Value):
		return "is missing, as it was in no training row", fmt.Sprintf("give one, or choose the policy %q", Clip)
	case in.Kind == table.Category:
		return "is a level not seen in training", fmt.Sprintf("mend it, or choose the policy %q", Clip)
	}
	box := "the box"
	if in.Part != "" {
		box = fmt.Sprintf("the box by its %s, %g", in.Part, e.Value)
	}
	return fmt.Sprintf("lies outside %s, [%g, %g]", box, in.Lo, in.Hi),
		fmt.Sprintf("mend the value, train on a wider range, or choose the policy %q", Clip)
}

// ValueError reports a value that is not a finite number.
type ValueError struct {
	Place
	Value float64
}

func (e *ValueError) Error() string { return message(e, e.Value) }

// Fault says so.
func (e *ValueError) Fault() (problem, remedy string) {
	return "is not a finite number", "mend the value or remove the row"
}

// TransformError reports a value that the target's transform does not take.
type TransformError struct {
	Place
	Target Target
	Value  float64
}

func (e *TransformError) Error() string { return message(e, e.Value) }

// Fault says what the transform takes.
func (e *TransformError) Fault() (problem, remedy string) {
	return fmt.Sprintf("is no number above −1, which %s takes", e.Target.Transform), "choose another transform or remove the row"
}

// LawError reports a value that the target's likelihood cannot give, or an offset that it
// cannot have.
type LawError struct {
	Place
	Value   float64
	Problem string // in words that follow the value
	Remedy  string
}

func (e *LawError) Error() string { return message(e, e.Value) }

// Fault says what the likelihood takes.
func (e *LawError) Fault() (problem, remedy string) { return e.Problem, e.Remedy }

// RangeError reports a value that the target is said not to have.
type RangeError struct {
	Place
	Target Target
	Value  float64
}

func (e *RangeError) Error() string { return message(e, e.Value) }

// Fault says which range it is.
func (e *RangeError) Fault() (problem, remedy string) {
	return fmt.Sprintf("lies beyond the range %v", e.Target.Range), "widen the range or remove the row"
}

// WeightError reports a row weight that is none.
type WeightError struct {
	Place
	Value float64
	// Mean is the average of all weights, where the value is too small beside it; else 0.
	Mean float64
	// Share is that of all weights, where the value is too large; else 0.
	Share float64
}

func (e *WeightError) Error() string { return message(e, e.Value) }

// Fault says what weights are.
func (e *WeightError) Fault() (problem, remedy string) {
	if e.Mean > 0 {
		return fmt.Sprintf("is too small a weight beside the average one, %g", e.Mean), "give 0 to leave the row out, or weights that lie closer together"
	}
	if e.Share > 0 {
		return fmt.Sprintf("is %.3g %% of all weights, so that one row would decide alone", 100*e.Share), "give weights that lie closer together"
	}
	return "is no weight", "give a number from 0 on"
}

// MissingError reports a row that lacks what says where it belongs.
type MissingError struct{ Place }

func (e *MissingError) Error() string { return message(e, math.NaN()) }

// Fault says what is missing.
func (e *MissingError) Fault() (problem, remedy string) {
	return "is missing, and nothing else says on which side of a split the row belongs", "give one or remove the row"
}

// MarkError reports a mark of a row that is none.
type MarkError struct {
	Place
	Value float64
}

func (e *MarkError) Error() string { return message(e, e.Value) }

// Fault says what marks are.
func (e *MarkError) Fault() (problem, remedy string) {
	return "is neither 0 nor 1", "mark the rows to learn from with 0 and those to choose by with 1"
}

var (
	_ RowError = (*MissingError)(nil)
	_ RowError = (*MarkError)(nil)
	_ RowError = (*BoundsError)(nil)
	_ RowError = (*OutsideError)(nil)
	_ RowError = (*ValueError)(nil)
	_ RowError = (*TransformError)(nil)
	_ RowError = (*RangeError)(nil)
	_ RowError = (*LawError)(nil)
	_ RowError = (*WeightError)(nil)
)

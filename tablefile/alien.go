package tablefile

import (
	"fmt"
	"slices"
	"strings"

	"beziergp/internal/printable"
)

// alien is a selected column of a type that is no cell's.
type alien struct{ column, typed string }

// alienError is the fault of such columns, which names all: who leaves out one after the other asks as often as there are any.
type alienError struct {
	first *Error
	all   []alien
}

func (a *alienError) Error() string { return a.first.Error() }
func (a *alienError) Unwrap() error { return a.first }

// typeError is the fault of these columns of a file, nil of none.
func typeError(file string, all []alien, remedy string) error {
	if len(all) == 0 {
		return nil
	}
	problem := "the type " + printable.Words(all[0].typed) + " is neither a number, a boolean, a time nor a text"
	switch n := len(all) - 1; n {
	case 0:
	case 1:
		problem += ", nor is that of another column"
	default:
		problem += fmt.Sprintf(", nor are those of %d other columns", n)
	}
	return &alienError{&Error{File: file, Column: all[0].column, Problem: problem, Remedy: remedy}, all}
}

// mostDropped are the flags that an error lists; it tells how many columns there are.
const mostDropped = 10

// dropping adds to the fault of columns of other types the flags that leave them out, unless the plans need one of them.
func dropping(err error, plans []plan) error {
	a, ok := err.(*alienError)
	if !ok {
		return err
	}
	var flags []string
	for _, c := range a.all {
		if slices.ContainsFunc(plans, func(p plan) bool { return p.needed && p.name == c.column }) {
			return a.first
		}
		if len(flags) < mostDropped {
			flags = append(flags, "--column "+override(c.column, "drop"))
		}
	}
	a.first.Flag = strings.Join(flags, " ")
	return a.first
}

package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	return &UnknownError{Name: name, Near: near(name, have), Have: have}
}

// Error names the column and what may have been meant.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("no column %s; %s", printable.Quoted(e.Name), e.Hint())
}

// Hint returns the near names or, where there are none, the columns there are.
func (e *UnknownError) Hint() string {
	if len(e.Near) > 0 {
		return "did you mean " + quoted(e.Near, " or ") + "?"
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

// near returns up to three of have within a third of name's length, at least
// one edit, nearest first. Case counts for nothing. Nobody mistypes a name of hundreds
// of letters, and comparing two takes time as the product of their lengths.
func near(name string, have []string) []string {
	type candidate struct {
		name  string
		edits int
	}
	const longest = 200 // bytes
	if len(name) > longest {
		return nil
	}
	want := []rune(strings.ToLower(name))
	most := max(1, len(want)/3)
	var found []candidate
	for _, h := range have {
		if utf8.RuneCountInString(h) > len(want)+most { // so many letters too many
			continue
		}
		e := edits(want, []rune(strings.ToLower(h)))
		if e <= most && e < max(len(want), 1) {
			found = append(found, candidate{h, e})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.edits - b.edits })
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// edits returns the fewest insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, no rune being touched twice (the optimal string
// alignment distance).
func edits(a, b []rune) int {
	d := make([][]int, len(a)+1) // d[i][j] is the distance of a[:i] and b[:j]
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

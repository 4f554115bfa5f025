package tablefile

import (
	"math"
	"strconv"
)

// resize makes room for n cells of a kind, reusing memory. What the cells hold is
// undefined, but no text is missing.
func (c *typedCells) resize(kind cellKind, n int) {
	c.Kind, c.Missing, c.wide, c.whole = kind, nil, nil, false
	if c.keep {
		c.Integers = room(c.Integers, n)
	}
	if kind == textCells {
		c.Texts, c.Numbers = room(c.Texts, n), nil
	} else {
		c.Numbers, c.Texts = room(c.Numbers, n), nil
	}
}

func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// miss makes cell i a missing one.
func (c *typedCells) miss(i int) {
	if c.Kind != textCells {
		c.Numbers[i] = math.NaN()
		return
	}
	if c.Missing == nil {
		c.Missing = make([]bool, len(c.Texts))
	}
	c.Missing[i], c.Texts[i] = true, ""
}

// infinite returns the index of the first infinite number, or −1.
func (c *typedCells) infinite() int {
	for i, v := range c.Numbers {
		if v-v != 0 && v == v {
			return i
		}
	}
	return -1
}

// infiniteError is the fault of an infinite number.
func infiniteError(file, column string, row int64, v float64) *Error {
	return &Error{File: file, Row: int(row), Column: column, Value: strconv.FormatFloat(v, 'g', -1, 64),
		Problem: "is not finite", Remedy: "mend the value or exclude the column"}
}

// Remedies that binary formats share.
const (
	uniqueNames = "give every column a name of its own, in UTF-8"
	convertType = "exclude the column or convert it"
)

// noRows is the fault of a table without rows.
func noRows(file string) *Error {
	return &Error{File: file, Problem: "the table has no rows", Remedy: "give at least one row"}
}

// seconds of a count of ticks since 1970, rounded once or twice in all sources
// alike: whole seconds first, the rest as a fraction from 0.
func seconds(ticks, perSecond int64) float64 {
	whole, rest := ticks/perSecond, ticks%perSecond
	if rest < 0 {
		whole, rest = whole-1, rest+perSecond
	}
	return float64(whole) + float64(rest)/float64(perSecond)
}

package tablefile

import (
	"bytes"
	"fmt"
	"strconv"

	"beziergp/internal/printable"
	"beziergp/table"
)

// exactInteger is the whole number up to which a float64 holds all.
const exactInteger = 1 << 53

func isWide(v float64) bool { return v > exactInteger || v < -exactInteger }

// wide are distinct whole numbers of a column beyond [exactInteger], as they are written,
// and the float64s that stand for them: the first so many.
type wide map[string]float64

const mostWide = 1 << 12

func (w *wide) add(text string, v float64) {
	if len(*w) == mostWide {
		return
	}
	if *w == nil {
		*w = wide{}
	}
	(*w)[text] = v
}

// addText takes in a cell that reads v, if it is a whole number in digits.
func (w *wide) addText(text []byte, v float64) {
	if len(*w) == mostWide {
		return
	}
	sign := ""
	if text[0] == '-' {
		sign = "-"
	}
	digits := bytes.TrimLeft(bytes.TrimLeft(text, "+-"), "0")
	for _, c := range digits {
		if c < '0' || c > '9' {
			return
		}
	}
	w.add(sign+string(digits), v)
}

// addInts takes in whole numbers for which floats stand.
func addInts[T int64 | uint64](w *wide, ints []T, floats []float64) {
	for i, v := range floats {
		if isWide(v) && len(*w) < mostWide {
			w.add(strconv.FormatInt(int64(ints[i]), 10), v)
		}
	}
}

func (w *wide) merge(other wide) {
	for text, v := range other {
		w.add(text, v)
	}
}

// numbers returns how many float64s stand for them.
func (w wide) numbers() int {
	seen := make(map[float64]bool, len(w))
	for _, v := range w {
		seen[v] = true
	}
	return len(seen)
}

// Collapse tells of a column whose whole numbers are too large to be told apart.
type Collapse struct {
	Column string
	// Integers beyond 2^53 that were counted, and the float64s that stand for them.
	Integers, Numbers int
	Typed             bool // the file has whole numbers, no texts
}

// String says what is wrong and what to do.
func (c Collapse) String() string {
	remedy := "subtract the smallest one, or take them for names by --column " + override(c.Column, string(table.Category))
	if c.Typed {
		remedy = "subtract the smallest one where the table is made, or write the column as text"
	}
	return fmt.Sprintf("column %s: %d different whole numbers beyond 2^53 are read as %d, for a 64-bit number holds 15 digits; %s",
		printable.Quoted(c.Column), c.Integers, c.Numbers, remedy)
}

// Collapses returns the columns of [Reader.ReadAll] in which different whole numbers
// became one: a float64 holds 15 digits, and whole numbers up to 2^53.
func (r *Reader) Collapses() []Collapse { return r.collapses }

// noteCollapses keeps what is to be told of columns.
func (r *Reader) noteCollapses(columns []column) {
	typed := r.Typed()
	for _, c := range columns {
		if n := c.wide.numbers(); n < len(c.wide) {
			r.collapses = append(r.collapses, Collapse{Column: c.name(), Integers: len(c.wide), Numbers: n, Typed: typed})
		}
	}
}

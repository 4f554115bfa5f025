// Package exact holds columns exactly as they stand in a file, with the types that they have there:
// texts, numbers, whole numbers, truth values, dates and times. They are carried along with
// predictions and told apart into groups; nothing is learned from them.
package exact

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Type is what the cells of a column are.
type Type int

// The types.
const (
	Text    Type = iota // Texts
	Number              // Numbers
	Integer             // Integers
	Truth               // Integers, 0 and 1
	Date                // Integers, days since the beginning of 1970
	Time                // Integers, since the beginning of 1970: see [Kind]
)

// Kind is a type with what belongs to it.
type Kind struct {
	Type Type
	// PerSecond is how many units a second of a Time has.
	PerSecond int64
	// Zone is the name of a Time's zone, whose instants are of UTC. It is empty for local
	// times, as a clock shows them somewhere.
	Zone string
}

// Column is cells of consecutive rows. The zero value has none.
type Column struct {
	Kind
	Texts    []string
	Numbers  []float64 // NaN where missing
	Integers []int64
	Missing  []bool // nil where none is; of a Text, its text is kept all the same
}

// Len returns the number of cells.
func (c *Column) Len() int { return len(c.Texts) + len(c.Numbers) + len(c.Integers) }

// Reset makes it a column of a kind without cells, and keeps its memory.
func (c *Column) Reset(k Kind) {
	c.Kind, c.Missing = k, nil
	c.Texts, c.Numbers, c.Integers = c.Texts[:0], c.Numbers[:0], c.Integers[:0]
}

// IsMissing tells whether cell i has no value.
func (c *Column) IsMissing(i int) bool {
	return c.Missing != nil && c.Missing[i] || c.Type == Number && math.IsNaN(c.Numbers[i])
}

// Miss marks cell i, which is the last, as one without a value.
func (c *Column) Miss(i int) {
	for len(c.Missing) <= i {
		c.Missing = append(c.Missing, false)
	}
	c.Missing[i] = true
}

// AddText adds a cell to a column of texts.
func (c *Column) AddText(text string, missing bool) {
	c.Texts = append(c.Texts, text)
	c.settle(missing)
}

// AddNumber adds a cell to a column of numbers, NaN for a missing one.
func (c *Column) AddNumber(v float64) { c.Numbers = append(c.Numbers, v) }

// AddInteger adds a cell to a column of another type.
func (c *Column) AddInteger(v int64, missing bool) {
	c.Integers = append(c.Integers, v)
	c.settle(missing)
}

// settle says of the last cell whether it is missing.
func (c *Column) settle(missing bool) {
	if missing {
		c.Miss(c.Len() - 1)
	} else if c.Missing != nil {
		c.Missing = append(c.Missing, false)
	}
}

// Append adds cells i to j of a column of the same kind.
func (c *Column) Append(from *Column, i, j int) {
	if from.Missing != nil || c.Missing != nil {
		for n := c.Len(); len(c.Missing) < n; {
			c.Missing = append(c.Missing, false)
		}
		for k := i; k < j; k++ {
			c.Missing = append(c.Missing, from.Missing != nil && from.Missing[k])
		}
	}
	switch c.Type {
	case Text:
		c.Texts = append(c.Texts, from.Texts[i:j]...)
	case Number:
		c.Numbers = append(c.Numbers, from.Numbers[i:j]...)
	default:
		c.Integers = append(c.Integers, from.Integers[i:j]...)
	}
}

// Move puts cell from in the place of cell to, which stands before it.
func (c *Column) Move(to, from int) {
	if c.Missing != nil {
		c.Missing[to] = c.Missing[from]
	}
	switch c.Type {
	case Text:
		c.Texts[to] = c.Texts[from]
	case Number:
		c.Numbers[to] = c.Numbers[from]
	default:
		c.Integers[to] = c.Integers[from]
	}
}

// Cut leaves the first n cells.
func (c *Column) Cut(n int) {
	if c.Missing != nil {
		c.Missing = c.Missing[:n]
	}
	switch c.Type {
	case Text:
		c.Texts = c.Texts[:n]
	case Number:
		c.Numbers = c.Numbers[:n]
	default:
		c.Integers = c.Integers[:n]
	}
}

// Clock returns the instant of cell i of a date or a time, in UTC.
func (c *Column) Clock(i int) time.Time {
	v := c.Integers[i]
	if c.Type == Date {
		return time.Unix(v*secondsOfDay, 0).UTC()
	}
	whole, rest := v/c.PerSecond, v%c.PerSecond
	if rest < 0 {
		whole, rest = whole-1, rest+c.PerSecond
	}
	return time.Unix(whole, rest*(int64(time.Second)/c.PerSecond)).UTC()
}

const secondsOfDay = 24 * 60 * 60

// The layouts of times: local ones have no zone.
const (
	localTime = "2006-01-02T15:04:05.999999999"
	zonedTime = localTime + "Z07:00"
)

// AppendText appends cell i as files of text have it: a text as it stood, even where that
// says that there is no value, and other missing cells as nothing.
func (c *Column) AppendText(dst []byte, i int) []byte {
	if c.Type == Text {
		return append(dst, c.Texts[i]...)
	}
	if c.IsMissing(i) {
		return dst
	}
	switch c.Type {
	case Number:
		return strconv.AppendFloat(dst, c.Numbers[i], 'g', -1, 64)
	case Truth:
		return strconv.AppendBool(dst, c.Integers[i] != 0)
	case Date:
		return c.Clock(i).AppendFormat(dst, time.DateOnly)
	case Time:
		if c.Zone == "" {
			return c.Clock(i).AppendFormat(dst, localTime)
		}
		return c.Clock(i).AppendFormat(dst, zonedTime)
	}
	return strconv.AppendInt(dst, c.Integers[i], 10)
}

// The columns of Go's values. They hold what they are given.

// Numbers returns a column of numbers, of which NaN is a missing one.
func Numbers(v []float64) *Column { return &Column{Kind: Kind{Type: Number}, Numbers: v} }

// Integers returns a column of whole numbers.
func Integers(v []int64) *Column { return &Column{Kind: Kind{Type: Integer}, Integers: v} }

// Truths returns a column of truth values.
func Truths(v []bool) *Column {
	c := &Column{Kind: Kind{Type: Truth}, Integers: make([]int64, len(v))}
	for i, is := range v {
		if is {
			c.Integers[i] = 1
		}
	}
	return c
}

// Marks returns a column of 1 and 0, as masks have them.
func Marks(v []bool) *Column {
	c := Truths(v)
	c.Type = Integer
	return c
}

// Texts returns a column of texts, none of them missing.
func Texts(v []string) *Column { return &Column{Kind: Kind{Type: Text}, Texts: slices.Clip(v)} }

package exact

import (
	"math"
	"strconv"
	"time"

	"beziergp/table/cell"
)

// Guess finds what the texts of a column are: what a program that reads CSV would make of
// them, and nothing that would lose what tells them apart. The zero value has seen none.
type Guess struct {
	values, integers, wide, numbers, truths int
	dates, local, zoned, fine, far          int
}

// Add takes in texts.
func (g *Guess) Add(c *Column) {
	for i, text := range c.Texts {
		if !c.IsMissing(i) {
			g.add(text)
		}
	}
}

func (g *Guess) add(text string) {
	g.values++
	if v, ok := integer(text); ok {
		g.integers++
		if v > mostExact || v < -mostExact {
			g.wide++
		}
		return
	}
	if isNumber(text) {
		g.numbers++
		return
	}
	if _, ok := truth(text); ok {
		g.truths++
		return
	}
	m, ok := cell.Moment([]byte(text))
	switch {
	case !ok:
	case m.Date:
		g.dates++
	case m.Zoned:
		g.zoned++
	default:
		g.local++
	}
	if m.Nanos%1000 != 0 {
		g.fine++
	}
	if m.Seconds < -nanosRange || m.Seconds > nanosRange {
		g.far++
	}
}

const (
	mostExact  = 1 << 53                         // up to which float64s hold all whole numbers
	nanosRange = math.MaxInt64/1_000_000_000 - 1 // seconds that int64s hold in nanoseconds
)

// Kind returns the kind that holds all texts so far: whole numbers, numbers, truth values,
// dates, or times that are all local or all with an offset from UTC. Other columns are
// texts, and so are those with a number that begins with 0 or + as in 007, with whole
// numbers that no type holds, or with nothing but missing values.
func (g *Guess) Kind() Kind {
	micros := Kind{Type: Time, PerSecond: 1e6}
	if g.fine > 0 {
		micros.PerSecond = 1e9
	}
	switch {
	case g.values == 0:
	case g.integers == g.values:
		return Kind{Type: Integer}
	case g.integers+g.numbers == g.values && g.wide == 0:
		return Kind{Type: Number}
	case g.truths == g.values:
		return Kind{Type: Truth}
	case g.dates == g.values:
		return Kind{Type: Date}
	case g.fine > 0 && g.far > 0:
	case g.dates+g.local == g.values:
		return micros
	case g.zoned == g.values:
		micros.Zone = "UTC"
		return micros
	}
	return Kind{Type: Text}
}

// integer returns the whole number that a text is the plain way to write.
func integer(text string) (int64, bool) {
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil && strconv.FormatInt(v, 10) == text
}

// isNumber tells whether a text is a number with a fraction or an exponent, or one of those
// whose digits a float64 tells apart.
func isNumber(text string) bool {
	v, ok := cell.Number([]byte(text))
	if !ok {
		return false
	}
	plain := text
	if plain[0] == '-' {
		plain = plain[1:]
	}
	if plain[0] == '+' || len(plain) > 1 && plain[0] == '0' && plain[1] >= '0' && plain[1] <= '9' {
		return false
	}
	for _, b := range []byte(plain) {
		if b < '0' || b > '9' {
			return true
		}
	}
	return math.Abs(v) <= mostExact // -0
}

// truth returns the value of true and false, in letters of any case.
func truth(text string) (int64, bool) {
	if level := cell.Level(text); level == "true" || level == "false" {
		return int64(len("false") - len(level)), true
	}
	return 0, false
}

// Parse returns texts as cells of the kind that a [Guess] of them has found, in a column
// that the next call may be given as dst. The second result is the number of a text that is
// none, −1 where all are.
func Parse(dst *Column, k Kind, c *Column) int {
	dst.Reset(k)
	if k.Type == Text {
		dst.Append(c, 0, c.Len())
		return -1
	}
	for i, text := range c.Texts {
		if c.IsMissing(i) {
			if k.Type == Number {
				dst.AddNumber(math.NaN())
			} else {
				dst.AddInteger(0, true)
			}
			continue
		}
		if !dst.parse(text) {
			return i
		}
	}
	return -1
}

func (c *Column) parse(text string) bool {
	switch c.Type {
	case Number:
		v, ok := cell.Number([]byte(text))
		c.AddNumber(v)
		return ok
	case Integer:
		v, ok := integer(text)
		c.AddInteger(v, false)
		return ok
	case Truth:
		v, ok := truth(text)
		c.AddInteger(v, false)
		return ok
	}
	m, ok := cell.Moment([]byte(text))
	ticks := m.Seconds*c.PerSecond + int64(m.Nanos)/max(int64(time.Second)/max(c.PerSecond, 1), 1)
	if c.Type == Date {
		ticks = m.Seconds / secondsOfDay
		if ticks*secondsOfDay > m.Seconds {
			ticks--
		}
	}
	c.AddInteger(ticks, false)
	return ok
}

package tablefile

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"beziergp/internal/distinct"
	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/table/cell"
)

// column is a whole column on its way to become one of a table.
type column struct {
	plan     *plan
	inferred bool         // the kind is; otherwise the plan's form is all there is to it
	values   []float64    // of the rows that are not stored out of core
	rows     int          // of all
	counts   [classes]int // as in cells
	fault    *Error       // the first cell that is not of the form
	words    []found
	index    map[string]int
	meaning  []float64 // of the indices of words, once the kind is known
	wide     wide
	numbers  distinct.Numbers // of a column whose kind is inferred, if it is read as numbers: up to mostCodes and one more
	common   *common          // what the readers of other parts know of it, too; nil where there are none
}

// found is a distinct text of the column and its first place.
type found struct {
	text  string
	count int
	at    *Error
}

func (c *column) name() string { return c.plan.name }

// take appends the cells of r's next block.
func (c *column) take(r *Reader, from *cells) error {
	if from.fault != nil && c.fault == nil {
		c.fault = r.located(c.plan.fault(*from.fault))
		if !c.inferred {
			return c.fault
		}
	}
	for i, n := range from.counts {
		c.counts[i] += n
	}
	c.rows += len(from.values)
	c.wide.merge(from.wide)
	if c.plan.form != wordForm {
		if c.inferred && c.plan.form == numberForm {
			for _, v := range from.values {
				if c.numbers.Len() > mostCodes {
					break
				}
				c.numbers.Add(v)
			}
		}
		c.values = append(c.values, from.values...)
		return nil
	}
	code := make([]float64, len(from.words))
	for i, w := range from.words {
		j, seen := c.index[w.text]
		if !seen {
			if c.index == nil {
				c.index = make(map[string]int)
			}
			j = len(c.words)
			c.index[w.text] = j
			c.words = append(c.words, found{text: w.text,
				at: r.located(&Error{Row: w.row + 1, Line: w.line, Column: c.name(), Value: w.text})})
		}
		c.words[j].count += w.count
		code[i] = float64(j)
	}
	for _, v := range from.values {
		if v == v {
			v = code[int(v)]
		}
		c.values = append(c.values, v)
	}
	return nil
}

// tally returns how many cells there are of every class.
func (c *column) tally() [classes]int {
	counts := c.counts
	if c.plan.form == wordForm {
		for _, w := range c.words {
			counts[classify([]byte(w.text), c.plan.missing)] += w.count
		}
		return counts
	}
	others := 0
	for _, n := range c.counts {
		others += n
	}
	own := numberClass
	if c.plan.form == timeForm {
		own = timeClass
	}
	counts[own] += c.rows - others
	return counts
}

// verdict says what the cells of a column are together: of a kind, or mostly of one,
// which is a fault of the others. It depends on their counts alone, not on their
// order.
func verdict(counts [classes]int) (kind table.Kind, mixed bool) {
	cells := 0
	for _, n := range counts {
		cells += n
	}
	cells -= counts[missingClass]
	values := cells - counts[gapClass] // if it is numbers or times
	numbers := counts[numberClass] + counts[brokenClass]
	switch {
	case cells == 0:
		return table.Numeric, false
	case values == 0: // what was said to be no missing value
		return table.Category, false
	case counts[numberClass] == values:
		return table.Numeric, false
	case counts[truthClass] == cells:
		return table.Boolean, false
	case counts[timeClass] == values:
		return table.DateTime, false
	case 2*numbers >= values:
		return table.Numeric, true
	case 2*counts[timeClass] >= values:
		return table.DateTime, true
	}
	return table.Category, false
}

// changed tells whether a column turned out to be of another kind than it was read
// as, or may be, so that its texts are needed and gone.
func (c *column) changed() bool {
	if !c.inferred || c.common != nil || c.plan.form == wordForm || c.fault == nil && c.counts[gapClass] == 0 {
		return false
	}
	kind, mixed := verdict(c.tally())
	return mixed != (c.fault != nil) || kind != c.kindOfForm() || c.mayBeCodes()
}

func (c *column) kindOfForm() table.Kind { return c.plan.form.kind() }

// kind is that of a column that is read as numbers or as times.
func (f form) kind() table.Kind {
	if f == timeForm {
		return table.DateTime
	}
	return table.Numeric
}

// onlyOnce is the fault of a changed column that cannot be read again.
func (c *column) onlyOnce(r *Reader) error {
	if c.mayBeCodes() {
		return c.unlike(c.fault)
	}
	e := Error{File: r.fileName(), Column: c.name(), Problem: "the first rows hold numbers or times, and those that are read none"}
	if c.fault != nil {
		e = *c.fault
	}
	e.Remedy = fmt.Sprintf("the values before it are of another kind than most of the column, and %s cannot be read twice: give --column %s",
		r.fileName(), override(c.name(), string(table.Category)))
	e.Flag = ""
	return &e
}

// typed returns the column of the table.
func (c *column) typed() (table.Column, error) {
	if c.plan.field != nil {
		return table.NewColumn(*c.plan.field, c.values), nil
	}
	if c.plan.form == wordForm {
		return c.ofWords()
	}
	if c.fault != nil {
		return table.Column{}, c.unlike(c.fault)
	}
	field := table.Field{Name: c.name(), Kind: map[form]table.Kind{
		numberForm: table.Numeric, timeForm: table.DateTime, truthForm: table.Boolean}[c.plan.form]}
	switch {
	case c.inferred && c.common != nil:
		field.Kind, field.Levels = c.common.kind, c.common.levels // of a part without values
	case c.inferred && c.counts[missingClass] == c.rows:
		field.Kind = table.Numeric // whatever a source with types calls it
	}
	return table.NewColumn(field, c.values), nil
}

// unlike adds to the fault of a cell that is unlike most of its column what else may
// be done about it.
func (c *column) unlike(e *Error) *Error {
	e.Remedy = strings.TrimSuffix(e.Remedy, orExclude)
	flags := "--column " + override(c.name(), string(table.Category))
	if !c.plan.needed {
		flags += " or --column " + override(c.name(), "drop")
	}
	if e.Flag != "" {
		flags += ", or " + e.Flag
	}
	e.Flag = flags
	return e
}

// override returns NAME=KIND.
func override(name, kind string) string { return quoted(name + "=" + kind) }

// quoted returns a word, in quotation marks where a shell would want them.
func quoted(word string) string {
	if word == "" || strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-=", r)
	}) >= 0 {
		return printable.Quoted(word)
	}
	return word
}

// numberOf returns the number or the truth value of a word, NaN if it stands for a missing
// one, and whether it is any of these.
func (c *column) numberOf(index float64) (float64, bool) {
	if index != index {
		return index, true
	}
	text := []byte(c.words[int(index)].text)
	if v, ok := cell.Number(text); ok {
		return v, true
	}
	if v, ok := cell.Truth(text); ok {
		return v, true
	}
	return math.NaN(), c.plan.missing.Gap(text)
}

// ofWords returns the column whose values are indices of words.
func (c *column) ofWords() (table.Column, error) {
	kind, mixed := table.Category, false
	if c.inferred || c.common != nil {
		kind, mixed, _ = c.kindOfWords()
	}
	value := make([]float64, len(c.words))
	read := plan{name: c.name(), form: formOf(kind), missing: c.plan.missing, needed: c.plan.needed}
	var levels []string
	if kind == table.Category {
		for _, w := range c.words {
			if !utf8.ValidString(w.text) {
				e := *w.at
				e.Problem, e.Remedy = "is not UTF-8", "save the file as UTF-8, or exclude the column"
				return table.Column{}, &e
			}
			levels = append(levels, cell.Level(w.text))
		}
		slices.Sort(levels)
		levels = slices.Compact(levels)
		if c.common != nil {
			levels = c.common.levels
		}
	}
	for i, w := range c.words {
		if kind == table.Category {
			code, _ := slices.BinarySearch(levels, cell.Level(w.text))
			value[i] = float64(code)
			continue
		}
		if read.isMissing([]byte(w.text)) { // a gap
			value[i] = math.NaN()
			continue
		}
		v, ok := read.value([]byte(w.text))
		if !ok && mixed {
			e := read.fault(place{text: w.text})
			e.File, e.Row, e.Line = w.at.File, w.at.Row, w.at.Line
			return table.Column{}, c.unlike(e)
		}
		value[i] = v
		if isWide(v) && kind == table.Numeric {
			c.wide.addText([]byte(w.text), v)
		}
	}
	for i, v := range c.values {
		if v == v {
			c.values[i] = value[int(v)]
		}
	}
	c.meaning = value
	return table.NewColumn(table.Field{Name: c.name(), Kind: kind, Levels: levels}, c.values), nil
}

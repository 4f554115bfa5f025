package tablefile

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"beziergp/table"
	"beziergp/table/cell"
	"beziergp/table/exact"
)

// form is what the cells of a column are read as.
type form int

const (
	guessForm  form = iota // nothing yet: they are only counted by class
	numberForm             // numbers
	timeForm               // dates and times
	truthForm              // truth values, 0 and 1 included
	levelForm              // levels of a category that are known
	wordForm               // whatever they are: indices of the distinct texts
	markForm               // 0 and 1 alone
	textForm               // nothing: every cell keeps its text and its place
	keepForm               // what they are, exactly
)

// plan says which cells of a record are read, and as what.
type plan struct {
	name    string
	index   int // in the file
	form    form
	strict  bool         // a missing value is a fault
	needed  bool         // the column cannot be left out
	missing *cell.Words  // what stands for a missing value
	levels  *cell.Levels // of levelForm
	field   *table.Field // of the schema; nil where that has none
}

// planFor returns the plan for a column whose kind is known.
func planFor(name string, f table.Field) plan {
	p := plan{name: name, form: formOf(f.Kind), field: &f}
	if f.Kind == table.Category {
		p.form, p.levels = levelForm, cell.NewLevels(f)
	}
	return p
}

func formOf(k table.Kind) form {
	switch k {
	case table.Boolean:
		return truthForm
	case table.Category:
		return wordForm
	case table.DateTime:
		return timeForm
	}
	return numberForm
}

// block is consecutive rows, column by column.
type block struct {
	rows    int
	more    int // rows that are known to come after it, for which room is made at once
	columns []cells
	fault   *Error // of the row after the last, which ends the reading; no file yet
}

// cells are a column of a block.
type cells struct {
	values []float64    // [rows]; NaN where missing or in fault; empty of guessForm
	counts [classes]int // numbers of numberForm are not counted
	fault  *place       // the first cell that is not of the form
	kept   exact.Column // of keepForm
	words  []word       // of wordForm, distinct; of textForm, all
	wide   wide         // of numberForm
	index  map[string]int
}

// place is a cell.
type place struct {
	row, line int // row from 0 in the block; line 0 where files have none
	text      string
	column    string // the part of a field in parts; empty for the column that is read
}

// word is a distinct text of a column.
type word struct {
	place // the first
	count int
}

// reset makes a block of no rows.
func (b *block) reset(columns int) {
	if len(b.columns) != columns {
		b.columns = make([]cells, columns)
	}
	b.rows, b.fault = 0, nil
	for k := range b.columns {
		c := &b.columns[k]
		c.kept.Reset(exact.Kind{})
		*c = cells{values: c.values[:0], words: c.words[:0], index: c.index, kept: c.kept}
		clear(c.index)
	}
}

// add reads a cell, blanks trimmed, at a place whose text is not filled in yet.
func (c *cells) add(p *plan, text []byte, at place) {
	switch p.form {
	case guessForm:
		c.counts[classify(text, p.missing)]++
		return
	case wordForm:
		c.values = append(c.values, c.word(p, text, at))
		return
	case keepForm:
		c.addKept(p, text, at)
		return
	case textForm:
		at.text = string(text)
		c.words = append(c.words, word{place: at})
		return
	}
	v, ok := math.NaN(), true
	switch {
	case !p.isMissing(text):
		if v, ok = p.value(text); !ok {
			c.counts[classify(text, p.missing)]++
		}
	case p.strict:
		ok = false
	case p.missing.Gap(text):
		c.counts[gapClass]++
	default:
		c.counts[missingClass]++
	}
	if !ok {
		v = math.NaN()
		if c.fault == nil {
			at.text = string(text)
			c.fault = &at
		}
	}
	c.values = append(c.values, v)
}

// isMissing tells whether a cell holds no value of the form.
func (p *plan) isMissing(text []byte) bool {
	kind := table.Numeric
	if p.form == levelForm || p.form == wordForm {
		kind = table.Category
	}
	return p.missing.Missing(kind, text)
}

// value reads a cell that is not missing.
func (p *plan) value(text []byte) (float64, bool) {
	switch p.form {
	case timeForm:
		return cell.Value(table.DateTime, text)
	case truthForm:
		return cell.Value(table.Boolean, text)
	case markForm:
		v, ok := cell.Number(text)
		return v, ok && (v == 0 || v == 1)
	case levelForm:
		return float64(p.levels.Of(string(text))), true
	}
	return cell.Number(text)
}

// word returns the index of a text in words.
func (c *cells) word(p *plan, text []byte, at place) float64 {
	i, seen := c.index[string(text)]
	if !seen {
		if p.isMissing(text) {
			c.counts[missingClass]++
			return math.NaN()
		}
		if c.index == nil {
			c.index = make(map[string]int)
		}
		at.text = string(bytes.Clone(text))
		i = len(c.words)
		c.words = append(c.words, word{place: at})
		c.index[at.text] = i
	}
	c.words[i].count++
	return float64(i)
}

// fault says what is wrong with a cell that its plan cannot read.
func (p *plan) fault(at place) *Error {
	if at.column != "" {
		part := planFor(at.column, table.Field{Name: at.column, Kind: p.field.PartKind()})
		part.missing, at.column = p.missing, ""
		return part.fault(at)
	}
	e := &Error{Row: at.row + 1, Line: at.line, Column: p.name, Value: at.text}
	text := []byte(at.text)
	switch {
	case p.form == keepForm && !utf8.ValidString(at.text):
		e.Problem, e.Remedy = "is not UTF-8", "save the file as UTF-8, or do not keep the column"
	case p.form == keepForm:
		e.Problem, e.Remedy = "is too large to be kept", "do not keep the column"
	case p.form == markForm && at.text != "":
		e.Problem, e.Remedy = "is neither 0 nor 1", mark
	case p.isMissing(text):
		e.Problem, e.Remedy = "stands for a missing value", "fill it in, remove the row or exclude the column"
		if at.text == "" {
			e.Problem = "there is no value"
		}
		if p.form == markForm {
			e.Remedy = mark
		}
	case p.form == timeForm:
		e.Problem, e.Remedy = cell.Fault(table.DateTime, at.text)
	case p.form == truthForm:
		e.Problem, e.Remedy = cell.Fault(table.Boolean, at.text)
	default:
		e.Problem, e.Remedy = cell.Fault(table.Numeric, at.text)
	}
	if !p.form.isValue() || p.isMissing(text) {
		return e
	}
	switch {
	case p.needed:
		e.Remedy += orRemove
	case p.form == numberForm && p.field == nil: // a model's column cannot be left out
		e.Remedy += orExclude
	}
	e.Flag = p.missingFlag(at.text)
	return e
}

// What else may be done about a value.
const (
	orExclude = ", or exclude the column"
	orRemove  = ", or remove the row"
)

// missingFlag says how a text is told to stand for a missing value; nothing of one that is
// no short word.
func (p *plan) missingFlag(text string) string {
	const longest = 20 // bytes
	isWord := func(r rune) bool { return unicode.IsPrint(r) && !unicode.IsDigit(r) && r != ',' && r != '"' }
	if len(text) > longest || classify([]byte(text), p.missing) != textClass || strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }) >= 0 {
		return ""
	}
	return fmt.Sprintf("--na %s if that is a missing value", quoted(text))
}

// isValue tells whether the cells are numbers, times or truth values.
func (f form) isValue() bool { return f == numberForm || f == timeForm || f == truthForm }

const mark = "mark test rows with 1 and all others with 0"

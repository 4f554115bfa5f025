package tablefile

import (
	"fmt"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// A column of codes holds mostly numbers that recur, and texts that recur, too. It is a category. Either its values are few, as 0, 1,
// 2 and 3+, or K and the grades 1 to 12, or its texts are many, as those of the codes of diseases, 250.83 and V57. One of
// few texts among many numbers, or a rare one, is more likely a mistake, or stands for a missing value.
const (
	mostCodes    = 4096 // different values
	fewCodes     = 32   // different values are few
	manyTexts    = 10   // different texts are many
	rowsPerCode  = 10   // at least, on average
	rowsPerText  = 5    // of the values that are no numbers
	leastOfTexts = 100
)

// isCodes tells whether a column of these cells, of which at least half are numbers, is one of codes.
// It has so many different values, so many of which are no numbers.
func isCodes(counts [classes]int, values, texts int) bool {
	others := counts[truthClass] + counts[timeClass] + counts[textClass]
	cells := others + counts[numberClass]
	return texts > 0 && counts[brokenClass] == 0 && values <= mostCodes && (values <= fewCodes || texts >= manyTexts) && cells >= rowsPerCode*values &&
		others >= rowsPerText*texts && leastOfTexts*others >= cells
}

// mayBeCodes tells whether a column that was read as numbers is one of codes for all that is known
// without its texts.
func (c *column) mayBeCodes() bool {
	counts := c.tally()
	kind, mixed := verdict(counts)
	return mixed && kind == table.Numeric && c.plan.form == numberForm && mayBeCodes(counts, c.numbers.Len())
}

// mayBeCodes tells it of cells of at least so many different values, most of them numbers.
func mayBeCodes(counts [classes]int, values int) bool {
	texts := 1
	if values > fewCodes {
		texts = manyTexts
	}
	return isCodes(counts, values, texts)
}

// kindOfWords returns the kind of a column that was read as text, and whether some of its cells are
// at fault. Codes are those that it has, if any.
func (c *column) kindOfWords() (kind table.Kind, mixed bool, codes *Codes) {
	if c.common != nil {
		return c.common.kind, c.common.mixed, c.common.codes
	}
	kind, mixed = verdict(c.tally())
	switch {
	case mixed && kind == table.Numeric:
		if codes = c.codes(c.tally(), c.texts()); codes != nil {
			return table.Category, false, codes
		}
	case kind == table.Boolean && c.answersAlike(c.texts()):
		kind = table.Category
	}
	return kind, mixed, nil
}

// texts returns the different words of a column, of which a category may have very many.
func (c *column) texts() (all []string) {
	for _, w := range c.words {
		all = append(all, w.text)
	}
	return all
}

// answersAlike tells whether a column of truth values holds one word alone, and this is yes, no, y, n, t or f.
// These may be the only one of several levels that the rows have, as the "No" of No, Steady and Up: the column is a
// category then. The words true and false stand for nothing else.
func (c *column) answersAlike(words []string) bool {
	alike := ""
	for _, w := range words {
		switch {
		case classify([]byte(w), c.plan.missing) != truthClass:
		case alike != "" || strings.EqualFold(w, "true") || strings.EqualFold(w, "false"):
			return false
		default:
			alike = w
		}
	}
	return alike != ""
}

// codes returns what there is to tell of a column of codes with so many cells and these different
// texts, and nil of another one.
func (c *column) codes(counts [classes]int, words []string) *Codes {
	told, texts := &Codes{Column: c.name()}, 0
	for _, w := range words {
		if classify([]byte(w), c.plan.missing) != numberClass {
			texts++
			told.Value = w
		}
	}
	if !isCodes(counts, len(words), texts) {
		return nil
	}
	told.Others = counts[truthClass] + counts[timeClass] + counts[textClass]
	told.Cells = told.Others + counts[numberClass]
	return told
}

// Codes tells of a column that is mostly numbers and was taken for a category.
type Codes struct {
	Column string
	Value  string // one of those that are no numbers
	// Others of the Cells that are not missing are no numbers.
	Others, Cells int
}

// String says what was taken for what, and what to do where that is wrong.
func (c Codes) String() string {
	remedy := ""
	if na := (&plan{}).missingFlag(c.Value); na != "" {
		remedy = ", or " + na
	}
	return fmt.Sprintf("column %s: %d of its %d values are no numbers, such as %s, and values recur, so it is read as a category; give --column %s to say so%s",
		printable.Quoted(c.Column), c.Others, c.Cells, printable.Quoted(c.Value), override(c.Column, string(table.Category)), remedy)
}

// Codes returns the columns of [Reader.ReadAll] that are mostly numbers and were taken for categories.
func (r *Reader) Codes() []Codes { return r.codes }

// noteCodes keeps what is to be told of columns.
func (r *Reader) noteCodes(columns []column) {
	for k := range columns {
		if c := &columns[k]; c.inferred && c.plan.form == wordForm {
			if _, _, codes := c.kindOfWords(); codes != nil {
				r.codes = append(r.codes, *codes)
			}
		}
	}
}

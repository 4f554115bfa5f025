package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NoLevel is the level of rows in which none of the one-hot columns of a category is 1.
const NoLevel = "(none)"

// OneHot returns which of the one-hot columns of a category is 1 in a row, counted from 0; their number where none
// is; and one more where several are, or one is neither 0 nor 1: the number of a level that nobody knows.
// It is NaN, a missing value, where one is missing and none is 1.
func OneHot(parts ...float64) float64 {
	level, missing := -1, false
	for k, v := range parts {
		switch {
		case v == 0:
		case math.IsNaN(v):
			missing = true
		case v != 1 || level >= 0:
			return float64(len(parts) + 1)
		default:
			level = k
		}
	}
	switch {
	case level >= 0:
		return float64(level)
	case missing:
		return math.NaN()
	}
	return float64(len(parts))
}

// FindOneHot returns the categories that are there as one-hot columns among those of these names: two or more
// side by side, of numbers 0 and 1 or of truth values, of which in every row exactly one is 1. None may be,
// that is [NoLevel], where no two are in any row and their names begin alike, up to a separator, as no other one does, of the
// names and of further ones. A level's name is that of its column; the category is called what its columns have in common.
// Columns that may be so by chance, in a table of few rows or of rare ones, are left as they are.
func (t *Table) FindOneHot(names, further []string) (fields []Field) {
	taken := func(name string) bool {
		return t.has(name) || slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name })
	}
	ones := make([]int, len(names)) // −1 for a column of other values
	for k, name := range names {
		ones[k] = t.columns[t.index[name]].ones()
	}
	all := slices.Concat(names, further)
	for from := 0; from < len(names); from++ {
		whole := windowOf(ones[from:], t.rows)
		for _, n := range []int{whole, alikeOf(names[from:], ones[from:], all)} {
			if n == 0 {
				continue
			}
			parts := slices.Clone(names[from : from+n])
			f := Field{Name: FreeName(commonName(parts), taken), Kind: Category, Levels: parts, Parts: parts}
			if n != whole {
				f.Levels = append(slices.Clone(parts), NoLevel)
			}
			if !slices.Contains(parts, NoLevel) && t.makes(f) && logChance(ones[from:from+n], t.rows) <= mostLogChance {
				fields = append(fields, f)
				from += n - 1
				break
			}
		}
	}
	return fields
}

// makes tells whether the parts of a field make a value in every row. Most columns that make none show it in the first rows.
func (t *Table) makes(f Field) bool {
	parts := make([][]float64, len(f.Parts))
	for k, name := range f.Parts {
		parts[k] = t.columns[t.index[name]].Values
	}
	return NewJoiner(f).each(t.rows, parts, func(_ int, v float64) bool { return !f.Fails(v) })
}

// alikeOf returns how many columns of 0 and 1 there are, from the first on, whose names begin as those of the first two do
// up to a separator; 0 where other ones of all do so, too.
func alikeOf(names []string, ones []int, all []string) (n int) {
	if len(names) < 2 || ones[0] < 0 || ones[1] < 0 {
		return 0
	}
	stem := commonStart(names[:2])
	stem = stem[:strings.LastIndexFunc(stem, isSeparator)+1]
	for _, name := range all {
		if stem != "" && strings.HasPrefix(name, stem) {
			n++
		}
	}
	if n > len(names) || slices.ContainsFunc(names[:n], func(name string) bool { return !strings.HasPrefix(name, stem) }) || slices.Min(ones[:max(n, 1)]) < 0 {
		return 0
	}
	return n
}

// ones returns in how many rows a column of numbers or truth values is 1, or −1 if it is in one neither 0 nor 1.
func (c Column) ones() (n int) {
	if kind := c.Field().kind(); kind != Numeric && kind != Boolean {
		return -1
	}
	for _, v := range c.Values {
		switch v {
		case 0:
		case 1:
			n++
		default: // or NaN
			return -1
		}
	}
	return n
}

// windowOf returns how many counts from the first on add up to all rows, 0 if none do. The first
// and the last are above 0, and not alone.
func windowOf(ones []int, rows int) int {
	if ones[0] == rows {
		return 0
	}
	sum := 0
	for k, n := range ones {
		if n < 0 || n == 0 && k == 0 {
			return 0
		}
		if sum += n; sum >= rows {
			if sum > rows {
				return 0
			}
			return k + 1
		}
	}
	return 0
}

// mostLogChance is the logarithm of a probability: columns that independent ones are as seldom as that, or more
// seldom, are not independent.
const mostLogChance = -14 // one in a million

// logChance returns the logarithm of the probability that columns of so many ones, shuffled each for itself,
// share no row.
func logChance(ones []int, rows int) (log float64) {
	free := rows
	for _, n := range ones {
		log += logChoose(free, n) - logChoose(rows, n)
		free -= n
	}
	return log
}

// logChoose returns the logarithm of n over k.
func logChoose(n, k int) float64 {
	logFactorial := func(n int) float64 {
		l, _ := math.Lgamma(float64(n) + 1)
		return l
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

// commonName returns what names begin with, without separators at its end; of names that have nothing in common but
// digits, or nothing, the first and the last one.
func commonName(names []string) string {
	common := strings.TrimRightFunc(commonStart(names), isSeparator)
	if last, _ := utf8.DecodeLastRuneInString(common); common == "" || unicode.IsDigit(last) {
		return names[0] + ".." + names[len(names)-1]
	}
	return common
}

// commonStart returns what all names begin with.
func commonStart(names []string) string {
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common
}

// isSeparator tells of what stands between the name of a category and that of its level.
func isSeparator(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) }

// FreeName returns a name that is not taken: this one, or with a number behind it.
func FreeName(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}

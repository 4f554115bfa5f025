// Package alike finds columns by which rows are near copies of one another: neighbours in
// time, or rows of one customer or site. Rows held out at random have such neighbours among
// the training rows, and new rows of other groups, or later ones, have not: scores and
// intervals are then those of rows that are half known.
package alike

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"beziergp/table"
)

// Column is one by which rows are alike.
type Column struct {
	Name  string
	Flag  string  // of fit, that holds such rows out together
	Share float64 // of the target's variance that two rows near in the column share
}

// Text says so, in words that follow the column's name.
func (c Column) Text() string {
	near := "near in it"
	if c.Flag == flagGroup {
		near = "of the same value"
	}
	return fmt.Sprintf("rows %s share %.0f %% of the target's variance: random splits make scores too good and intervals too narrow for %s rows; give fit --%s %q",
		near, 100*c.Share, map[string]string{flagGroup: "other", flagTime: "later"}[c.Flag], c.Flag, c.Name)
}

const (
	flagGroup = "group"
	flagTime  = "time"
)

const (
	// much is the share of the variance from which on rows are taken to be alike.
	much = 0.5
	// fewest are the distinct values of a key or of dates. An input that explains the target
	// has as many where it is a number, which must look like a key or a count besides.
	fewest = 50
	// fewestCounted are those of a number that counts.
	fewestCounted = 500
	// unordered is the share of what rows of the same value have in common above which
	// rows of one value and the next have it, too: the number measures something then.
	unordered = 0.2
	// most is the number of rows that are looked at: the first, for neighbours must stay so.
	most = 1 << 21
)

// Find returns the columns of a table by which rows are alike in the target, in their order.
func Find(t *table.Table, target string) (found []Column) {
	y, _ := t.Column(target)
	y = ranks(y)
	for _, name := range t.Names() {
		f, _ := t.Field(name)
		if name == target || f.Kind == table.Boolean {
			continue
		}
		values, _ := t.Column(name)
		if c, is := look(f, values, y); is {
			found = append(found, c)
		}
	}
	return found
}

// ranks returns the ranks of values, those of equal ones their mean, so that no outlier
// decides; NaN stays what it is.
func ranks(values []float64) []float64 {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	ranks := slices.Clone(values)
	for i, v := range values {
		if v == v {
			first, _ := slices.BinarySearch(sorted, v)
			behind, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
			ranks[i] = float64(first+behind-1) / 2
		}
	}
	return ranks
}

// look tells whether rows are alike by a column.
func look(f table.Field, values, y []float64) (Column, bool) {
	number := f.Kind != table.Category && f.Kind != table.DateTime
	if number && slices.ContainsFunc(values, fraction) || f.Kind == table.Category && len(f.Levels) < fewest {
		return Column{}, false // without sorting them
	}
	rows := both(values, y)
	inOrder(rows)
	n := distinct(rows)
	if n < fewest {
		return Column{}, false
	}
	same, near := shared(rows)
	time := f.Kind == table.DateTime || number && n >= fewestCounted && counts(rows, n)
	key := f.Kind == table.Category || number && near < unordered*same
	switch {
	case time && near > much:
		return Column{f.Name, flagTime, near}, true
	case key && same > much && len(rows) >= 2*n:
		return Column{f.Name, flagGroup, same}, true
	}
	return Column{}, false
}

// row is a value of the column with the target.
type row struct{ at, y float64 }

// both returns the rows that have both.
func both(values, y []float64) (rows []row) {
	for i, v := range values[:min(len(values), most)] {
		if v == v && y[i] == y[i] {
			rows = append(rows, row{v, y[i]})
		}
	}
	return rows
}

// inOrder sorts rows by the value, those of one value in a random
// order: those that stand side by side may be alike for another reason.
func inOrder(rows []row) {
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
}

func distinct(rows []row) (n int) {
	for i := range rows {
		if i == 0 || rows[i].at != rows[i-1].at {
			n++
		}
	}
	return n
}

// fraction tells whether a value is no whole number, if it is known.
func fraction(v float64) bool { return v == v && v != math.Trunc(v) }

// counts tells whether n distinct whole values are those of a count, as 1, 2, 3, … is, of which
// hardly one is missing.
func counts(rows []row, n int) bool {
	return rows[len(rows)-1].at-rows[0].at < 1.1*float64(n)
}

// shared returns the shares of the variance of y that pairs of neighbours have in common,
// 1 − ½ E (y_i − y_j)²/Var y: of the same value, and of one value and the next.
func shared(rows []row) (same, near float64) {
	var mean, variance float64
	for _, r := range rows {
		mean += r.y / float64(len(rows))
	}
	for _, r := range rows {
		variance += (r.y - mean) * (r.y - mean) / float64(len(rows))
	}
	var squares, pairs [2]float64
	for i := 1; i < len(rows); i++ {
		kind := 0
		if rows[i].at != rows[i-1].at {
			kind = 1
		}
		squares[kind] += (rows[i].y - rows[i-1].y) * (rows[i].y - rows[i-1].y)
		pairs[kind]++
	}
	share := func(kind int) float64 {
		if pairs[kind] == 0 || variance == 0 {
			return 0
		}
		return 1 - squares[kind]/pairs[kind]/2/variance
	}
	return share(0), share(1)
}

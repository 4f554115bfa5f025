package plot

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// counts counts pairs of numbers in the cells of a grid of squares, 2^exponent wide. The cells are so narrow that they tell all pairs apart, until there are
// mostCells that are not empty: then each four become one. What there is in the end
// hangs on the pairs alone, not on their order.
type counts struct {
	exponent int
	cells    map[[2]int64]tally
}

// tally is of rows in a cell.
type tally struct{ rows, inside int }

const (
	mostCells = 1 << 15
	cellBits  = 50 // so many bits of the largest number tell cells apart
)

// add counts a pair of finite numbers; inside is counted besides.
func (c *counts) add(x, y float64, inside bool) {
	_, size := math.Frexp(max(math.Abs(x), math.Abs(y), math.SmallestNonzeroFloat64))
	switch finest := size - cellBits; {
	case c.cells == nil:
		c.cells, c.exponent = map[[2]int64]tally{}, finest
	case finest > c.exponent:
		c.coarsen(finest - c.exponent)
	}
	at := [2]int64{c.index(x), c.index(y)}
	cell := c.cells[at]
	cell.rows++
	if inside {
		cell.inside++
	}
	c.cells[at] = cell
	if len(c.cells) > mostCells {
		c.coarsen(1 + sort.Search(2*cellBits, func(by int) bool { return c.occupied(1+by) <= mostCells }))
	}
}

func (c *counts) index(v float64) int64 { return int64(math.Floor(math.Ldexp(v, -c.exponent))) }

// occupied returns how many cells there would be were they wider by a power of two.
func (c *counts) occupied(by int) int {
	wider := make(map[[2]int64]struct{}, len(c.cells)/2)
	for at := range c.cells {
		wider[[2]int64{at[0] >> by, at[1] >> by}] = struct{}{}
	}
	return len(wider)
}

// coarsen makes cells wider by a power of two.
func (c *counts) coarsen(by int) {
	wider := make(map[[2]int64]tally, len(c.cells)/2)
	for at, cell := range c.cells {
		at[0], at[1] = at[0]>>by, at[1]>>by // rounds down
		sum := wider[at]
		wider[at] = tally{sum.rows + cell.rows, sum.inside + cell.inside}
	}
	c.cells, c.exponent = wider, c.exponent+by
}

// value returns the number at a place among cells, as 3.5 for the middle of cell 3.
func (c *counts) value(place float64) float64 { return math.Ldexp(place, c.exponent) }

// stripe is the cells of one index along an axis.
type stripe struct {
	index int64
	tally
}

// along returns the stripes across an axis, 0 or 1, that are not empty, in order.
func (c *counts) along(axis int) (stripes []stripe) {
	sums := map[int64]tally{}
	for at, cell := range c.cells {
		sum := sums[at[axis]]
		sums[at[axis]] = tally{sum.rows + cell.rows, sum.inside + cell.inside}
	}
	for index, sum := range sums {
		stripes = append(stripes, stripe{index, sum})
	}
	slices.SortFunc(stripes, func(a, b stripe) int { return cmp.Compare(a.index, b.index) })
	return stripes
}

// parted cuts stripes into at most n parts of about as many rows.
func parted(stripes []stripe, n int) (parts [][]stripe) {
	rows, done, first := 0, 0, 0
	for _, s := range stripes {
		rows += s.rows
	}
	for i, s := range stripes {
		done += s.rows
		if done*n >= rows*(len(parts)+1) {
			parts = append(parts, stripes[first:i+1])
			first = i + 1
		}
	}
	return parts
}

// quantile returns the index of the stripe in which a share of the rows is reached.
func quantile(stripes []stripe, share float64) int64 {
	rows, done := 0, 0
	for _, s := range stripes {
		rows += s.rows
	}
	for _, s := range stripes {
		if done += s.rows; float64(done) >= share*float64(rows) {
			return s.index
		}
	}
	return stripes[len(stripes)-1].index
}

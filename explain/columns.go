package explain

import (
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/internal/limit"
)

// mostWide is how many columns of several layers there may be: every state of theirs takes
// passes of its own.
const mostWide = 6

// columns tells which layers the columns of a model have: one each, but a date-time one for
// every part of it.
type columns struct {
	names  []string
	layers [][]int // [columns]
	of     []int   // [d] column of a layer
	wide   []int   // columns of several layers
	nth    []int   // [columns] where such a column stands in wide; −1 for the others
}

func newColumns(b *box.Box) (*columns, error) {
	c := &columns{}
	for _, field := range b.Columns() {
		c.names, c.layers, c.nth = append(c.names, field.Name), append(c.layers, nil), append(c.nth, -1)
	}
	for i := range b.Inputs {
		of := b.Column(i)
		c.of, c.layers[of] = append(c.of, of), append(c.layers[of], i)
	}
	for k, layers := range c.layers {
		if len(layers) > 1 {
			c.nth[k] = len(c.wide)
			c.wide = append(c.wide, k)
		}
	}
	if len(c.wide) > mostWide {
		return nil, &limit.OptionError{Option: "model", Problem: fmt.Sprintf("it has %d columns of dates and times; Shapley values are told of %d at most: fit again without some of these", len(c.wide), mostWide)}
	}
	return c, nil
}

// state tells which of the wide columns are at the row, a bit each in the order of wide; the
// others are at the background.
type state uint

// states is how many there are.
func (c *columns) states() state { return 1 << len(c.wide) }

// share returns the probability of a state where every wide column is at the row with
// probability t, those of some columns left out.
func (c *columns) share(s state, t float64, without ...int) float64 {
	share := 1.0
	for k, column := range c.wide {
		switch {
		case slices.Contains(without, column):
		case s>>k&1 == 1:
			share *= t
		default:
			share *= 1 - t
		}
	}
	return share
}

// sign returns 1 where a wide column is at the row and −1 where it is not.
func (c *columns) sign(s state, column int) float64 {
	if s>>c.nth[column]&1 == 1 {
		return 1
	}
	return -1
}

package auto

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/internal/process/basis"
)

// rowsForNeighbours are the fewest that neighbour inputs are tried on: means over fewer tell
// little that a surface does not.
const rowsForNeighbours = 10_000

// neighbours are inputs of means of the target over neighbouring rows, in some orders of the
// rows, never the row's own. Whoever lacks a fold has means of rows outside it alone.
type neighbours struct {
	from   *dataset // without them
	target neighbour.Target
	folds  partition
	fold   []int // of every row, noFold for one that is in none
	orders []*neighbour.Rows
	found  []foundOrder
	least  []int       // rows of a knot, by order
	inputs []box.Input // scalings of the values
}

// withNeighbours returns the data with inputs by the orders. Every row has the values that the
// member has that lacks its fold, as a new row has those of the model: all that is learned
// from out-of-fold predictions goes by these.
func (d *dataset) withNeighbours(folds partition, found []foundOrder) (*dataset, error) {
	n := &neighbours{from: d, found: found, target: neighbour.Target{Y: d.Y, Weights: d.Weights}, folds: folds, fold: slices.Repeat([]int{noFold}, d.Len())}
	for k, rows := range folds.folds {
		for _, j := range rows {
			n.fold[j] = k
		}
	}
	columns := d.columns(found)
	places := neighbour.PlacesOf(columns, d.X, d.Inputs)
	values := make([][]float64, len(found))
	one, err := basis.NewBernstein(1)
	if err != nil {
		return nil, err
	}
	w := &dataset{
		keys: d.keys, bases: slices.Clone(d.bases), distinct: slices.Clone(d.distinct),
		order: d.order, given: d.given, copies: d.copies, limits: d.limits, law: d.law, neighbours: n, levels: d.levels,
	}
	if d.ties != nil {
		w.ties = append(slices.Clone(d.ties), make([]int, len(found))...)
	}
	for i, o := range found {
		n.orders, n.least = append(n.orders, neighbour.Sort(columns, places, o.by(columns), upTo(d.Len()))), append(n.least, o.least)
		values[i] = n.outOfFold(i)
		in, err := box.RankInput(o.name(d), values[i])
		if err != nil {
			return nil, err
		}
		in.Missing = true // a row may lack what it is ordered by
		n.inputs = append(n.inputs, in)
		w.bases, w.distinct = append(w.bases, one), append(w.distinct, maxDistinct)
	}
	w.Rows = d.Rows
	w.Inputs += len(found)
	return w.scaled(n.join(values), append(slices.Clone(d.inputs), n.inputs...)), nil
}

// uses tells whether rows are ordered by an input.
func (n *neighbours) uses(input int) bool {
	return n != nil && slices.ContainsFunc(n.found, func(o foundOrder) bool { return slices.Contains(o.inputs, input) })
}

// lacks tells which rows the member has no part of that lacks a fold.
func (n *neighbours) lacks(fold int) func(j int32) bool {
	if len(n.folds.folds) == 1 { // of rows that are marked, which all members lack
		fold = 0
	}
	return func(j int32) bool { return fold != noFold && n.fold[j] == fold }
}

// outOfFold returns the values of every row by those that lack its fold.
func (n *neighbours) outOfFold(i int) []float64 {
	all, own := make([]float64, n.from.Len()), make([]float64, n.from.Len())
	for k := range n.folds.folds {
		n.orders[i].Values(own, n.target, n.least[i], n.lacks(k))
		for j, v := range own {
			if n.fold[j] == k || n.fold[j] == noFold {
				all[j] = v
			}
		}
	}
	return all
}

// join returns the coordinates of all rows with those of values after them.
func (n *neighbours) join(values [][]float64) []float32 {
	d := n.from.Inputs
	wide := d + len(values)
	x := make([]float32, n.from.Len()*wide)
	for j := range n.from.Len() {
		row := x[j*wide : (j+1)*wide]
		copy(row, n.from.Row(j))
		for i, v := range values {
			row[d+i] = n.inputs[i].Clip(v[j])
		}
	}
	return x
}

// lacking returns the rows as the member has them that lacks a fold: both those that it
// learns from and those of the fold have means of the former.
func (d *dataset) lacking(fold int) *dataset {
	n := d.neighbours
	if n == nil {
		return d
	}
	values := make([][]float64, len(n.orders))
	for i, o := range n.orders {
		values[i] = make([]float64, d.Len())
		o.Values(values[i], n.target, n.least[i], n.lacks(fold))
	}
	own := *d
	own.X, own.whole = n.join(values), d
	return &own
}

// tables returns what the model keeps: means over the rows of all folds.
func (n *neighbours) tables() (all []neighbour.Table) {
	if n == nil {
		return nil
	}
	for i, o := range n.orders {
		t := o.Table(n.target, n.least[i], n.lacks(noFold))
		t.Input = n.inputs[i]
		all = append(all, t)
	}
	return all
}

// tryNeighbours tries the best candidates with neighbour inputs, and returns these, the best
// first, if they are better than the best without by more than two standard errors, or nil.
// The data of the tournament have the inputs then.
func (t *tournament) tryNeighbours(ctx context.Context, w worker, without []candidate, share float64) ([]candidate, error) {
	if !t.neighbours || without[0].ensemble == nil || w.progress.spent() > budgetToSelect {
		return nil, nil
	}
	found, err := t.findOrders(ctx, w, without[0])
	if err != nil || found == nil {
		return nil, err
	}
	data, err := t.data.withNeighbours(t.folds, found)
	if err != nil {
		return nil, err
	}
	return t.tryOn(ctx, w, data, tryingNeighbours, t.again(without), without[0], share, certainly)
}

// name tells what the rows are ordered by.
func (o foundOrder) name(d *dataset) string {
	var names []string
	for _, i := range o.inputs {
		names = append(names, d.inputs[i].Name)
	}
	return fmt.Sprintf("neighbours by %s", strings.Join(names, ", "))
}

// columns returns those of all inputs that orders have.
func (d *dataset) columns(found []foundOrder) (all []neighbour.Column) {
	known := map[int]bool{}
	for _, o := range found {
		for _, i := range o.inputs {
			if !known[i] {
				known[i], all = true, append(all, d.column(i))
			}
		}
	}
	return all
}

// column returns input i as one to order by.
func (d *dataset) column(i int) neighbour.Column {
	if category, ok := basis.Bare(d.bases[i]).(basis.Category); ok {
		return neighbour.NewColumn(i, nil, category.Levels())
	}
	x := make([]float32, d.Len())
	for j := range x {
		x[j] = d.Row(j)[i]
	}
	return neighbour.NewColumn(i, x, 0)
}

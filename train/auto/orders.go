package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/box/neighbour"
)

// foundOrder is an order of the rows, with the rows of a knot.
type foundOrder struct {
	inputs []int // lexicographic by these
	least  int
}

// by returns where the inputs are among columns.
func (o foundOrder) by(columns []neighbour.Column) (by []int) {
	for _, i := range o.inputs {
		by = append(by, slices.IndexFunc(columns, func(c neighbour.Column) bool { return c.Input == i }))
	}
	return by
}

const (
	// mostOrders and mostOrdered are those of a table and the inputs of one.
	mostOrders  = 3
	mostOrdered = 6
	// mostTried are the columns that are tried beyond the first of an order.
	mostTried = 24
	// gainOfOrder is the least share of what the best candidate leaves unexplained that
	// neighbours in one more order have to explain, and gainOfColumn in an order by one more
	// column.
	gainOfOrder  = 0.03
	gainOfColumn = 0.002
)

// orderSearch looks for orders in which the residuals of neighbours are alike.
type orderSearch struct {
	columns  []neighbour.Column
	places   neighbour.Places
	rows     []int
	residual neighbour.Target
	least    int
}

// tried is an order of columns with the share of the residuals' variance that it explains.
type tried struct {
	by    []int
	least int
	share float64
	slope float64
}

// findOrders looks for orders in which rows that are neighbours err alike: by residuals of the
// best candidate at the rows that it has learned from, so that the rows held out can judge
// what comes of them. The share that is explained is the squared correlation of a row's
// residual with that which its neighbours tell; orders grow column by column.
func (t *tournament) findOrders(ctx context.Context, w worker, best candidate) (found []foundOrder, err error) {
	rows, f, err := t.learnedBy(ctx, w, best)
	if err != nil {
		return nil, err
	}
	s := orderSearch{rows: rows, residual: neighbour.Target{Y: make([]float32, t.data.Len()), Weights: t.data.Weights}}
	for i, j := range rows {
		s.residual.Y[j] = t.data.Y[j] - float32(f[i])
	}
	for i, n := range t.data.distinct {
		if n > 1 {
			s.columns = append(s.columns, t.data.column(i))
		}
	}
	s.places = neighbour.PlacesOf(s.columns, t.data.X, t.data.Inputs)
	s.least = max(neighbour.FewestRows, (t.data.Len()+neighbour.MostKnots-1)/neighbour.MostKnots)
	var all []tried
	for len(all) < mostOrders {
		o, err := s.next(ctx, w, all)
		if err != nil {
			return nil, err
		}
		if o.share < gainOfOrder {
			break
		}
		all = append(all, o)
		s.explain(o)
	}
	for _, o := range all {
		own := foundOrder{least: o.least}
		for _, i := range o.by {
			own.inputs = append(own.inputs, s.columns[i].Input)
		}
		found = append(found, own)
	}
	return found, nil
}

// next returns the order that explains most of the residuals, beside those before it.
func (s *orderSearch) next(ctx context.Context, w worker, before []tried) (tried, error) {
	var starts [][]int
	for i := range s.columns {
		starts = append(starts, []int{i})
	}
	single, err := s.try(ctx, w, starts)
	if err != nil {
		return tried{}, err
	}
	slices.SortStableFunc(single, bestFirst)
	candidates := make([]int, 0, mostTried)
	for _, o := range single[:min(mostTried, len(single))] {
		candidates = append(candidates, o.by[0])
	}
	best := single[0]
	step := func(orders [][]int, gain float64) (bool, error) {
		all, err := s.try(ctx, w, orders)
		if err != nil || len(all) == 0 {
			return false, err
		}
		slices.SortStableFunc(all, bestFirst)
		if all[0].share < best.share+gain {
			return false, nil
		}
		best = all[0]
		return true, nil
	}
	// An order like one before, of one column more or fewer.
	var like [][]int
	for _, o := range before {
		like = append(append(like, shorter(o.by)...), longer(o.by, candidates)...)
	}
	if _, err := step(like, 0); err != nil {
		return best, err
	}
	for grows := true; grows && len(best.by) < mostOrdered; {
		if grows, err = step(longer(best.by, candidates), gainOfColumn); err != nil {
			return best, err
		}
	}
	for moves := true; moves; {
		if moves, err = step(append(shorter(best.by), moved(best.by)...), gainOfColumn/2); err != nil {
			return best, err
		}
	}
	for rougher := true; rougher; {
		wide := *s
		wide.least = 2 * best.least
		all, err := wide.try(ctx, w, [][]int{best.by})
		if err != nil {
			return best, err
		}
		if rougher = all[0].share > best.share; rougher {
			best = all[0]
		}
	}
	return best, nil
}

func bestFirst(a, b tried) int {
	switch {
	case a.share > b.share:
		return -1
	case a.share < b.share:
		return 1
	}
	return 0
}

// longer returns an order with one more of the columns, before all or after all.
func longer(by, columns []int) (all [][]int) {
	for _, i := range columns {
		if !slices.Contains(by, i) {
			all = append(all, slices.Insert(slices.Clone(by), 0, i), append(slices.Clone(by), i))
		}
	}
	return all
}

// shorter returns an order without each of its columns.
func shorter(by []int) (all [][]int) {
	for i := range by {
		if len(by) > 1 {
			all = append(all, slices.Delete(slices.Clone(by), i, i+1))
		}
	}
	return all
}

// moved returns an order with each of its columns at every other place.
func moved(by []int) (all [][]int) {
	for from := range by {
		rest := slices.Delete(slices.Clone(by), from, from+1)
		for to := range by {
			if to != from {
				all = append(all, slices.Insert(slices.Clone(rest), to, by[from]))
			}
		}
	}
	return all
}

// try returns orders with what they explain.
func (s *orderSearch) try(ctx context.Context, w worker, orders [][]int) ([]tried, error) {
	all := make([]tried, len(orders))
	err := parallel(ctx, w, len(orders), func(_ context.Context, _ worker, i int) error {
		all[i] = s.explains(orders[i])
		return nil
	})
	return all, err
}

func (s *orderSearch) explains(by []int) tried {
	o := tried{by: by, least: s.least}
	if values := s.values(o); values != nil {
		o.slope, o.share = s.regress(values)
	}
	return o
}

// values returns what neighbours tell of the residual of every row, nil for an order of more
// positions than there are numbers.
func (s *orderSearch) values(o tried) []float64 {
	var order neighbour.Order
	for _, i := range o.by {
		order = append(order, s.columns[i])
	}
	if !order.Fits() {
		return nil
	}
	values := make([]float64, len(s.residual.Y))
	neighbour.Sort(s.columns, s.places, o.by, s.rows).Values(values, s.residual, o.least, nil)
	return values
}

// regress returns the slope of the residuals on values, and the share of their variance that
// the line explains, none where it falls: neighbours would be unlike.
func (s *orderSearch) regress(values []float64) (slope, share float64) {
	var all, weights, mean, square0, known, x, y, xx, xy float64
	for _, j := range s.rows {
		w, r, v := 1.0, float64(s.residual.Y[j]), values[j]
		if s.residual.Weights != nil {
			w = float64(s.residual.Weights[j])
		}
		all, mean, square0 = all+w, mean+w*r, square0+w*r*r
		if v != v {
			continue
		}
		known++
		weights, x, y, xx, xy = weights+w, x+w*v, y+w*r, xx+w*v*v, xy+w*v*r
	}
	total := square0 - mean*mean/all
	if xx -= x * x / weights; known < 2 || !(xx > 0) || !(total > 0) {
		return 0, 0
	}
	xy -= x * y / weights
	slope = xy / xx
	if slope <= 0 || math.IsInf(slope, 0) {
		return 0, 0
	}
	return slope, slope * xy / total
}

// explain takes what an order explains off the residuals.
func (s *orderSearch) explain(o tried) {
	for j, v := range s.values(o) {
		if v == v {
			s.residual.Y[j] -= float32(o.slope * v)
		}
	}
}

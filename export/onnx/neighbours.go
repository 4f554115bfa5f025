package onnx

import (
	"beziergp/box"
	"beziergp/box/neighbour"
)

// neighbours returns columns and coordinates with what tables tell of every row after them.
func (g *graph) neighbours(tables []neighbour.Table, c *columns, s scaled) (*columns, scaled) {
	if len(tables) == 0 {
		return c, s
	}
	var inputs []box.Input
	var values, coordinates, unknown []value
	for i := range tables {
		t := &tables[i]
		v := g.lookUp(t, s)
		at, missing, _ := g.scaleNumbers(v, []box.Input{t.Input})
		inputs = append(inputs, t.Input)
		values, coordinates, unknown = append(values, v), append(coordinates, at), append(unknown, missing)
	}
	return c.and(g, inputs, values), s.and(g, inputs, coordinates, unknown)
}

// lookUp returns a table's values at rows of the box, [1, rows], NaN where a coordinate of its
// order is missing.
func (g *graph) lookUp(t *neighbour.Table, s scaled) value {
	position, missing := g.position(t.Order, s)
	last := len(t.At) - 1
	known := g.clamp(position, t.At[0], t.At[last])
	return g.pick(missing, g.number(nan), g.interpolate(known, [][]float64{t.At}, [][]float64{t.Mean}))
}

// position returns the place of rows in an order, and whether it is missing, [1, rows].
func (g *graph) position(order neighbour.Order, s scaled) (at, missing value) {
	between := value("") // whether a place before was between two
	for i := range order {
		c := &order[i]
		v, unknown := g.coordinate(s, c.Input)
		place := g.place(c, v)
		if i == 0 {
			at, missing = place, unknown
		} else {
			missing = g.op("Or", missing, unknown)
		}
		split := value("")
		if c.Values != nil && i < len(order)-1 {
			split = g.op("Less", g.floor(place), place)
			place = g.op("Ceil", place)
		}
		if between != "" {
			place = g.pick(between, g.number(0), place)
		}
		if i == 0 {
			at = place
		} else {
			at = g.add(g.mul(at, g.number(float64(c.Places))), place)
		}
		switch {
		case split == "":
		case between == "":
			between = split
		default:
			between = g.op("Or", between, split)
		}
	}
	if between != "" {
		at = g.sub(at, g.mul(g.number(0.5), g.cast(between, float64s)))
	}
	return at, missing
}

// coordinate returns that of an input of the box, [1, rows].
func (g *graph) coordinate(s scaled, input int) (v, unknown value) {
	row := []int{s.row[input]}
	if s.category(input) {
		return g.cast(g.rows(s.node, s.count[1], row), float64s), g.rows(s.without, s.count[1], row)
	}
	return g.rows(s.t, s.count[0], row), g.rows(s.unknown, s.count[0], row)
}

// place returns that of coordinates in a column of an order, as [neighbour.Column.Place] does.
func (g *graph) place(c *neighbour.Column, v value) value {
	if c.Values == nil {
		return g.clamp(g.floor(g.mul(v, g.number(c.Scale))), 0, float64(c.Places-1))
	}
	values := make([]float64, len(c.Values))
	for i, x := range c.Values {
		values[i] = float64(x)
	}
	v = g.clamp(v, values[0], values[len(values)-1])
	at, left, right := g.search(v, [][]float64{values})
	narrow := func(v value) value { return g.cast(v, float32s) }
	share := g.div(g.sub(narrow(v), narrow(left)), g.sub(narrow(right), narrow(left)))
	return g.add(g.cast(at, float64s), g.cast(share, float64s))
}

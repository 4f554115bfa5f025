package model

import (
	"fmt"
	"slices"

	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/model/modelfile"
)

// Neighbours returns the tables of the inputs that the model makes beside its own: means of
// the target over neighbouring training rows. They must not be changed.
func (m *Model) Neighbours() []neighbour.Table { return m.tables }

// withNeighbours returns the inputs of surfaces: those of the box and, after them, those of
// tables. It fails where a table is not sound.
func withNeighbours(inputs []box.Input, tables []neighbour.Table) ([]box.Input, error) {
	all := slices.Clone(inputs)
	for i := range tables {
		if err := tables[i].Check(len(inputs)); err != nil {
			return nil, fmt.Errorf("neighbours %d: %w", i+1, err)
		}
		all = append(all, tables[i].Input)
	}
	return all, nil
}

// joined is rows of the box with what their neighbours tell after them.
type joined struct {
	tables []neighbour.Table
	x      []float32
	values [][]float64 // of every table
}

// join returns rows x, [n, d], with the coordinates of the tables' values, [n, d + tables].
func (j *joined) join(x []float32, n int) []float32 {
	if j.tables == nil || n == 0 {
		return x
	}
	d := len(x) / n
	wide := d + len(j.tables)
	j.x = resize(j.x, n*wide)
	for row := range n {
		copy(j.x[row*wide:], x[row*d:(row+1)*d])
	}
	j.values = resize(j.values, len(j.tables))
	for i := range j.tables {
		t := &j.tables[i]
		j.values[i] = resize(j.values[i], n)
		for row := range n {
			v := t.Value(x[row*d : (row+1)*d])
			j.values[i][row] = v
			j.x[row*wide+d+i] = t.Input.Clip(v)
		}
	}
	return j.x
}

// columns returns the columns of a model with the values of its tables after them.
func (j *joined) columns(own [][]float64) [][]float64 {
	if j.tables == nil {
		return own
	}
	return slices.Concat(own, j.values)
}

// neighboursHead is a table as it lies in a head.
type neighboursHead struct {
	Order []columnHead    `json:"order"`
	At    modelfile.Place `json:"at"`
	Mean  modelfile.Place `json:"mean"`
	Input modelfile.Input `json:"input"`
}

type columnHead struct {
	neighbour.Column
	Values *modelfile.Place `json:"values,omitempty"`
}

func describeNeighbours(tables []neighbour.Table, n *modelfile.Numbers) (heads []neighboursHead) {
	for _, t := range tables {
		h := neighboursHead{At: n.Add(t.At), Mean: n.Add(t.Mean), Input: modelfile.Describe(t.Input, n)}
		for _, c := range t.Order {
			own := columnHead{Column: c}
			if c.Values != nil {
				wide := make([]float64, len(c.Values))
				for i, v := range c.Values {
					wide[i] = float64(v)
				}
				place := n.Add(wide)
				own.Values = &place
			}
			h.Order = append(h.Order, own)
		}
		heads = append(heads, h)
	}
	return heads
}

// restoreNeighbours returns the tables of heads, which [New] checks.
func restoreNeighbours(heads []neighboursHead, l modelfile.Lists) (tables []neighbour.Table, err error) {
	for _, h := range heads {
		var t neighbour.Table
		if t.At, err = l.At(h.At); err != nil {
			return nil, err
		}
		if t.Mean, err = l.At(h.Mean); err != nil {
			return nil, err
		}
		if t.Input, err = h.Input.Restore(l); err != nil {
			return nil, err
		}
		for _, c := range h.Order {
			if c.Values != nil {
				wide, err := l.At(*c.Values)
				if err != nil {
					return nil, err
				}
				if len(wide) > neighbour.MostKnots {
					return nil, fmt.Errorf("an order by a column of %d values", len(wide))
				}
				c.Column.Values = make([]float32, len(wide))
				for i, v := range wide {
					c.Column.Values[i] = float32(v)
				}
			}
			t.Order = append(t.Order, c.Column)
		}
		tables = append(tables, t)
	}
	return tables, nil
}

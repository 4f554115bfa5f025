package beziergp

import (
	"beziergp/box"
	"beziergp/dataset/seen"
)

// remember returns what a model remembers of the rows of t with the targets y.
func remember(b *box.Box, target string, t *Table, y []float64, split string) (*seen.Rows, error) {
	columns, err := b.Pick(t)
	if err != nil {
		return nil, err
	}
	h, r := seen.NewHasher(b, target), seen.Recorder{}
	for i := range y {
		r.Add(h.Sum(columns, i, y[i]))
	}
	return r.Rows(split), nil
}

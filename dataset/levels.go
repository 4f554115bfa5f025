package dataset

import (
	"slices"

	"beziergp/box"
	"beziergp/table"
)

// Levels are those of a category of which many share a node.
type Levels struct {
	Input int       // among those of the set
	All   box.Input // with nodes for those, too
}

// Levels returns them of all categories that have so many more at least, and two rows of three of which have a level of others, too: free
// texts tell nothing of other rows.
func (s *Set) Levels(more int) (all []Levels, err error) {
	for i, in := range s.Inputs {
		if in.Kind != table.Category || in.Pooled.Len() < more {
			continue
		}
		column := s.from[s.box.Column(i)]
		known := s.rows.Summary(column)
		own, err := box.FitLevels(s.rows.Fields()[column], known.Counts, known.Missing)
		if err != nil {
			return nil, err
		}
		if own.Name, own.Column = in.Name, in.Column; own.Nodes() >= in.Nodes()+more && 3*own.Nodes() <= 2*s.Rows {
			all = append(all, Levels{i, own})
		}
	}
	return all, nil
}

// Codes returns the coordinates of all rows by levels, [rows, len(levels)] by rows. So many workers read blocks at a time.
func (s *Set) Codes(levels []Levels, workers int) ([]float32, error) {
	var inputs []box.Input
	for _, l := range levels {
		inputs = append(inputs, l.All)
	}
	x, _, _, err := s.of(inputs).Load(workers)
	return x, err
}

// With returns the inputs of the set with levels in the place of those of fewer nodes.
func (s *Set) With(levels []Levels) []box.Input {
	inputs := slices.Clone(s.Inputs)
	for _, l := range levels {
		inputs[l.Input] = l.All
	}
	return inputs
}

package dataset

import (
	"context"
	"fmt"

	"beziergp/box"
	"beziergp/internal/printable"
	"beziergp/likelihood"
	"beziergp/table"
)

// Several targets are numbers, and a row may lack some of them.

// checkOneOfSeveral refuses a column that cannot be one of several targets.
func (o Options) checkOneOfSeveral(f table.Field) error {
	switch {
	case f.Kind == table.DateTime || f.Kind == table.Category && LikeNumbers(f):
		return fmt.Errorf("target %q %s", f.Name, NoNumber(f))
	case f.Kind == table.Category:
		return fmt.Errorf("target %q holds texts like %s: several targets are learned as numbers; fit it alone, or leave it out", f.Name, printable.Quoted(f.Levels[0]))
	case f.Kind == table.Boolean && o.Likelihood == nil:
		return fmt.Errorf("target %q holds truth values: several targets are learned as numbers; fit it alone, or ask for the likelihood gaussian, to which they are 0 and 1", f.Name)
	}
	return nil
}

// scaleKnown scales one of several targets by the rows that have it. Errors about a value tell
// its row.
func (m *memory) scaleKnown(law likelihood.Likelihood, target box.Target, of int) (box.Target, error) {
	var known []float64
	var rows []int
	for i, v := range m.columns[of] {
		if v == v {
			known, rows = append(known, v), append(rows, i+1)
		}
	}
	if len(known) < 2 {
		return target, fmt.Errorf("target %q: %d of %d rows have it, and 2 at least are needed; leave it out", target.Name, len(known), m.Rows())
	}
	target, err := law.Scale(target, len(known), func(visit func([]float64) error) error { return visit(known) })
	return target, box.MoveRow(err, func(row int) int { return rows[row-1] })
}

// Output returns the rows that have target k, counted from 0, as a set of that target alone, in
// the scalings of the set, which is in memory. split is as in [Options].
func (s *Set) Output(ctx context.Context, k int, split string) (*Set, error) {
	m := s.rows.(*memory)
	mask := make([]bool, m.Rows())
	for i, v := range m.columns[s.columns.targets[k]] {
		mask[i] = v == v
	}
	rows := m.filter(mask)
	own := &Set{Description: s.Description, rows: rows, columns: s.columns, box: s.box, from: s.from, codes: s.codes, weights: s.weights}
	own.columns.targets = s.columns.targets[k : k+1]
	own.Targets, own.Rows, own.Dropped = s.Targets[k:k+1], rows.Rows(), rows.Dropped()
	return own, own.record(ctx, split)
}

package source

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"beziergp/internal/printable"
	"beziergp/table"
)

// ReadAll returns the rows to take as a table in memory. What columns hold is told
// by all rows of the file, but a category has the levels of the rows taken alone:
// nothing can be learned of the others.
func (t *Table) ReadAll(ctx context.Context) (*table.Table, error) {
	all, err := t.reader.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	t.warnOfColumns()
	return t.pick(all)
}

// warnOfColumns warns of columns whose whole numbers are too large to be told apart, and of those that
// are mostly numbers and were taken for categories.
func (t *Table) warnOfColumns() {
	for _, c := range t.reader.Collapses() {
		t.console.Warn(fmt.Sprintf("%s: %s", printable.Line(t.file), c),
			slog.String("event", "numbers_collapse"), slog.String("column", c.Column), slog.Int("integers", c.Integers), slog.Int("numbers", c.Numbers))
	}
	for _, c := range t.reader.Codes() {
		t.console.Warn(fmt.Sprintf("%s: %s", printable.Line(t.file), c),
			slog.String("event", "codes"), slog.String("column", c.Column), slog.String("value", c.Value), slog.Int("others", c.Others), slog.Int("cells", c.Cells))
	}
}

// pick returns the rows to take of all.
func (t *Table) pick(all *table.Table) (*table.Table, error) {
	t.read = all.Rows()
	if !t.chooses() {
		t.taken = t.read
		if err := t.end(); err != io.EOF {
			return nil, err
		}
		return t.withMarks(all, nil)
	}
	if t.mask != nil && t.read != len(t.mask) {
		return nil, t.wrongMask(fmt.Sprint(t.read))
	}
	keep := make([]bool, t.read)
	for i := range keep {
		if t.takes(i) && (t.limit == 0 || t.taken < t.limit) {
			keep[i] = true
			t.taken++
		}
	}
	if err := t.end(); err != io.EOF {
		return nil, err
	}
	rows, err := t.withMarks(all.Filter(keep), keep)
	if err != nil || t.schema {
		return rows, err
	}
	return withLevelsThatOccur(rows)
}

// withLevelsThatOccur returns the table whose categories have no level without a row.
func withLevelsThatOccur(t *table.Table) (*table.Table, error) {
	columns := make([]table.Column, 0, len(t.Names()))
	for _, name := range t.Names() {
		field, _ := t.Field(name)
		values, _ := t.Column(name)
		if field.Kind == table.Category {
			field.Levels, values = occurring(field.Levels, values)
		}
		columns = append(columns, table.NewColumn(field, values))
	}
	return table.New(columns...)
}

func occurring(levels []string, values []float64) ([]string, []float64) {
	occurs := make([]bool, len(levels))
	for _, v := range values {
		if v == v {
			occurs[int(v)] = true
		}
	}
	var kept []string
	code := make([]float64, len(levels))
	for i, l := range levels {
		code[i] = float64(len(kept))
		if occurs[i] {
			kept = append(kept, l)
		}
	}
	coded := slices.Clone(values)
	for i, v := range coded {
		if v == v {
			coded[i] = code[int(v)]
		}
	}
	return kept, coded
}

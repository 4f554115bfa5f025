package tablefile

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"
)

// typedBody is the rows of a source with types. What a cell becomes is what its
// text would become, so that a table is the same from every format.
type typedBody struct {
	file     typed
	selected []int // columns that are read, once each
	of       []int // a plan: which of these it reads
	cells    []typedCells
	rows     int
	seen     bool // cells are read
	block    block
	text     []byte
}

func (t *typedBody) names() []string { return t.file.Names() }

func (t *typedBody) progress() (done, total int64) { return t.file.Progress() }

func (t *typedBody) close() error { return t.file.Close() }

func (t *typedBody) look(ctx context.Context, plans []plan) (*block, error) {
	if err := t.fill(ctx, plans); err != nil {
		return nil, err
	}
	return t.read(plans), nil
}

func (t *typedBody) next(ctx context.Context, plans []plan) ([]*block, error) {
	if err := t.fill(ctx, plans); err != nil {
		return nil, err
	}
	t.seen = true
	return []*block{t.read(plans)}, nil
}

func (t *typedBody) shorten(_, rows int, plans []plan) *block {
	t.rows = rows
	return t.read(plans)
}

// fill gets cells unless there are some to read.
func (t *typedBody) fill(ctx context.Context, plans []plan) (err error) {
	if t.selected == nil {
		var keep []int
		for _, p := range plans {
			at := slices.Index(t.selected, p.index)
			if at < 0 {
				at = len(t.selected)
				t.selected = append(t.selected, p.index)
			}
			t.of = append(t.of, at)
			if p.form == keepForm {
				keep = append(keep, p.index)
			}
		}
		if err := t.file.Select(t.selected); err != nil {
			return dropping(err, plans)
		}
		t.file.Keep(keep)
	}
	if t.cells == nil || t.seen {
		t.cells, t.rows, err = t.file.Next(ctx)
		t.seen = false
	}
	return dropping(err, plans)
}

// read makes the block of the cells.
func (t *typedBody) read(plans []plan) *block {
	t.block.reset(len(plans))
	t.block.rows, t.block.more = t.rows, 0
	if c, ok := t.file.(counted); ok {
		t.block.more = c.More()
	}
	for k := range plans {
		p, column, from := &plans[k], &t.block.columns[k], t.cells[t.of[k]]
		if p.form == keepForm {
			column.keepAll(t.file.Kind(p.index), &from, t.rows)
			continue
		}
		column.wide.merge(from.wide)
		if p.form != wordForm {
			column.values = slices.Grow(column.values, t.rows)
		}
		if column.takeNumbers(p, &from, t.rows) {
			continue
		}
		for i := range t.rows {
			if from.Kind == numberCells && p.form == numberForm || from.Kind == timeCells && p.form == timeForm {
				if v := from.Numbers[i]; v-v == 0 && !p.missingValue(from.Kind, v) { // finite
					column.values = append(column.values, v)
					continue
				}
			}
			t.text = from.appendText(t.text[:0], i)
			column.add(p, trim(t.text), place{row: i})
		}
	}
	return &t.block
}

// takeNumbers takes cells that are all finite numbers of a column of numbers, where no number
// stands for a missing value, and tells whether they are.
func (c *cells) takeNumbers(p *plan, from *typedCells, rows int) bool {
	if from.Kind != numberCells || p.form != numberForm || p.missing.Numbers() {
		return false
	}
	sum := 0.0
	for _, v := range from.Numbers[:rows] {
		sum += v - v // 0 of a finite number, NaN of others
	}
	if sum != 0 {
		return false
	}
	c.values = append(c.values, from.Numbers[:rows]...)
	return true
}

// missingValue tells whether a number or a time stands for a missing value.
func (p *plan) missingValue(kind cellKind, v float64) bool {
	if kind == timeCells {
		return p.missing.Time(v)
	}
	return p.missing.Number(v)
}

// appendText appends the text of a cell; a missing one has none.
func (c *typedCells) appendText(dst []byte, i int) []byte {
	if c.Kind == textCells {
		if c.Missing != nil && c.Missing[i] {
			return dst
		}
		return append(dst, c.Texts[i]...)
	}
	v := c.Numbers[i]
	switch {
	case math.IsNaN(v):
		return dst
	case c.Kind == boolCells:
		return strconv.AppendBool(dst, v != 0)
	case c.Kind == timeCells:
		whole := math.Floor(v)
		return time.Unix(int64(whole), int64(math.Round((v-whole)*1e9))).UTC().AppendFormat(dst, time.RFC3339Nano)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

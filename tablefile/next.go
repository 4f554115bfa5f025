package tablefile

import (
	"context"
	"errors"
	"io"
	"slices"

	"beziergp/table"
)

const (
	errShape = "tablefile: a block wants one slice a selected column, all of one length above 0"
	errBegun = "tablefile: rows were read already"
)

// Next reads up to B rows into dst, [selected columns, B], row i of the block into
// dst[k][i], and returns their number. A column of the schema is encoded by it: a
// missing value is NaN, a level that is none of a category's is their number. Any
// other column holds numbers, and none is missing. At the end Next returns 0 and
// [io.EOF]. On any other error, an [*Error], the rows before it are in dst and
// counted, and all later calls return the error again. A table without rows is in
// error. Next panics unless dst has a slice a column, all of one length above 0.
func (r *Reader) Next(dst [][]float64) (int, error) {
	if len(dst) != len(r.selected) {
		panic(errShape)
	}
	most := len(dst[0])
	for _, d := range dst {
		if len(d) != most || most == 0 {
			panic(errShape)
		}
	}
	return r.next(dst, most)
}

func (r *Reader) next(dst [][]float64, most int) (int, error) {
	if r.plans == nil {
		r.plan(plan{form: numberForm, strict: true})
	}
	for k := range r.kept {
		r.kept[k].Cut(0)
	}
	n := 0
	for n < most && r.err == nil {
		if len(r.queue) == 0 {
			r.queue, r.err = r.batch(context.Background())
			continue
		}
		rows, fault := r.sound(r.queue[0])
		take := min(most-n, rows-r.at)
		for k, d := range dst {
			copy(d[n:n+take], r.queue[0].columns[k].values[r.at:])
		}
		if r.err = r.keep(take); r.err != nil {
			break
		}
		n += take
		r.at += take
		if r.at == rows {
			r.err = fault
			r.pass(rows)
		}
	}
	if r.err == io.EOF && n > 0 {
		return n, nil
	}
	return n, r.err
}

// plan makes the plans of the selected columns, other being that of those which are
// neither in the schema nor in kinds.
func (r *Reader) plan(other plan) {
	r.plans = make([]plan, len(r.selected), len(r.selected)+len(r.keeps))
	schema := make(map[string]table.Field, len(r.options.Schema))
	for _, f := range r.options.Schema {
		schema[f.Name] = f
	}
	for k, name := range r.selected {
		p := other
		p.name = name
		if kind, ok := r.options.Kinds[name]; ok && (kind != table.Category || !other.strict) {
			p = plan{name: name, form: formOf(kind)}
		}
		if f, ok := schema[name]; ok {
			p = planFor(name, f)
		}
		p.missing, p.needed = r.options.Missing, slices.Contains(r.options.Needed, name)
		r.plans[k] = p
	}
	for _, name := range r.keeps {
		r.plans = append(r.plans, plan{name: name, form: keepForm, missing: r.options.Missing})
	}
	locate(r.plans, r.body.names())
}

// batch returns the next blocks, or io.EOF behind the last file.
func (r *Reader) batch(ctx context.Context) ([]*block, error) {
	for {
		blocks, err := r.body.next(ctx, r.plans)
		r.tell()
		if err == nil {
			return blocks, nil
		}
		if err != io.EOF {
			var e *Error
			if errors.As(err, &e) && e.Row == 0 {
				e.Row = r.row + 1
			}
			return nil, err
		}
		if r.isLast() {
			return nil, r.endOfRows()
		}
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
}

// advance goes on to the next file.
func (r *Reader) advance() error {
	done, _ := r.body.progress()
	r.before += done
	r.body.close()
	r.file++
	r.row = 0
	b, err := openBody(r.files[r.file], r.options)
	if err != nil {
		r.body = closedBody{}
		return err
	}
	r.body = withJoined(b, r.options.Schema)
	locate(r.plans, r.body.names())
	if r.part != nil {
		r.narrow()
	}
	return agree(r.fileName(), b.names(), r.names, r.files[0])
}

// sound returns how many rows of a block come before its first fault, and that.
func (r *Reader) sound(b *block) (int, error) {
	rows, at := b.rows, -1
	for k, c := range b.columns {
		if c.fault != nil && c.fault.row < rows {
			rows, at = c.fault.row, k
		}
	}
	switch {
	case at >= 0:
		return rows, r.located(r.plans[at].fault(*b.columns[at].fault))
	case b.fault != nil:
		e := *b.fault
		e.Row = rows + 1
		return rows, r.located(&e)
	}
	return rows, nil
}

// located gives an error in queue[0] its file, and the row that it has there.
func (r *Reader) located(e *Error) *Error {
	e.File = r.fileName()
	e.Row += r.row
	return e
}

// pass goes on to the next block.
func (r *Reader) pass(rows int) {
	r.row += rows
	r.rows += rows
	r.at, r.queue = 0, r.queue[1:]
}

func (r *Reader) tell() {
	if r.options.Progress == nil {
		return
	}
	done, total := r.body.progress()
	if len(r.files) > 1 {
		total = r.size
	}
	r.options.Progress(r.before+done, total)
}

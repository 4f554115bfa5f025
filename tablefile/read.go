package tablefile

import (
	"context"
	"io"
	"os"
	"slices"

	"beziergp/table"
)

// Read returns the named columns of a file, or of all files of a pattern, as a table
// in memory; all columns if none are named. Its errors are those of [Open],
// [Reader.Select] and [Reader.ReadAll]. ctx is also the options' where they have none.
func Read(ctx context.Context, path string, options Options, columns ...string) (*table.Table, error) {
	if options.Context == nil {
		options.Context = ctx
	}
	r, err := Open(path, options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if len(columns) > 0 {
		if err := r.Select(columns...); err != nil {
			return nil, err
		}
	}
	return r.ReadAll(ctx)
}

// ReadAll returns the selected columns as a table in memory. What a column holds is
// inferred from all its cells, unless the schema or kinds say so. A file is read a
// second time, its other columns passed over, for a column that turns out to be text
// after it began with numbers; what cannot be read again is in error then. ReadAll
// fails with an [*Error], or with ctx's error, which it asks for between blocks. It
// panics once rows were read.
func (r *Reader) ReadAll(ctx context.Context) (*table.Table, error) {
	t, _, err := r.ReadOutOfCore(ctx, nil)
	return t, err
}

// ReadOutOfCore is ReadAll for a table that may be too large for memory. Once there are
// too many rows, it hands them over to out, and what it returns is no table but
// what the values that it stored stand for. Where a column turns out to be text after it began
// with numbers, out gets all rows once more.
func (r *Reader) ReadOutOfCore(ctx context.Context, out *OutOfCore) (*table.Table, *Stored, error) {
	if r.plans != nil {
		panic(errBegun)
	}
	r.plan(plan{form: guessForm})
	inferred := make([]bool, len(r.plans))
	for k, p := range r.plans {
		inferred[k] = p.form == guessForm
	}
	if slices.Contains(inferred, true) {
		if err := r.guess(ctx, inferred); err != nil {
			return nil, nil, err
		}
	}
	columns, err := r.build(ctx, inferred, out)
	if err != nil {
		return nil, nil, err
	}
	var stored *Stored
	var t *table.Table
	if out.begun() {
		if again := changed(columns); len(again) > 0 && r.size >= 0 {
			return r.storeAgain(ctx, out, again)
		}
		stored, err = r.stored(columns, out)
	} else {
		t, err = r.finish(ctx, columns)
	}
	r.noteCollapses(columns)
	r.noteCodes(columns)
	return t, stored, err
}

// guess looks at the first block for the forms of the columns whose kinds are inferred.
func (r *Reader) guess(ctx context.Context, inferred []bool) error {
	first, err := r.body.look(ctx, r.plans)
	if err != nil && err != io.EOF {
		return err
	}
	for k := range r.plans {
		if !inferred[k] {
			continue
		}
		r.plans[k].form = numberForm
		if err == nil {
			r.plans[k].form = firstForm(first.columns[k].counts)
		}
		if slices.Contains(r.words, r.plans[k].name) {
			r.plans[k].form = wordForm
		}
	}
	return nil
}

// changed returns the names of the columns that turned out to be text, or may.
func changed(columns []column) (names []string) {
	for k := range columns {
		if columns[k].changed() {
			names = append(names, columns[k].name())
		}
	}
	return names
}

// storeAgain stores all rows once more, some columns as text from the first row on.
func (r *Reader) storeAgain(ctx context.Context, out *OutOfCore, words []string) (*table.Table, *Stored, error) {
	second, err := r.second(r.selected)
	if err != nil {
		return nil, nil, err
	}
	defer second.Close()
	second.words = words
	out.sink = nil
	t, stored, err := second.ReadOutOfCore(ctx, out)
	r.collapses, r.codes = second.collapses, second.codes
	if err == nil && (second.rows != r.rows || !slices.EqualFunc(second.stats, r.stats, unchanged)) {
		err = changedError(r.fileName())
	}
	return t, stored, err
}

// second opens the files of r once more to read some of its columns.
func (r *Reader) second(names []string) (*Reader, error) {
	second, err := r.openAgain(r.options)
	if err != nil {
		return nil, err
	}
	if err := second.Select(names...); err != nil {
		second.Close()
		return nil, err
	}
	return second, nil
}

// firstForm returns the form for a column of whose first cells these are the counts.
// Whatever it is, the column ends the same. Numbers and times are kept as such, at
// little cost, but their texts are not; all texts are kept of a column that has shown
// none of either.
func firstForm(counts [classes]int) form {
	cells := 0
	for _, n := range counts {
		cells += n
	}
	switch cells -= counts[missingClass] + counts[gapClass]; {
	case cells == 0:
		return wordForm
	case counts[numberClass]+counts[brokenClass] == cells:
		return numberForm
	case counts[timeClass] == cells:
		return timeForm
	}
	return wordForm
}

// build reads all rows.
func (r *Reader) build(ctx context.Context, inferred []bool, out *OutOfCore) ([]column, error) {
	columns := make([]column, len(r.plans))
	for k := range columns {
		columns[k].plan, columns[k].inferred = &r.plans[k], inferred[k]
	}
	for limit := r.options.Rows; limit == 0 || r.rows < limit; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		blocks, err := r.batch(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		r.queue = blocks
		for i, b := range blocks {
			if limit > 0 && r.rows+b.rows > limit {
				b = r.body.shorten(i, limit-r.rows, r.plans)
			}
			more := b.more
			if out != nil || limit > 0 {
				more = 0
			}
			for k := range columns {
				if n := len(b.columns[k].values); n > 0 {
					columns[k].values = slices.Grow(columns[k].values, n+more)
				}
				if err := columns[k].take(r, &b.columns[k]); err != nil {
					return nil, err
				}
			}
			if b.fault != nil {
				e := *b.fault
				e.Row = b.rows + 1
				return nil, r.located(&e)
			}
			r.pass(b.rows)
			if limit > 0 && r.rows == limit {
				break
			}
		}
		if err := out.take(columns); err != nil {
			return nil, err
		}
	}
	r.queue = nil
	return columns, nil
}

// finish gives the columns their kinds.
func (r *Reader) finish(ctx context.Context, columns []column) (*table.Table, error) {
	if again := changed(columns); len(again) > 0 {
		if r.size < 0 {
			for k := range columns {
				if columns[k].changed() {
					return nil, columns[k].onlyOnce(r)
				}
			}
		}
		words, err := r.again(ctx, again)
		if err != nil {
			return nil, err
		}
		for k := range columns {
			if columns[k].changed() {
				columns[k], words = words[0], words[1:]
			}
		}
	}
	done := make([]table.Column, len(columns))
	for k := range columns {
		var err error
		if done[k], err = columns[k].typed(); err != nil {
			return nil, err
		}
	}
	return table.New(done...)
}

// again reads columns a second time, as text.
func (r *Reader) again(ctx context.Context, names []string) ([]column, error) {
	second, err := r.second(names)
	if err != nil {
		return nil, err
	}
	defer second.Close()
	second.plan(plan{form: wordForm})
	inferred := make([]bool, len(names))
	for k := range inferred {
		inferred[k] = true
	}
	columns, err := second.build(ctx, inferred, nil)
	if err == nil && (second.rows != r.rows || !slices.EqualFunc(second.stats, r.stats, unchanged)) {
		err = changedError(r.fileName())
	}
	return columns, err
}

// unchanged reports whether a file seems to be what it was. Both are nil where it is
// no file.
func unchanged(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

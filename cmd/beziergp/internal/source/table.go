package source

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/tablefile"
)

// Table reads the rows that were asked for, block by block. It must be closed.
type Table struct {
	path    string
	options Options
	console *console.Console
	file    string
	reader  *tablefile.Reader
	names   []string    // but for those that are dropped
	schema  bool        // columns are encoded by one
	mask    []bool      // by row of the file; nil for all rows
	by      string      // the flag that says how the mask was made, of a column; empty for none
	split   string      // names how rows are taken
	valid   []bool      // by row of the file, those to choose by; nil for none
	marked  fs.FileInfo // the file when the mask was read from it; nil where another has the mask
	take    bool        // the mark of the rows to take
	limit   int         // of rows to take; 0 for none
	rows    []int64     // that Next returned, as [Table.Rows] has them
	read    int         // rows of the file so far
	taken   int
	// Rows of the file, and those of them that are taken, before the part of a rank.
	first, firstTaken int
}

// Open opens a table: a file, the files of a pattern, or "-", standard input. Columns
// are encoded by the schema, where it has them; a nil one has ReadAll infer what they
// hold. marked says whether the rows to
// take are those that the mask marks or the others. task is what reading the table
// is called while it goes on.
func Open(ctx context.Context, path string, o Options, marked bool, s streams.Streams, task string, schema []table.Field) (*Table, error) {
	if err := o.CheckPipes(path, ""); err != nil {
		return nil, err
	}
	t := &Table{path: path, options: o, console: s.Console, file: Name(path), take: marked, limit: o.Rows, schema: schema != nil}
	if o.Mask.Path != "" {
		if o.Mask.ColumnIn(path) != "" {
			t.marked, _ = os.Stat(path) // reading it tells what is wrong
		}
		mask, err := tablefile.ReadMask(ctx, o.Mask.Path, o.Mask.Column, -1)
		if err != nil {
			return nil, err
		}
		t.mask = mask
	}
	if o.Holdout > 0 && o.by() != "" {
		t.by = o.by()
		t.marked, _ = os.Stat(path)
		var err error
		if t.mask, err = o.heldOutBy(ctx, path); err != nil {
			return nil, err
		}
	}
	t.split = t.splitName()
	if err := t.findValid(ctx, path); err != nil {
		return nil, err
	}
	unit := console.Bytes
	if o.From != "" {
		unit = "row"
	}
	options := tablefile.Options{
		Stdin:   s.In,
		Context: ctx,
		Kinds:   maps.Clone(o.Kinds),
		Schema:  schema,
		Progress: func(read, total int64) {
			if task != "" {
				s.Console.Update(console.State{Task: task, Done: read, Total: total, Unit: unit})
			}
		},
	}
	maps.DeleteFunc(options.Kinds, func(_ string, kind table.Kind) bool { return kind == option.Drop })
	if !t.chooses() {
		options.Rows = o.Rows // with a mask, the rest is read to hold the mask against it
	}
	reader, err := o.open(path, options)
	if err != nil {
		return nil, err
	}
	t.reader = reader
	t.names = slices.DeleteFunc(reader.Names(), func(name string) bool { return o.Kinds[name] == option.Drop })
	if err := t.checkDropped(o); err != nil {
		reader.Close()
		return nil, err
	}
	return t, nil
}

func (o Options) open(path string, options tablefile.Options) (*tablefile.Reader, error) {
	options.Missing, options.Needed = o.Missing, o.Needed
	if o.From != "" {
		return tablefile.OpenQuery(o.From, o.Query, options)
	}
	if o.Valid.isTable() {
		return tablefile.OpenFiles(append(Files(path), Files(o.Valid.Path)...), options)
	}
	return tablefile.Open(path, options)
}

// Name returns what a table's file is called in messages.
func Name(path string) string {
	switch path {
	case "-":
		return "standard input"
	case "":
		return "the query"
	}
	return path
}

// checkDropped refuses to drop a column that there is not.
func (t *Table) checkDropped(o Options) error {
	all := t.reader.Names()
	for _, name := range slices.Sorted(maps.Keys(o.Kinds)) {
		if !slices.Contains(all, name) {
			unknown := table.Unknown(name, all)
			return &tablefile.Error{File: t.file, Column: name, Problem: "there is no such column", Remedy: unknown.Hint(), Err: unknown}
		}
	}
	if len(t.names) == 0 {
		return &tablefile.Error{File: t.file, Problem: "all columns are dropped", Remedy: "leave one"}
	}
	return t.reader.Select(t.names...)
}

// Files returns the files that a path stands for; one that stands for none is its
// own.
func Files(path string) []string {
	if path == "" { // a query
		return nil
	}
	files, err := tablefile.Files(path)
	if err != nil {
		return []string{path}
	}
	return files
}

// Names returns the names of all columns of the file but those that are dropped.
func (t *Table) Names() []string { return slices.Clone(t.names) }

// Select has only the named columns read, in that order. The others may hold
// anything.
func (t *Table) Select(names ...string) error { return t.reader.Select(names...) }

// Keep has columns read as they stand besides, which may be any of the file; [Table.Kept]
// has them.
func (t *Table) Keep(names ...string) error { return t.reader.Keep(names...) }

// Kept returns the columns to keep of the rows that the last [Table.Next] returned.
func (t *Table) Kept() []exact.Column { return t.reader.Kept() }

// Rows returns the numbers of these rows in the table, counted from 1 over all its files.
func (t *Table) Rows() []int64 { return t.rows }

// Close closes the file.
func (t *Table) Close() error { return t.reader.Close() }

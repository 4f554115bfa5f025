package source

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/option"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/printable"
	"beziergp/table"
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
	marked  fs.FileInfo // the file when the mask was read from it; nil where another has the mask
	take    bool        // the mark of the rows to take
	limit   int         // of rows to take; 0 for none
	read    int         // rows of the file so far
	taken   int
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
	if o.From != "" {
		return tablefile.OpenQuery(o.From, o.Query, options)
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

// Close closes the file.
func (t *Table) Close() error { return t.reader.Close() }

// Block returns memory for blocks of the selected columns, [columns, B].
func (t *Table) Block() [][]float64 {
	const most, values = 1 << 13, 1 << 22
	block := make([][]float64, len(t.reader.Selected()))
	rows := max(1, min(most, values/len(block)))
	for k := range block {
		block[k] = make([]float64, rows)
	}
	return block
}

// Next reads the next rows to take into dst, as [tablefile.Reader.Next] does, at
// least one unless it fails. At the end it returns [io.EOF], or what is wrong with
// the number of rows.
func (t *Table) Next(ctx context.Context, dst [][]float64) (int, error) {
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		full := t.limit > 0 && t.taken == t.limit
		if full && !t.chooses() {
			return 0, io.EOF
		}
		n, err := t.reader.Next(dst)
		if err == io.EOF {
			return 0, t.end()
		}
		if err != nil {
			return 0, err
		}
		if t.mask != nil && t.read+n > len(t.mask) {
			return 0, t.wrongMask("more")
		}
		// Where enough is taken, the rest is read to hold the mask against it.
		kept := 0
		if !full {
			kept = t.compact(dst, n)
		}
		t.read += n
		t.taken += kept
		if kept > 0 {
			return kept, nil
		}
	}
}

// compact moves the rows to take of a block of n to its beginning.
func (t *Table) compact(dst [][]float64, n int) int {
	kept := 0
	for i := range n {
		if t.limit > 0 && t.taken+kept == t.limit {
			break
		}
		if !t.takes(t.read + i) {
			continue
		}
		for _, column := range dst {
			column[kept] = column[i]
		}
		kept++
	}
	return kept
}

// end returns io.EOF if the table had the rows that it ought to have.
func (t *Table) end() error {
	switch {
	case t.mask != nil && t.read < len(t.mask):
		return t.wrongMask(fmt.Sprint(t.read))
	case t.taken == 0 && t.mask == nil: // the reader refuses a file without rows
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("a share of %g of %d rows leaves none on one side", t.options.Holdout, t.read),
			Remedy: "hold out another share"}
	case t.taken == 0:
		mark := map[bool]int{true: 1, false: 0}[t.take]
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask marks no row with %d", mark),
			Remedy: "0 marks the rows to train on, 1 those to test"}
	case t.taken < t.limit:
		return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("there are %d rows, fewer than the %d asked for", t.taken, t.limit),
			Remedy: "ask for fewer with --rows"}
	case t.marked != nil && !t.asMarked():
		return &tablefile.Error{File: t.file, Problem: "the table changed after its mask was read", Remedy: "read it again when it is complete"}
	}
	return io.EOF
}

// asMarked tells whether the file seems to be what it was when the mask was read from it,
// which takes no longer than reading it twice.
func (t *Table) asMarked() bool {
	now, err := os.Stat(t.path)
	return err == nil && os.SameFile(now, t.marked) && now.Size() == t.marked.Size() && now.ModTime().Equal(t.marked.ModTime())
}

func (t *Table) wrongMask(rows string) error {
	return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("the mask has %d rows, but the table has %s", len(t.mask), rows),
		Remedy: "give the mask that belongs to the table"}
}

// Read returns how many rows of the file were read, taken or not.
func (t *Table) Read() int { return t.read }

// ReadAll returns the rows to take as a table in memory. What columns hold is told
// by all rows of the file, but a category has the levels of the rows taken alone:
// nothing can be learned of the others.
func (t *Table) ReadAll(ctx context.Context) (*table.Table, error) {
	all, err := t.reader.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	t.warnOfCollapses()
	return t.pick(all)
}

// warnOfCollapses warns of columns whose whole numbers are too large to be told apart.
func (t *Table) warnOfCollapses() {
	for _, c := range t.reader.Collapses() {
		t.console.Warn(fmt.Sprintf("%s: %s", printable.Line(t.file), c),
			slog.String("event", "numbers_collapse"), slog.String("column", c.Column), slog.Int("integers", c.Integers), slog.Int("numbers", c.Numbers))
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
		return all, nil
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
	if t.schema {
		return all.Filter(keep), nil
	}
	return withLevelsThatOccur(all.Filter(keep))
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

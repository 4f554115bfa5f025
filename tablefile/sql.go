package tablefile

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"beziergp/table"
	"beziergp/table/exact"
)

// sqlRows is a query under way in a database.
type sqlRows interface {
	// next returns the values of the next row: nil, int64, float64, bool, time.Time,
	// string, or another type, which no cell holds. It returns io.EOF after the last.
	next() ([]any, error)
	// kinds returns the kinds of the columns. It may read all rows first, unless the
	// columns have types, and not only their values.
	kinds() ([]columnKind, error)
	columnsHaveTypes() bool
	close() error
}

// columnKind is the kind of a query's column, or the name of a type no cell holds.
type columnKind struct {
	kind  cellKind
	exact exact.Kind // of a column to keep
	alien string
}

// sqlSource reads the rows of a query in blocks.
type sqlSource struct {
	name     string // of the database, without a password
	rows     sqlRows
	names    []string
	types    []columnKind // nil before the first block
	selected []int
	keep     []int
	cells    []typedCells
	count    int64
	ctx      context.Context // of the rows
	cancel   context.CancelFunc
}

// sqlBlock is the number of rows of a block.
const sqlBlock = 1 << 12

// OpenQuery opens the rows of a query in the database of a URL, sqlite:PATH or
// postgres://USER@HOST/DATABASE, as [Open] does a file's. The database is only read.
// A query is sent once, so its rows are read once.
func OpenQuery(url, query string, options Options) (*Reader, error) {
	var rows typed
	err, cause := caught(func() (err error) { rows, err = openSQL(options.Context, url, query); return err })
	if cause != nil {
		err = driverError("the database", cause)
	}
	if err != nil {
		return nil, err
	}
	return (&Reader{options: options, files: []string{"the query"}, size: -1}).begin(&typedBody{file: rows})
}

// driverError is the fault of a database that makes its driver panic.
func driverError(name string, cause error) *Error {
	return &Error{File: name, Problem: "what the database sends cannot be decoded (" + words(cause) + ")",
		Remedy: "check the database, or export the table to a file", Err: cause}
}

// openDatabase sends a query to the database of a URL, and returns what messages call
// the database, the rows, and the names of their columns.
type openDatabase func(ctx context.Context, url, query string) (name string, rows sqlRows, names []string, err error)

// DatabaseFiles returns the files that the database of a URL consists of, or may
// consist of while a program works on it. One behind a server has none.
func DatabaseFiles(url string) []string {
	path, ok := sqlitePath(url)
	if !ok {
		return nil
	}
	return []string{path, path + "-wal", path + "-shm", path + "-journal"}
}

// sqlitePath returns the path in the URL of an SQLite file.
func sqlitePath(url string) (path string, ok bool) {
	scheme, rest, _ := strings.Cut(url, ":")
	return strings.TrimPrefix(rest, "//"), scheme == "sqlite"
}

// openSQL sends a query to the database of a URL: sqlite:PATH or postgres://…. The
// database is only read. A done ctx, if not nil, ends waiting for it.
func openSQL(ctx context.Context, url, query string) (typed, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &sqlSource{ctx: ctx, cancel: cancel}
	scheme, _, _ := strings.Cut(url, ":")
	var err error
	switch open, known := databases[scheme]; {
	case strings.TrimSpace(query) == "":
		err = &Error{File: "the query", Problem: "it is empty", Remedy: "write it as SELECT … FROM …"}
	case known:
		s.name, s.rows, s.names, err = open(ctx, url, query)
	default:
		err = &Error{File: "the URL of the database", Problem: "it names no database that can be read",
			Remedy: "write it as sqlite:PATH or postgres://USER@HOST/DATABASE"} // it may hold a password
	}
	if err != nil {
		err = s.interrupted(err)
		cancel()
		return nil, err
	}
	if err := checkQueryNames(s.name, s.names); err != nil {
		s.Close()
		return nil, err
	}
	for j := range s.names {
		s.selected = append(s.selected, j)
	}
	return s, nil
}

func checkQueryNames(file string, names []string) error {
	if len(names) == 0 {
		return &Error{File: file, Problem: "the query gives no columns", Remedy: "write it as SELECT … FROM …"}
	}
	if err := table.CheckNames(names); err != nil {
		return &Error{File: file, Problem: "the query's " + err.Error(), Remedy: "give every column a name of its own with AS", Err: err}
	}
	return nil
}

// Names returns the names of the query's columns.
func (s *sqlSource) Names() []string { return s.names }

// Select has only these columns kept.
func (s *sqlSource) Select(columns []int) error {
	s.selected = columns
	if s.rows.columnsHaveTypes() {
		return s.settle()
	}
	return nil
}

// interrupted returns the context's error in the place of what the database made of it.
func (s *sqlSource) interrupted(err error) error {
	if cause := s.ctx.Err(); cause != nil {
		return cause
	}
	return err
}

// settle finds the kinds of the columns.
func (s *sqlSource) settle() error {
	types, err := s.rows.kinds()
	if err != nil {
		return err
	}
	var aliens []alien
	for _, j := range s.selected {
		if types[j].alien != "" {
			aliens = append(aliens, alien{s.names[j], types[j].alien})
		}
	}
	if err := typeError(s.name, aliens, "leave the column out or CAST it in the query"); err != nil {
		return err
	}
	s.types, s.cells = types, make([]typedCells, len(s.selected))
	for k, j := range s.selected {
		s.cells[k].keep = slices.Contains(s.keep, j)
	}
	return nil
}

// Keep has whole numbers of these columns kept.
func (s *sqlSource) Keep(columns []int) {
	s.keep = columns
	for k, j := range s.selected {
		if s.cells != nil {
			s.cells[k].keep = slices.Contains(columns, j)
		}
	}
}

// Kind returns the kind of a column. Times of a database are kept to the microsecond.
func (s *sqlSource) Kind(column int) exact.Kind { return s.types[column].exact }

// Next reads the next block.
func (s *sqlSource) Next(ctx context.Context) ([]typedCells, int, error) {
	defer context.AfterFunc(ctx, s.cancel)()
	var n int
	err, cause := caught(func() (err error) { n, err = s.read(); return err })
	if cause != nil {
		err = driverError(s.name, cause)
	}
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	if err != nil {
		return nil, 0, s.interrupted(err)
	}
	return s.cells, n, nil
}

func (s *sqlSource) read() (int, error) {
	if s.types == nil {
		if err := s.settle(); err != nil {
			return 0, err
		}
	}
	for k, j := range s.selected {
		s.cells[k].resize(s.types[j].kind, sqlBlock)
		s.cells[k].whole = s.cells[k].keep && (s.types[j].exact.Type == exact.Integer || s.types[j].exact.Type == exact.Time)
	}
	n := 0
	for ; n < sqlBlock; n++ {
		values, err := s.rows.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, atRow(err, s.count)
		}
		s.count++
		for k, j := range s.selected {
			if err := s.set(&s.cells[k], n, values[j]); err != nil {
				err.Column = s.names[j]
				return 0, err
			}
		}
	}
	switch {
	case s.count == 0:
		e := noRows(s.name)
		e.Problem, e.Remedy = "the query gives no rows", "loosen its WHERE, or check the table"
		return 0, e
	case n == 0:
		return 0, io.EOF
	}
	for k := range s.cells {
		s.cells[k].cut(n)
	}
	return n, nil
}

// atRow adds to the error of a database after which row it came.
func atRow(err error, row int64) error {
	e := err.(*Error)
	if row > 0 {
		e.Problem = fmt.Sprintf("after row %d: %s", row, e.Problem)
	}
	return e
}

// cut leaves the first n cells.
func (c *typedCells) cut(n int) {
	if c.Kind != textCells {
		c.Numbers = c.Numbers[:n]
		return
	}
	c.Texts = c.Texts[:n]
	if c.Missing != nil {
		c.Missing = c.Missing[:n]
	}
}

// set writes a database's value to a cell.
func (s *sqlSource) set(cells *typedCells, i int, value any) *Error {
	if value == nil {
		cells.miss(i)
		return nil
	}
	kind, number, ok := sqlNumber(value)
	text, isText := value.(string)
	switch {
	case ok && number-number != 0 && number == number:
		return infiniteError(s.name, "", s.count, number)
	case isText && !utf8.ValidString(text):
		return &Error{File: s.name, Row: int(s.count), Value: text, Problem: "is not UTF-8", Remedy: "mend the value or leave the column out"}
	case cells.Kind == textCells && isText:
		cells.Texts[i] = text
	case cells.Kind == textCells && ok && number != number:
		cells.miss(i)
	case cells.Kind == textCells && ok:
		cells.Texts[i] = sqlText(kind, value, number)
	case ok && kind == cells.Kind, ok && kind == numberCells && cells.Kind == boolCells && (number == 0 || number == 1):
		cells.Numbers[i] = number
		switch v := value.(type) {
		case int64:
			addInts(&cells.wide, []int64{v}, cells.Numbers[i:i+1])
			if cells.whole {
				cells.Integers[i] = v
			}
		case time.Time:
			if cells.whole {
				cells.Integers[i] = v.UnixMicro()
			}
		}
	default:
		return &Error{File: s.name, Row: int(s.count), Value: fmt.Sprint(value), Problem: "is of another type than the column",
			Remedy: "CAST the column to one type in the query, or leave it out"}
	}
	return nil
}

// sqlNumber returns the number that stands for a value, unless it is a text.
func sqlNumber(value any) (kind cellKind, number float64, ok bool) {
	switch v := value.(type) {
	case int64:
		return numberCells, float64(v), true
	case float64:
		return numberCells, v, true
	case bool:
		if v {
			number = 1
		}
		return boolCells, number, true
	case time.Time:
		return timeCells, float64(v.Unix()) + float64(v.Nanosecond())/1e9, true
	}
	return 0, 0, false
}

// sqlText is the text of a number, a boolean or a time in a column with other texts.
func sqlText(kind cellKind, value any, number float64) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	}
	return strconv.FormatFloat(number, 'g', -1, 64)
}

// Progress counts rows; how many there will be nobody knows.
func (s *sqlSource) Progress() (done, total int64) { return s.count, -1 }

// Close ends the query and the connection.
func (s *sqlSource) Close() error {
	s.cancel()
	return s.rows.close()
}

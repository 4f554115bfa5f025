//go:build !lean && !wasm

package tablefile

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"beziergp/internal/printable"
	"beziergp/table/exact"
)

// sqliteRows are the rows of a query in an SQLite file. A column of SQLite has no
// type, only its values have, so the query is run twice in one transaction: first
// to find what kinds of values each column holds.
type sqliteRows struct {
	ctx      context.Context
	name     string
	query    string
	db       *sql.DB
	conn     *sql.Conn
	tx       *sql.Tx
	rows     *sql.Rows
	declared []string
	values   []any
	pointers []any
}

func openSQLite(ctx context.Context, address, query string) (name string, rows sqlRows, names []string, err error) {
	path, _ := sqlitePath(address)
	if err := checkSQLite(path); err != nil {
		return "", nil, nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", nil, nil, openError(path, err)
	}
	location := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(absolute), "/"), RawQuery: "mode=ro"}
	r := &sqliteRows{ctx: ctx, name: path, query: query}
	if r.db, err = sql.Open("sqlite", location.String()); err != nil {
		return "", nil, nil, openError(path, err)
	}
	if names, err = r.start(); err != nil {
		r.close()
		return "", nil, nil, err
	}
	return path, r, names, nil
}

// checkSQLite refuses what is no SQLite file before the library makes its own words of it.
func checkSQLite(path string) error {
	f, err := openBinary(path, "SQLite")
	if err != nil {
		return err
	}
	defer f.Close()
	magic := make([]byte, 16)
	if _, err := io.ReadFull(f, magic); err != nil || string(magic) != "SQLite format 3\x00" {
		return &Error{File: path, Problem: "this is no SQLite database", Remedy: "give the file of one that holds tables"}
	}
	return nil
}

// start begins the transaction and runs the query.
func (r *sqliteRows) start() (names []string, err error) {
	if r.conn, err = r.db.Conn(r.ctx); err != nil {
		return nil, r.error(err)
	}
	// mode=ro is for the file alone: ATTACH, and VACUUM INTO, which attaches, would
	// create others.
	if _, err := sqlite.Limit(r.conn, sqlite3.SQLITE_LIMIT_ATTACHED, 0); err != nil {
		return nil, r.error(err)
	}
	if r.tx, err = r.conn.BeginTx(r.ctx, nil); err != nil {
		return nil, r.error(err)
	}
	if err := r.run(); err != nil {
		return nil, err
	}
	if names, err = r.rows.Columns(); err != nil {
		return nil, r.error(err)
	}
	types, err := r.rows.ColumnTypes()
	if err != nil {
		return nil, r.error(err)
	}
	for _, t := range types {
		r.declared = append(r.declared, strings.ToUpper(t.DatabaseTypeName()))
	}
	r.values, r.pointers = make([]any, len(names)), make([]any, len(names))
	for j := range r.values {
		r.pointers[j] = &r.values[j]
	}
	return names, nil
}

func (r *sqliteRows) run() (err error) {
	if r.rows, err = r.tx.QueryContext(r.ctx, r.query); err != nil {
		if needsFolder(err, r.name) {
			return unwritableWAL(r.name, err)
		}
		return &Error{File: r.name, Problem: "the query was refused: " + printable.Words(err.Error()),
			Remedy: "mend the query", Err: err}
	}
	return nil
}

func (r *sqliteRows) error(err error) *Error {
	return &Error{File: r.name, Problem: "the database cannot be read: " + printable.Words(err.Error()),
		Remedy: "check the file and that no program locks it", Err: err}
}

func (r *sqliteRows) next() ([]any, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, r.error(err)
		}
		return nil, io.EOF
	}
	if err := r.rows.Scan(r.pointers...); err != nil {
		return nil, r.error(err)
	}
	return r.values, nil
}

// kinds reads all rows, and runs the query again.
func (r *sqliteRows) kinds() ([]columnKind, error) {
	seen := make([]kindsSeen, len(r.values))
	for {
		values, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for j, v := range values {
			seen[j].add(v)
		}
	}
	types := make([]columnKind, len(seen))
	for j := range seen {
		types[j] = seen[j].kind(strings.HasPrefix(r.declared[j], "BOOL"))
	}
	return types, r.run()
}

func (r *sqliteRows) columnsHaveTypes() bool { return false }

func (r *sqliteRows) close() error {
	if r.rows != nil {
		r.rows.Close()
	}
	if r.tx != nil {
		r.tx.Rollback()
	}
	if r.conn != nil {
		r.conn.Close()
	}
	return r.db.Close()
}

// kindsSeen tells what kinds of values a column holds.
type kindsSeen struct {
	number, boolean, time, text bool
	other                       bool // a number that is neither 0 nor 1
	fraction                    bool // a number that is not stored as a whole one
	clock                       bool // a time that is no date
	alien                       string
}

func (s *kindsSeen) add(value any) {
	switch v := value.(type) {
	case nil:
	case int64:
		s.number, s.other = true, s.other || v != 0 && v != 1
	case float64:
		s.number, s.other, s.fraction = true, s.other || v != 0 && v != 1, true
	case bool:
		s.boolean = true
	case time.Time:
		s.time, s.clock = true, s.clock || v.UnixNano()%(24*60*60*1e9) != 0
	case string:
		s.text = true
	case []byte:
		s.alien = "BLOB"
	default:
		s.alien = fmt.Sprintf("%T", value)
	}
}

// kind is the one that holds all values: a text if they are mixed.
func (s kindsSeen) kind(declaredBool bool) columnKind {
	switch {
	case s.alien != "":
		return columnKind{alien: s.alien}
	case s.text, s.time && (s.number || s.boolean), s.number && s.boolean:
		return columnKind{kind: textCells}
	case s.time && s.clock:
		return columnKind{kind: timeCells, exact: exact.Kind{Type: exact.Time, PerSecond: 1e6}}
	case s.time:
		return columnKind{kind: timeCells, exact: exact.Kind{Type: exact.Date}}
	case s.boolean, s.number && declaredBool && !s.other:
		return columnKind{kind: boolCells, exact: exact.Kind{Type: exact.Truth}}
	case s.number && !s.fraction:
		return columnKind{kind: numberCells, exact: exact.Kind{Type: exact.Integer}}
	}
	return columnKind{kind: numberCells, exact: exact.Kind{Type: exact.Number}}
}

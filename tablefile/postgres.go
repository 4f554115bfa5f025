//go:build !lean && !wasm

package tablefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"beziergp/internal/printable"
	"beziergp/table/exact"
)

// postgresRows are the rows of a query in a PostgreSQL database, as they come over
// the wire, in a transaction that may only read.
type postgresRows struct {
	name  string
	conn  *pgx.Conn
	run   func() error // the query
	rows  pgx.Rows     // nil until it runs
	types []columnKind
}

func openPostgres(ctx context.Context, url, query string) (name string, rows sqlRows, names []string, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil { // whose words may hold the password
		return "", nil, nil, &Error{File: "the URL of the database", Problem: "it cannot be understood",
			Remedy: "write it as postgres://USER@HOST:PORT/DATABASE, with %-codes for special characters"}
	}
	if config.RuntimeParams == nil {
		config.RuntimeParams = map[string]string{}
	}
	config.RuntimeParams["default_transaction_read_only"] = "on"
	r := &postgresRows{name: fmt.Sprintf("PostgreSQL database %q at %s", config.Database, net.JoinHostPort(config.Host, fmt.Sprint(config.Port)))}
	if r.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return "", nil, nil, r.connectError(err)
	}
	if names, err = r.start(ctx, query); err != nil {
		r.close()
		return "", nil, nil, err
	}
	return r.name, r, names, nil
}

// start finds the names and types of the query's columns.
func (r *postgresRows) start(ctx context.Context, query string) (names []string, err error) {
	statement, err := r.conn.Prepare(ctx, "", query)
	if err != nil {
		return nil, r.queryError(err)
	}
	if len(statement.ParamOIDs) > 0 {
		return nil, &Error{File: r.name, Problem: "the query has parameters such as $1", Remedy: "write their values into it"}
	}
	for _, f := range statement.Fields {
		kind, err := r.kind(ctx, f.DataTypeOID)
		if err != nil {
			return nil, r.queryError(err)
		}
		names, r.types = append(names, f.Name), append(r.types, kind)
	}
	if len(names) == 0 {
		return nil, nil // which the caller tells
	}
	// A slow query sends nothing for long, so it runs where it can be cancelled.
	r.run = func() error {
		if r.rows, err = r.conn.Query(ctx, query); err != nil {
			return r.queryError(err)
		}
		return nil
	}
	return names, nil
}

// kind returns the kind of cell for a type of the database. Types of users are texts
// if they are enumerations or strings.
func (r *postgresRows) kind(ctx context.Context, oid uint32) (columnKind, error) {
	switch oid {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		return columnKind{kind: numberCells, exact: exact.Kind{Type: exact.Integer}}, nil
	case pgtype.Float4OID, pgtype.Float8OID, pgtype.NumericOID:
		return columnKind{kind: numberCells, exact: exact.Kind{Type: exact.Number}}, nil
	case pgtype.BoolOID:
		return columnKind{kind: boolCells, exact: exact.Kind{Type: exact.Truth}}, nil
	case pgtype.DateOID:
		return columnKind{kind: timeCells, exact: exact.Kind{Type: exact.Date}}, nil
	case pgtype.TimestampOID:
		return columnKind{kind: timeCells, exact: exact.Kind{Type: exact.Time, PerSecond: 1e6}}, nil
	case pgtype.TimestamptzOID:
		return columnKind{kind: timeCells, exact: exact.Kind{Type: exact.Time, PerSecond: 1e6, Zone: "UTC"}}, nil
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID, pgtype.UnknownOID:
		return columnKind{kind: textCells}, nil
	}
	var name string
	var text bool
	err := r.conn.QueryRow(ctx, "SELECT typname::text, typtype = 'e' OR typcategory = 'S' FROM pg_type WHERE oid = $1", oid).Scan(&name, &text)
	if err != nil {
		return columnKind{}, err
	}
	if _, known := r.conn.TypeMap().TypeForOID(oid); text && !known { // and so sent as text
		return columnKind{kind: textCells}, nil
	}
	return columnKind{alien: name}, nil
}

func (r *postgresRows) columnsHaveTypes() bool { return true }

func (r *postgresRows) kinds() ([]columnKind, error) { return r.types, nil }

func (r *postgresRows) next() ([]any, error) {
	if r.rows == nil {
		if err := r.run(); err != nil {
			return nil, err
		}
	}
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, r.queryError(err)
		}
		return nil, io.EOF
	}
	values, err := r.rows.Values()
	if err != nil {
		return nil, r.queryError(err)
	}
	for j, v := range values {
		values[j] = plain(v)
	}
	return values, nil
}

// plain returns a value as one of the few types that cells are made of.
func plain(value any) any {
	switch v := value.(type) {
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case float32:
		return float64(v)
	case pgtype.Numeric:
		if v.InfinityModifier != pgtype.Finite {
			return math.Inf(int(v.InfinityModifier))
		}
		if f, err := v.Float64Value(); err == nil && f.Valid {
			return f.Float64
		}
	case pgtype.InfinityModifier: // of a date or timestamp
		return math.Inf(int(v))
	case time.Time:
		return v.UTC()
	}
	return value
}

// queryError is what the server says of a query, or the loss of the server.
func (r *postgresRows) queryError(err error) *Error {
	var p *pgconn.PgError
	// Classes 08, 57P and 53 are about the connection and the server.
	if errors.As(err, &p) && p.Code[:2] != "08" && (len(p.Code) < 3 || p.Code[:3] != "57P") && p.Code[:2] != "53" {
		return &Error{File: r.name, Problem: "the query was refused: " + printable.Words(p.Message), Remedy: "mend the query", Err: err}
	}
	return &Error{File: r.name, Problem: "the connection was lost: " + printable.Words(err.Error()),
		Remedy: "see that the server runs, and start again", Err: err}
}

// connectError tells the server's words if it spoke, else those of the network.
func (r *postgresRows) connectError(err error) *Error {
	var p *pgconn.PgError
	if errors.As(err, &p) {
		return &Error{File: r.name, Problem: "the server refused the connection: " + printable.Words(p.Message),
			Remedy: "check user, password and database"}
	}
	cause := err
	if o := (*net.OpError)(nil); errors.As(err, &o) {
		cause = o
	} else {
		for next := errors.Unwrap(cause); next != nil; next = errors.Unwrap(cause) {
			cause = next // the first words of pgx repeat user and database
		}
	}
	return &Error{File: r.name, Problem: "there is no connection: " + printable.Words(cause.Error()),
		Remedy: "check host and port, and that the server runs"}
}

func (r *postgresRows) close() error {
	if r.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if r.rows == nil {
		return r.conn.Close(ctx)
	}
	// Close of the rows would read the rest of them.
	r.conn.PgConn().Conn().SetDeadline(time.Now())
	r.rows.Close()
	return nil
}

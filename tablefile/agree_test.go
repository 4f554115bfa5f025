//go:build !lean

package tablefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"beziergp/internal/format"
)

// drain reads a source to its end and returns what was wrong.
func drain(s typed, err error) error {
	for err == nil {
		defer s.Close()
		_, _, err = s.Next(context.Background())
	}
	if err == io.EOF {
		return nil
	}
	return err
}

func wantFault(t *testing.T, what string, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x00") {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

// readCells reads all blocks of a source into one.
func readCells(t *testing.T, s typed, err error) []typedCells {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []typedCells
	for {
		block, n, err := s.Next(context.Background())
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = make([]typedCells, len(block))
		}
		for k, c := range block {
			if all[k].Missing == nil && len(all[k].Texts) == 0 && len(all[k].Numbers) == 0 {
				all[k].Kind = c.Kind
			}
			if max(len(c.Numbers), len(c.Texts)) != n || c.Kind != all[k].Kind || c.Kind != textCells && c.Missing != nil {
				t.Fatalf("column %d: %d numbers and %d texts of kind %d in %d rows", k, len(c.Numbers), len(c.Texts), c.Kind, n)
			}
			all[k].Numbers = append(all[k].Numbers, c.Numbers...)
			all[k].Texts = append(all[k].Texts, c.Texts...)
			if c.Kind == textCells {
				missing := c.Missing
				if missing == nil {
					missing = make([]bool, n)
				}
				all[k].Missing = append(all[k].Missing, missing...)
			}
		}
	}
}

func sameCells(a, b []typedCells) bool {
	nan := func(cells []typedCells) (out []typedCells) { // so that NaN equals NaN
		for _, c := range cells {
			c.Numbers = append([]float64(nil), c.Numbers...)
			for i, v := range c.Numbers {
				if v != v {
					c.Numbers[i] = math.MaxFloat64
				}
			}
			if len(c.Texts) == 0 {
				c.Texts = nil
			}
			out = append(out, c)
		}
		return out
	}
	return reflect.DeepEqual(nan(a), nan(b))
}

// The table that every source must read alike.
const sharedRows = 10_000

func sharedRow(i int) (x any, n any, b any, s any, d any, at any, m any) {
	moment := time.Unix(int64(i-5000)*86_401, int64(i%1000)*1_000).UTC()
	x, n, b, s = float64(i)/7-300, int64(i)*1_000_003-1, i%3 == 0, fmt.Sprintf("größe %d", i%11)
	d, at, m = moment.Truncate(24*time.Hour), moment, decimal128.FromI64(int64(i*12345-50_000_000)) // two places
	for j, v := range []*any{&x, &n, &b, &s, &d, &at, &m} {
		if (i+j)%10 == 0 {
			*v = nil
		}
	}
	return
}

var sharedNames = []string{"x", "n", "b", "s", "d", "at", "m"}

// sharedCells makes the expected cells without any of the sources' code.
func sharedCells() []typedCells {
	want := make([]typedCells, 7)
	for k, kind := range []cellKind{numberCells, numberCells, boolCells, textCells, timeCells, timeCells, numberCells} {
		want[k].Kind = kind
	}
	for i := range sharedRows {
		x, n, b, s, d, at, m := sharedRow(i)
		for k, v := range []any{x, n, b, s, d, at, m} {
			switch v := v.(type) {
			case nil:
				if k == 3 {
					want[k].Texts, want[k].Missing = append(want[k].Texts, ""), append(want[k].Missing, true)
				} else {
					want[k].Numbers = append(want[k].Numbers, math.NaN())
				}
			case string:
				want[k].Texts, want[k].Missing = append(want[k].Texts, v), append(want[k].Missing, false)
			case float64:
				want[k].Numbers = append(want[k].Numbers, v)
			case int64:
				want[k].Numbers = append(want[k].Numbers, float64(v))
			case bool:
				want[k].Numbers = append(want[k].Numbers, map[bool]float64{true: 1}[v])
			case time.Time:
				want[k].Numbers = append(want[k].Numbers, float64(v.Unix())+float64(v.Nanosecond())/1e9)
			case decimal128.Num:
				want[k].Numbers = append(want[k].Numbers, float64(v.BigInt().Int64())/100)
			}
		}
	}
	return want
}

func sharedBatch() arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "s", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, Nullable: true},
		{Name: "d", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Berlin"}, Nullable: true},
		{Name: "m", Type: &arrow.Decimal128Type{Precision: 20, Scale: 2}, Nullable: true},
	}, nil)
	r := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range sharedRows {
		x, n, b, s, d, at, m := sharedRow(i)
		for k, v := range []any{x, n, b, s, d, at, m} {
			if v == nil {
				r.Field(k).AppendNull()
				continue
			}
			switch f := r.Field(k).(type) {
			case *array.Float64Builder:
				f.Append(v.(float64))
			case *array.Int64Builder:
				f.Append(v.(int64))
			case *array.BooleanBuilder:
				f.Append(v.(bool))
			case *array.BinaryDictionaryBuilder:
				f.AppendString(v.(string))
			case *array.Date32Builder:
				f.Append(arrow.Date32FromTime(v.(time.Time)))
			case *array.TimestampBuilder:
				f.Append(arrow.Timestamp(v.(time.Time).UnixMicro()))
			case *array.Decimal128Builder:
				f.Append(v.(decimal128.Num))
			}
		}
	}
	return r.NewRecordBatch()
}

// sqlValues are the literals of a row.
func sqlValues(i int, boolean func(bool) string) string {
	x, n, b, s, d, at, m := sharedRow(i)
	var out []string
	for _, v := range []any{x, n, b, s, d, at, m} {
		switch v := v.(type) {
		case nil:
			out = append(out, "NULL")
		case string:
			out = append(out, "'"+v+"'")
		case bool:
			out = append(out, boolean(v))
		case time.Time:
			out = append(out, v.Format("'2006-01-02 15:04:05.999999+00:00'"))
		case decimal128.Num:
			out = append(out, v.ToString(2))
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	return "(" + strings.Join(out, ",") + ")"
}

func insertAll(boolean func(bool) string) string {
	var b strings.Builder
	b.WriteString("INSERT INTO t VALUES ")
	for i := range sharedRows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(sqlValues(i, boolean))
	}
	return b.String()
}

func writeSQLite(t *testing.T, path string, statements ...string) {
	t.Helper()
	plain := filepath.Join(t.TempDir(), "t") // the driver takes a ? for the start of options
	db, err := sql.Open("sqlite", plain)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(plain, path); err != nil {
		t.Fatal(err)
	}
}

// A column of SQLite has the kind that holds all its values, however late they come.
func TestSQLiteMixedColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	writeSQLite(t, path, "CREATE TABLE t (a, b BOOLEAN, c, d, e)",
		"WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < 10000) INSERT INTO t SELECT n/4.0, n = 3, NULL, n, x'00' FROM i",
		"INSERT INTO t VALUES ('text', 2, NULL, 9e999, 1)")
	s, err := openSQL(t.Context(), "sqlite:"+path, "SELECT a, b, c, d FROM t WHERE d < 1e300")
	got := readCells(t, s, err)
	if got[0].Kind != numberCells || got[1].Kind != boolCells || got[2].Kind != numberCells || !math.IsNaN(got[2].Numbers[0]) {
		t.Errorf("kinds %d %d %d", got[0].Kind, got[1].Kind, got[2].Kind)
	}
	s, err = openSQL(t.Context(), "sqlite:"+path, "SELECT a, b FROM t")
	got = readCells(t, s, err)
	if n := len(got[0].Texts); n != 10001 || got[0].Texts[0] != "0.25" || got[0].Texts[n-1] != "text" || got[1].Kind != numberCells {
		t.Errorf("%d mixed values: %.3q", n, got[0].Texts)
	}
	for query, want := range map[string]string{
		"SELECT d FROM t":             `row 10001, column "d": "+Inf" is not finite`,
		"SELECT e FROM t":             `column "e": the type BLOB is neither`,
		"SELECT x FROM t":             "no such column: x",
		"SELECT a, a FROM t":          "give every column a name of its own with AS",
		"SELECT a FROM t WHERE d < 0": "the query gives no rows",
		"DELETE FROM t":               "read",
		" ":                           "it is empty",
	} {
		wantFault(t, query, drain(openSQL(t.Context(), "sqlite:"+path, query)), want)
	}
	if s, err = openSQL(t.Context(), "sqlite:"+path, "SELECT e, a FROM t"); err == nil { // what is not selected may be anything
		err = s.Select([]int{1})
	}
	if got = readCells(t, s, err); len(got) != 1 || got[0].Kind != textCells {
		t.Errorf("selected %v", got)
	}
	wantFault(t, "no file", drain(openSQL(t.Context(), "sqlite:"+path+"x", "SELECT 1")), "there is no such file")
}

func checkShared(t *testing.T, s typed, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.Names(), sharedNames) {
		t.Errorf("names %q", s.Names())
	}
	got, want := readCells(t, s, nil), sharedCells()
	for k := range want {
		if !sameCells(got[k:k+1], want[k:k+1]) {
			t.Errorf("column %q differs: kind %d, %.5v %.5q, want %d %.5v", sharedNames[k], got[k].Kind, first(got[k].Numbers), first(got[k].Texts), want[k].Kind, first(want[k].Numbers))
		}
	}
}

func first[T any](s []T) []T { return s[:min(5, len(s))] }

// One table reads alike from every source.
func TestAllSourcesAgree(t *testing.T) {
	batch := sharedBatch()
	path := func(t *testing.T) string { return filepath.Join(t.TempDir(), "a b%#?.t") }
	for f, write := range writers {
		t.Run(string(f), func(t *testing.T) {
			p := path(t)
			write(t, p, batch, 3333)
			s, err := openFormat(f, p)
			checkShared(t, s, err)
		})
	}
	t.Run("Arrow zstd", func(t *testing.T) {
		p := path(t)
		writeArrow(t, p, batch, 3333, ipc.WithZstd())
		s, err := openFormat(format.Arrow, p)
		checkShared(t, s, err)
	})
	t.Run("SQLite", func(t *testing.T) {
		p := path(t)
		writeSQLite(t, p, "CREATE TABLE t (x REAL, n INTEGER, b BOOLEAN, s TEXT, d DATE, at TIMESTAMP, m NUMERIC)",
			insertAll(func(b bool) string { return map[bool]string{true: "1", false: "0"}[b] }))
		for _, prefix := range []string{"sqlite:", "sqlite://"} {
			s, err := openSQL(t.Context(), prefix+p, "SELECT * FROM t;")
			checkShared(t, s, err)
		}
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := startPostgres(t)
		server.exec(t, "CREATE TYPE size AS ENUM ('größe 0')", "CREATE TABLE t (x float8, n bigint, b boolean, s varchar(20), d date, at timestamptz, m numeric)",
			insertAll(func(b bool) string { return fmt.Sprint(b) }))
		s, err := openSQL(t.Context(), server.url(), "SELECT * FROM t")
		checkShared(t, s, err)
		s, err = openSQL(t.Context(), server.url(), "SELECT 'größe 0'::size AS s, 1::int2 AS a, 2::int4 AS b, 0.5::float4 AS c, at AT TIME ZONE 'UTC' AS d FROM t WHERE n = 1000002")
		got := readCells(t, s, err)
		if got[0].Texts[0] != "größe 0" || got[1].Numbers[0] != 1 || got[2].Numbers[0] != 2 || got[3].Numbers[0] != 0.5 ||
			got[4].Numbers[0] != sharedCells()[5].Numbers[1] {
			t.Errorf("got %v", got)
		}
	})
}

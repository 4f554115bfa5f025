//go:build !lean

package tablefile

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"beziergp/table"
)

// sharedCSV is the shared table as text.
func sharedCSV() string {
	var b strings.Builder
	b.WriteString(strings.Join(sharedNames, ",") + "\n")
	for i := range sharedRows {
		x, n, yes, s, d, at, m := sharedRow(i)
		var cells []string
		for k, v := range []any{x, n, yes, s, d, at, m} {
			switch v := v.(type) {
			case nil:
				cells = append(cells, "")
			case time.Time:
				layout := "2006-01-02T15:04:05.999999Z"
				if k == 4 {
					layout = "2006-01-02"
				}
				cells = append(cells, v.Format(layout))
			case decimal128.Num:
				cells = append(cells, v.ToString(2))
			default:
				cells = append(cells, fmt.Sprint(v))
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// The copies of one table in all formats make one table, to the bit: so do the models
// fitted to them and the predictions for them.
func TestAllFormatsMakeOneTable(t *testing.T) {
	dir, batch := t.TempDir(), sharedBatch()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("t.csv"), []byte(sharedCSV()), 0o600); err != nil {
		t.Fatal(err)
	}
	writeParquet(t, file("t.parquet"), batch, 3333)
	writeArrow(t, file("t.arrow"), batch, 3333)
	writeSQLite(t, file("t.db"), "CREATE TABLE t (x REAL, n INTEGER, b BOOLEAN, s TEXT, d DATE, at TIMESTAMP, m NUMERIC)",
		insertAll(func(b bool) string { return map[bool]string{true: "1", false: "0"}[b] }))
	server := startPostgres(t)
	server.exec(t, "CREATE TABLE t (x float8, n bigint, b boolean, s varchar(20), d date, at timestamptz, m numeric)",
		insertAll(func(b bool) string { return fmt.Sprint(b) }))

	open := map[string]func() (*Reader, error){
		"Parquet":    func() (*Reader, error) { return Open(file("t.parquet"), Options{}) },
		"Arrow":      func() (*Reader, error) { return Open(file("t.arrow"), Options{}) },
		"SQLite":     func() (*Reader, error) { return OpenQuery("sqlite:"+file("t.db"), "SELECT * FROM t", Options{}) },
		"PostgreSQL": func() (*Reader, error) { return OpenQuery(server.url(), "SELECT * FROM t", Options{}) },
	}
	want, err := Read(context.Background(), file("t.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var schema []table.Field
	for _, name := range want.Names() {
		f, _ := want.Field(name)
		schema = append(schema, f)
	}
	for name, open := range open {
		t.Run(name, func(t *testing.T) {
			r, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, err := r.ReadAll(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range want.Names() {
				a, _ := got.Field(column)
				b, _ := want.Field(column)
				if a.Kind != b.Kind || !slices.Equal(a.Levels, b.Levels) {
					t.Errorf("column %q is %v, as text %v", column, a, b)
				}
				x, _ := got.Column(column)
				y, _ := want.Column(column)
				compareBits(t, column, x, y)
			}
			// And as predicting reads: by the schema, block by block.
			again, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			again.options.Schema = schema
			streamed := make([][]float64, len(schema))
			block := make([][]float64, len(schema))
			for k := range block {
				block[k] = make([]float64, 777)
			}
			for {
				n, err := again.Next(block)
				for k := range block {
					streamed[k] = append(streamed[k], block[k][:n]...)
				}
				if err != nil {
					break
				}
			}
			whole, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			checkKept(t, whole)
			for k, f := range schema {
				y, _ := want.Column(f.Name)
				compareBits(t, f.Name+" streamed", streamed[k], y)
			}
		})
	}
}

func compareBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want))
		return
	}
	for i, v := range want {
		if math.Float64bits(got[i]) != math.Float64bits(v) && !(v != v && got[i] != got[i]) {
			t.Errorf("%s: row %d is %v, as text %v", what, i+1, got[i], v)
			return
		}
	}
}

// A file without rows among others adds none, wherever it stands; a table without any is refused.
func TestFilesWithoutRowsAddNone(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64}, {Name: "s", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Float64Builder).AppendValues([]float64{1, 2, 3}, nil)
	b.Field(1).(*array.StringBuilder).AppendValues([]string{"red", "blue", "red"}, nil)
	batch := b.NewRecordBatch()
	for ending, write := range map[string]func(path string, batch arrow.RecordBatch){
		"parquet": func(path string, batch arrow.RecordBatch) { writeParquet(t, path, batch, 2) },
		"arrow":   func(path string, batch arrow.RecordBatch) { writeArrow(t, path, batch, 2) },
	} {
		for _, empty := range []string{"", "a", "b", "d", "ad"} { // full files are c and e
			dir := t.TempDir()
			write(filepath.Join(dir, "c."+ending), batch.NewSlice(0, 2))
			write(filepath.Join(dir, "e."+ending), batch.NewSlice(2, 3))
			for _, name := range empty {
				write(filepath.Join(dir, string(name)+"."+ending), batch.NewSlice(0, 0))
			}
			r, err := Open(filepath.Join(dir, "*."+ending), Options{})
			if err != nil {
				t.Fatal(err)
			}
			all, err := r.ReadAll(t.Context())
			if err != nil {
				t.Fatalf("%s, %q without rows: %v", ending, empty, err)
			}
			x, _ := all.Column("x")
			s, _ := all.Field("s")
			if !slices.Equal(x, []float64{1, 2, 3}) || !slices.Equal(s.Levels, []string{"blue", "red"}) {
				t.Errorf("%s, %q without rows: x is %v, s has the levels %q", ending, empty, x, s.Levels)
			}
			r.Close()
		}
		path := filepath.Join(t.TempDir(), "t."+ending)
		write(path, batch.NewSlice(0, 0))
		r, err := Open(path, Options{})
		if err == nil {
			_, err = r.ReadAll(t.Context())
			r.Close()
		}
		if err == nil || !strings.HasSuffix(err.Error(), "t."+ending+": the table has no rows; give at least one row") {
			t.Errorf("%s without rows: %v", ending, err)
		}
	}
}

//go:build !lean

package tablefile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/klauspost/compress/gzip"

	"beziergp/table"
	"beziergp/table/cell"
)

// A value is found again by its row, of whatever files: its own row, its line where there
// are lines, and its text.
func TestLocate(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 30000 { // several chunks
		fmt.Fprintf(&text, "\"x\n%d\",%d.50\n", i, i)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text.String()))
	z.Close()
	for name, content := range map[string][]byte{"1.csv": []byte("a,b\n1,2\n\n3,4\n"), "2.csv.gz": packed.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(filepath.Join(dir, "*.csv*"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		row  int
		want Error
	}{
		{2, Error{File: "1.csv", Row: 2, Line: 4, Value: "4"}},
		{3, Error{File: "2.csv.gz", Row: 1, Line: 3, Value: "0.50"}},
		{29000, Error{File: "2.csv.gz", Row: 28998, Line: 57997, Value: "28997.50"}},
		{99999, Error{File: "1.csv", Row: 99999}}, // there is none
	} {
		c.want.File, c.want.Column = filepath.Join(dir, c.want.File), "b"
		if got := r.Locate(context.Background(), c.row, "b"); *got != c.want {
			t.Errorf("row %d: %+v, want %+v", c.row, *got, c.want)
		}
	}
}

// Different whole numbers that become one are told of, from text and from whole numbers,
// and only these; in Arrow a row has no line.
func TestCollapses(t *testing.T) {
	const first = 1<<60 + 1 // where float64s are 256 apart
	var text, apart strings.Builder
	text.WriteString("t\n")
	apart.WriteString("t\n")
	b := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range int64(300) {
		fmt.Fprintln(&text, first+i)
		fmt.Fprintln(&apart, first+1000*i)
		b.Append(first + i)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "t", Type: arrow.PrimitiveTypes.Int64}}, nil)
	dir := t.TempDir()
	path := filepath.Join(dir, "t.arrow")
	writeArrow(t, path, array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, 300), 100)
	for name, content := range map[string]string{"t.csv": text.String(), "late.csv": "t\n" + strings.Repeat("NA\n", 100000) + strings.TrimPrefix(text.String(), "t\n"), "apart.csv": apart.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]Collapse{
		"t.csv": {{"t", 300, 2, false}}, "late.csv": {{"t", 300, 2, false}}, "t.arrow": {{"t", 300, 2, true}}, "apart.csv": nil,
	} {
		r, err := Open(filepath.Join(dir, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadAll(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := r.Collapses(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if name == "t.arrow" {
			if got := *r.Locate(context.Background(), 150, "t"); got.Row != 150 || got.Line != 0 || got.Value == "" {
				t.Errorf("place %+v", got)
			}
		}
		r.Close()
	}
}

// Every option of reading changes something or is refused.
func TestEveryOptionOfReadingTakesEffect(t *testing.T) {
	told := 0
	set := map[string]func(o *Options){
		"Comma":   func(o *Options) { o.Comma = ';' },
		"Stdin":   func(o *Options) { o.Stdin = strings.NewReader("a,b\n9,9\n") },
		"Kinds":   func(o *Options) { o.Kinds = map[string]table.Kind{"a": table.Category} },
		"Schema":  func(o *Options) { o.Schema = []table.Field{{Name: "a", Kind: table.Boolean}} },
		"Rows":    func(o *Options) { o.Rows = 1 },
		"Missing": func(o *Options) { o.Missing = cell.NewWords([]string{"0"}) },
		"Context": func(o *Options) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			o.Context = ctx
			o.Stdin, _ = io.Pipe() // on which a reader would wait for ever
		},
		"Progress": func(o *Options) { o.Progress = func(_, _ int64) { told++ } },
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n0,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(o Options) string {
		told = 0
		from := path
		if o.Stdin != nil {
			from = "-"
		}
		tab, err := Read(context.Background(), from, o)
		return fmt.Sprintf("%v %v %d", tab, err, min(told, 1))
	}
	plain := read(Options{})
	for i := range reflect.TypeFor[Options]().NumField() {
		name := reflect.TypeFor[Options]().Field(i).Name
		if name == "Needed" { // it changes errors alone: TestFaultsOfNeededColumns
			continue
		}
		change, ok := set[name]
		if !ok {
			t.Errorf("nobody tests that %s takes effect", name)
			continue
		}
		var o Options
		if change(&o); read(o) == plain {
			t.Errorf("%s changes nothing", name)
		}
	}
}

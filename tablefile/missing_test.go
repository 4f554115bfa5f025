//go:build !lean

package tablefile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"beziergp/table"
	"beziergp/table/cell"
)

// told says what a table holds, cell by cell.
func told(t *table.Table) string {
	var b strings.Builder
	for _, name := range t.Names() {
		f, _ := t.Field(name)
		values, _ := t.Column(name)
		fmt.Fprintf(&b, "%s %s:", name, f.Kind)
		for _, v := range values {
			switch {
			case v != v:
				b.WriteString(" -")
			case f.Kind == table.Category:
				b.WriteString(" " + f.Levels[int(v)])
			default:
				fmt.Fprintf(&b, " %g", v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The same cells as text and with types: a number, a text, a text of numbers, a date, truth
// values as text.
const missingText = `n,s,t,d,b,g
1,None,NA,2024-01-02,yes,NA
-999,red,3,2024-01-03,NA,null
2.5,NA,4,NA,no,
-999,,5,1900-01-01,yes,NA
`

func writeMissing(t *testing.T) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	paths = []string{filepath.Join(dir, "t.csv")}
	if err := os.WriteFile(paths[0], []byte(missingText), 0o600); err != nil {
		t.Fatal(err)
	}
	text := arrow.BinaryTypes.String
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Float64}, {Name: "s", Type: text, Nullable: true}, {Name: "t", Type: text},
		{Name: "d", Type: arrow.FixedWidthTypes.Date32, Nullable: true}, {Name: "b", Type: text}, {Name: "g", Type: text},
	}, nil))
	b.Field(0).(*array.Float64Builder).AppendValues([]float64{1, -999, 2.5, -999}, nil)
	b.Field(1).(*array.StringBuilder).AppendValues([]string{"None", "red", "NA", ""}, []bool{true, true, true, false})
	b.Field(2).(*array.StringBuilder).AppendValues([]string{"NA", "3", "4", "5"}, nil)
	b.Field(3).(*array.Date32Builder).AppendValues([]arrow.Date32{19724, 19725, 0, -25567}, []bool{true, true, false, true})
	b.Field(4).(*array.StringBuilder).AppendValues([]string{"yes", "NA", "no", "yes"}, nil)
	b.Field(5).(*array.StringBuilder).AppendValues([]string{"NA", "null", "", "NA"}, nil)
	batch := b.NewRecordBatch()
	for f, write := range writers {
		path := filepath.Join(dir, fmt.Sprint("t.", f))
		write(t, path, batch, 3)
		paths = append(paths, path)
	}
	return paths
}

// Words that stand for a missing value are chosen for texts; among numbers and dates the
// default ones do too. It is so in every format.
func TestWordsForMissingValues(t *testing.T) {
	for _, test := range []struct {
		words *cell.Words
		want  string
	}{
		{nil, `n numeric: 1 -999 2.5 -999
s category: - red - -
t numeric: - 3 4 5
d datetime: 1.7041536e+09 1.70424e+09 - -2.2089888e+09
b boolean: 1 - 0 1
g numeric: - - - -
`},
		{cell.NewWords(nil), `n numeric: 1 -999 2.5 -999
s category: None red NA -
t numeric: - 3 4 5
d datetime: 1.7041536e+09 1.70424e+09 - -2.2089888e+09
b category: yes NA no yes
g category: NA null - NA
`},
		{cell.NewWords([]string{"None", "-999.0", "1900-01-01"}), `n numeric: 1 - 2.5 -
s category: - red NA -
t numeric: - 3 4 5
d datetime: 1.7041536e+09 1.70424e+09 - -
b category: yes NA no yes
g category: NA null - NA
`},
		{cell.NewWords([]string{"NA", "red", "5"}), `n numeric: 1 -999 2.5 -999
s category: None - - -
t numeric: - 3 4 -
d datetime: 1.7041536e+09 1.70424e+09 - -2.2089888e+09
b boolean: 1 - 0 1
g category: - null - -
`},
	} {
		for _, path := range writeMissing(t) {
			tab, err := Read(context.Background(), path, Options{Missing: test.words})
			if err != nil {
				t.Errorf("%s, %q: %v", path, test.words.List(), err)
			} else if got := told(tab); got != test.want {
				t.Errorf("%s, %q:\n%swant\n%s", filepath.Base(path), test.words.List(), got, test.want)
			}
		}
	}
}

// What is read is the same wherever the first number comes, and out of core.
func TestWordsForMissingValuesAnywhere(t *testing.T) {
	const most = 40_000 // lines of some chunks
	for _, test := range []struct{ first, last, want string }{
		{"NA", "7", "numeric"}, {"7", "NA", "numeric"}, {"NA", "red", "category"}, {"red", "NA", "category"}, {"NA", "null", "category"},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		text := "a,b\n" + strings.Repeat(test.first+",1\n", most) + strings.Repeat(test.last+",1\n", most+1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tab, err := Read(context.Background(), path, Options{Missing: cell.NewWords(nil)})
		if err != nil {
			t.Fatal(err)
		}
		f, _ := tab.Field("a")
		values, _ := tab.Column("a")
		if string(f.Kind) != test.want || f.Kind == table.Numeric && (values[0] == values[0]) == (values[2*most] == values[2*most]) {
			t.Errorf("%s, then %s: %v, first %v, last %v", test.first, test.last, f, values[0], values[2*most])
		}
		r, err := Open(path, Options{Missing: cell.NewWords(nil)})
		if err != nil {
			t.Fatal(err)
		}
		s := &countSink{}
		_, stored, err := r.ReadOutOfCore(context.Background(), &OutOfCore{Bytes: 8, Create: func([]bool, func(int, float64) (float64, bool)) (Sink, error) {
			s.rows = 0
			return s, nil
		}})
		r.Close()
		if err != nil || stored == nil || string(stored.Fields[0].Kind) != test.want || s.rows != 2*most+1 {
			t.Errorf("out of core, %s, then %s: %+v, %d rows, %v", test.first, test.last, stored, s.rows, err)
		}
	}
	// Rows of which all that are read hold nothing but such words, after a number was seen.
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a\nNA\nnull\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, err := Read(context.Background(), path, Options{Missing: cell.NewWords(nil), Rows: 2})
	if err != nil || told(tab) != "a category: NA null\n" {
		t.Errorf("%v, %v", tab, err)
	}
	_, err = Read(context.Background(), "-", Options{Missing: cell.NewWords(nil), Rows: 2, Stdin: strings.NewReader("a\nNA\nnull\n3\n")})
	if err == nil || !strings.Contains(err.Error(), `column "a"`) || !strings.Contains(err.Error(), "give --column a=category") {
		t.Errorf("standard input: %v", err)
	}
}

// countSink counts rows.
type countSink struct{ rows int }

func (s *countSink) Append(_ [][]float64, n int) error {
	s.rows += n
	return nil
}

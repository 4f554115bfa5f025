//go:build !lean

package tablefile

import (
	"fmt"
	"io"
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
	"beziergp/table/cell"
	"beziergp/table/exact"
)

// keepAll reads columns as they stand, beside a column that is selected.
func keepAll(t *testing.T, r *Reader, selected string, names ...string) []exact.Column {
	t.Helper()
	r.options.Schema = []table.Field{{Name: selected}} // of which values may be missing
	if err := r.Select(selected); err != nil {
		t.Fatal(err)
	}
	if err := r.Keep(names...); err != nil {
		t.Fatal(err)
	}
	all := make([]exact.Column, len(names))
	block := [][]float64{make([]float64, 777)}
	for {
		n, err := r.Next(block)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range all {
			c := &r.Kept()[k]
			if c.Len() != n {
				t.Fatalf("%d cells are kept of %d rows", c.Len(), n)
			}
			all[k].Kind = c.Kind
			all[k].Append(c, 0, n)
		}
	}
}

// checkKept holds the columns of the shared table against what they were made of.
func checkKept(t *testing.T, r *Reader) {
	t.Helper()
	kept := keepAll(t, r, "x", sharedNames...)
	for k, want := range []exact.Type{exact.Number, exact.Integer, exact.Truth, exact.Text, exact.Date, exact.Time, exact.Number} {
		if kept[k].Type != want || kept[k].Len() != sharedRows {
			t.Fatalf("column %q: %d cells of type %v, want %d of %v", sharedNames[k], kept[k].Len(), kept[k].Type, sharedRows, want)
		}
	}
	for i := range sharedRows {
		x, n, b, s, d, at, m := sharedRow(i)
		for k, want := range []any{x, n, b, s, d, at, m} {
			c := &kept[k]
			ok := false
			switch v := want.(type) {
			case nil:
				ok = c.IsMissing(i)
			case float64:
				ok = c.Numbers[i] == v
			case int64:
				ok = c.Integers[i] == v
			case bool:
				ok = (c.Integers[i] == 1) == v
			case string:
				ok = c.Texts[i] == v
			case time.Time:
				ok = c.Clock(i).Equal(v)
			case decimal128.Num:
				ok = c.Numbers[i] == float64(v.BigInt().Int64())/100
			}
			if !ok || want != nil && c.IsMissing(i) {
				t.Fatalf("column %q, row %d: %q, want %v", sharedNames[k], i+1, c.AppendText(nil, i), want)
			}
		}
	}
}

// Whole numbers keep their last digit, whatever float64s hold.
func TestKeptWholeNumbers(t *testing.T) {
	signed := []int64{math.MinInt64, -9007199254740993, 0, 9007199254740993, math.MaxInt64}
	schema := arrow.NewSchema([]arrow.Field{{Name: "y", Type: arrow.PrimitiveTypes.Float64}, {Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "u", Type: arrow.PrimitiveTypes.Uint64, Nullable: true}, {Name: "ns", Type: &arrow.TimestampType{Unit: arrow.Nanosecond}, Nullable: true}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i, v := range signed {
		b.Field(0).(*array.Float64Builder).Append(float64(i))
		b.Field(1).(*array.Int64Builder).Append(v)
		b.Field(2).(*array.Uint64Builder).Append(uint64(v) >> 1)
		b.Field(3).(*array.TimestampBuilder).Append(arrow.Timestamp(v / 4))
	}
	for _, f := range b.Fields() {
		f.AppendNull()
	}
	batch := b.NewRecordBatch()
	dir := t.TempDir()
	for name, write := range writers {
		path := filepath.Join(dir, string(name))
		write(t, path, batch, 4)
		r, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := keepAll(t, r, "id", "id", "u", "ns")
		r.Close()
		for i, v := range signed {
			if kept[0].Integers[i] != v || kept[1].Integers[i] != int64(uint64(v)>>1) || kept[2].Integers[i] != v/4 {
				t.Errorf("%s, row %d: %d, %d, %d of %d", name, i+1, kept[0].Integers[i], kept[1].Integers[i], kept[2].Integers[i], v)
			}
		}
		for k := range kept {
			if !kept[k].IsMissing(len(signed)) {
				t.Errorf("%s: column %d has a value where there is none", name, k)
			}
		}
		if k := kept[2].Kind; k != (exact.Kind{Type: exact.Time, PerSecond: 1e9}) {
			t.Errorf("%s: times are %+v", name, k)
		}
	}
}

// Texts are kept as they stand but for blanks around them, be the column selected or not.
func TestKeptTexts(t *testing.T) {
	text := "y,id,note\n1,007,\"a, b\"\n 2 , NA,\n3,1e3,\"two\nlines\"\n"
	r, err := NewReader(strings.NewReader(text), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := keepAll(t, r, "y", "note", "y", "id")
	for k, want := range [][]string{{"a, b", "", "two\nlines"}, {"1", "2", "3"}, {"007", "NA", "1e3"}} {
		if !slices.Equal(kept[k].Texts, want) {
			t.Errorf("column %d: %q, want %q", k, kept[k].Texts, want)
		}
	}
	if got := fmt.Sprint(kept[0].Missing, kept[1].Missing, kept[2].Missing); got != "[false true false] [] [false true false]" {
		t.Errorf("missing: %s", got)
	}
}

func TestKeptColumnsThatWillNotDo(t *testing.T) {
	dir := t.TempDir()
	writeParquet(t, filepath.Join(dir, "b.parquet"), sharedBatch(), 3333)
	for _, c := range []struct{ text, keep, want string }{
		{"y,id\n1,a\n2,\xff\n", "id", `t.csv: row 2 (line 3), column "id": "\xff" is not UTF-8; save the file as UTF-8, or do not keep the column`},
		{"y,id\n1,a\n", "ide", `t.csv: column "ide": there is no such column; did you mean "id"?`},
	} {
		r, err := NewReader(strings.NewReader(c.text), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err = r.KeepOnly(c.keep); err == nil {
			_, err = r.NextKept(10)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	// What one file has as whole numbers another may have as texts.
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(sharedCSV()), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(filepath.Join(dir, "?.*"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.KeepOnly("n"); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.NextKept(1000)
	}
	if !strings.Contains(err.Error(), `b.parquet: column "n": its values are of another type here than in the rows before`) {
		t.Errorf("files of several types: %v", err)
	}
}

// Kept texts are missing by the words of the options, as those of inputs are.
func TestKeptTextsOfChosenWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("x,word\n1,NA\n2,gone\n3,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, Options{Missing: cell.NewWords([]string{"gone"})})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	word := keepAll(t, r, "x", "word")[0]
	for i, want := range []bool{false, true, true} {
		if word.IsMissing(i) != want {
			t.Errorf("row %d, %q, is missing: %v", i+1, word.Texts[i], !want)
		}
	}
}

package tablefile_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/table"
	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
)

// Whatever the bytes, reading ends in an *Error that can be shown, or in a table
// of equal columns, which reads back when written.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", "a,b\n1,2\n", "a,b\n1,2\n3", "\xef\xbb\xbfa\r\n1e400\r\n", "a,\"b\nc\"\n1,\" 2\n\"\n", "a\n\n\nx\n",
		"a,a\n1,2\n", "a,\n1,2\n", "a\nNaN\n", "a\n0x1p2\n", "a\n\"1,5\"\n", "a\n\"1\n", "PAR1\x15\x04", "\xff\xfea\x00",
		"\n\x130,0\n,", zip("a,b\n1,2\n"), zip("a\n1\n")[:20], "\x1f\x8b", "a,b\r1,2\r",
	} {
		f.Add([]byte(seed))
	}
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return // a bomb of gzip says nothing new
		}
		tab, err := read(ctx, data)
		if err != nil {
			var e *tablefile.Error
			if !errors.As(err, &e) || e.File != "t.csv" || e.Problem == "" {
				t.Fatalf("%v is no *Error that says what is wrong", err)
			}
			for _, r := range err.Error() {
				if r < ' ' {
					t.Fatalf("control characters in the message %q", err)
				}
			}
			return
		}
		var columns []*exact.Column
		for _, name := range tab.Names() {
			field, _ := tab.Field(name)
			if field.Kind != table.Numeric || len(tab.Names()) == 1 || strings.Contains(name, "\r") {
				return // only numbers are written; a lone gap is a blank line; CRLF in a quoted name is read as LF
			}
			values, _ := tab.Column(name)
			if len(values) != tab.Rows() || tab.Rows() == 0 {
				t.Fatalf("column %q has %d of %d rows", name, len(values), tab.Rows())
			}
			columns = append(columns, exact.Numbers(values))
		}
		var b bytes.Buffer
		if err := tablewriter.Write(&b, tablewriter.CSV, tab.Names(), columns); err != nil {
			t.Fatal(err)
		}
		again, err := read(ctx, b.Bytes())
		if err != nil || !same(again, tab) {
			t.Fatalf("%q is written as %q, which reads as %v, %v", data, b.Bytes(), again, err)
		}
	})
}

// same tells whether two tables are the same to the bit.
func same(a, b *table.Table) bool {
	if !slices.Equal(a.Names(), b.Names()) {
		return false
	}
	for _, name := range a.Names() {
		fa, _ := a.Field(name)
		fb, _ := b.Field(name)
		va, _ := a.Column(name)
		vb, _ := b.Column(name)
		if fa.Kind != fb.Kind || !slices.Equal(fa.Levels, fb.Levels) || !slices.EqualFunc(va, vb, func(x, y float64) bool {
			return math.Float64bits(x) == math.Float64bits(y)
		}) {
			return false
		}
	}
	return true
}

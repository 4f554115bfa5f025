//go:build !lean

package tablewriter_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
)

// everything returns columns of all kinds, with gaps, texts that need quoting and whole
// numbers that no float64 holds.
func everything(rows int) (names []string, columns []*exact.Column) {
	day := int64(24 * 60 * 60)
	words := []string{"007", "a,b", "a\tb", `say "x"`, "two\nlines", "Zürich", "{\"k\":1}", "x\\y", "<&>", "1e5x", "2024-02-30", "-", "a\u2028b"}
	kinds := map[string]exact.Kind{
		"text": {Type: exact.Text}, "number": {Type: exact.Number}, "integer": {Type: exact.Integer}, "truth": {Type: exact.Truth}, "date": {Type: exact.Date},
		"local": {Type: exact.Time, PerSecond: 1e6}, "utc": {Type: exact.Time, PerSecond: 1e6, Zone: "UTC"}, "nanos": {Type: exact.Time, PerSecond: 1e9}, `odd, "name"`: {Type: exact.Integer},
	}
	for _, name := range []string{"integer", "text", "number", "truth", "date", "local", "utc", "nanos", `odd, "name"`} {
		c := &exact.Column{Kind: kinds[name]}
		for i := range rows {
			gap := i%7 == 3 && name != `odd, "name"`
			k := int64(i)
			switch c.Type {
			case exact.Text:
				text := words[i%len(words)]
				if gap {
					text = ""
				}
				c.AddText(text, gap)
			case exact.Number:
				v := math.Float64frombits(0x3fb999999999999a + uint64(k)*0x1000003d)
				if gap {
					v = math.NaN()
				}
				c.AddNumber(v)
			case exact.Truth:
				c.AddInteger((k/2)%2, gap)
			case exact.Date:
				c.AddInteger(19782-3*k, gap)
			case exact.Time:
				c.AddInteger((19782-k%3000)*day*c.PerSecond+k*1234567, gap)
			default:
				c.AddInteger(9007199254740993+k*k*k, gap)
			}
		}
		names, columns = append(names, name), append(columns, c)
	}
	return names, columns
}

// write writes columns in blocks of some rows.
func write(t *testing.T, path string, names []string, columns []*exact.Column, block int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var fields []tablewriter.Field
	for k, c := range columns {
		fields = append(fields, tablewriter.Field{Name: names[k], Kind: c.Kind})
	}
	w, err := tablewriter.New(f, tablewriter.Of(path), fields...)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < columns[0].Len(); from += block {
		part := make([]*exact.Column, len(columns))
		for k, c := range columns {
			part[k] = &exact.Column{Kind: c.Kind}
			part[k].Append(c, from, min(from+block, c.Len()))
		}
		if err := w.Write(part...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(nil); err != nil {
		t.Errorf("%s: the writer closed the file: %v", path, err)
	}
}

// kept reads all columns of a file as they stand.
func kept(t *testing.T, path string) (names []string, columns []*exact.Column) {
	t.Helper()
	r, err := tablefile.Open(path, tablefile.Options{Context: context.Background()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.KeepOnly(r.Names()...); err != nil {
		t.Fatal(err)
	}
	for {
		_, err := r.NextKept(5000)
		if err == io.EOF {
			return r.Names(), columns
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range r.Kept() {
			c := &r.Kept()[k]
			if len(columns) == k {
				columns = append(columns, &exact.Column{Kind: c.Kind})
			}
			columns[k].Append(c, 0, c.Len())
		}
	}
}

// same compares columns cell by cell.
func same(t *testing.T, what string, got, want *exact.Column) {
	t.Helper()
	if got.Kind != want.Kind || got.Len() != want.Len() {
		t.Errorf("%s: %d cells of %+v, want %d of %+v", what, got.Len(), got.Kind, want.Len(), want.Kind)
		return
	}
	for i := range want.Len() {
		a, b := string(got.AppendText(nil, i)), string(want.AppendText(nil, i))
		if a != b || got.IsMissing(i) != want.IsMissing(i) || want.Type == exact.Number && !got.IsMissing(i) && math.Float64bits(got.Numbers[i]) != math.Float64bits(want.Numbers[i]) {
			t.Errorf("%s: row %d is %q, missing %v; want %q, %v", what, i+1, a, got.IsMissing(i), b, want.IsMissing(i))
			return
		}
	}
}

// Every format reads back as it was written, values and types, by the reader of tables.
func TestFormatsReadBack(t *testing.T) {
	names, columns := everything(3000)
	for _, format := range tablewriter.Formats() {
		if format == tablewriter.JSONL {
			continue // which no reader here takes
		}
		t.Run(string(format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t."+string(format))
			write(t, path, names, columns, 1001)
			got, read := kept(t, path)
			if !slices.Equal(got, names) {
				t.Fatalf("columns %q, want %q", got, names)
			}
			for k, c := range read {
				if !format.Typed() { // the types are those of the texts
					var g exact.Guess
					g.Add(c)
					var typed exact.Column
					if bad := exact.Parse(&typed, g.Kind(), c); bad >= 0 {
						t.Fatalf("column %q: row %d is no %v", names[k], bad+1, g.Kind())
					}
					c = &typed
				}
				same(t, names[k], c, columns[k])
			}
		})
	}
}

// A Parquet file of several row groups reads back.
func TestRowGroups(t *testing.T) {
	names, columns := everything(1 << 16 * 9 / 4)
	path := filepath.Join(t.TempDir(), "t.parquet")
	write(t, path, names[:4], columns[:4], 9999)
	_, read := kept(t, path)
	for k, c := range read {
		same(t, names[k], c, columns[k])
	}
}

// JSON lines hold what any parser of JSON reads.
func TestJSONLines(t *testing.T) {
	names, columns := everything(300)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	write(t, path, names, columns, 77)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for i := 0; lines.Scan(); i++ {
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.UseNumber()
		var row map[string]any
		if err := d.Decode(&row); err != nil || len(row) != len(names) {
			t.Fatalf("line %d: %v, %d members", i+1, err, len(row))
		}
		for k, c := range columns {
			got, text := row[names[k]], string(c.AppendText(nil, i))
			_, isText := got.(string)
			if wantText := c.Type == exact.Text || c.Type == exact.Date || c.Type == exact.Time; c.IsMissing(i) != (got == nil) ||
				got != nil && (fmt.Sprint(got) != text || isText != wantText) {
				t.Errorf("line %d, %q: %#v, want %q", i+1, names[k], got, text)
			}
		}
	}
	var b strings.Builder
	if err := tablewriter.Write(&b, tablewriter.JSONL, []string{"x"}, []*exact.Column{exact.Numbers([]float64{math.Inf(1)})}); err == nil {
		t.Errorf("infinity is written as %s", &b)
	}
}

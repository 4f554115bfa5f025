//go:build !lean

package tablewriter_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// Python's libraries read what was written, values and types.
func TestPythonReadsWhatIsWritten(t *testing.T) {
	python := testkit.Python(t, "pyarrow", "pandas")
	names, columns := everything(500)
	dir := t.TempDir()
	var paths []string
	for _, format := range tablewriter.Formats() {
		path := filepath.Join(dir, "t."+string(format))
		write(t, path, names, columns, 173)
		paths = append(paths, path)
	}
	c := exec.Command(python, append([]string{"testdata/oracle.py"}, paths...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]map[string]struct {
		Type  string
		Cells []*string
	}
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatal(err)
	}
	types := []string{"int64", "string", "double", "bool", "date32[day]", "timestamp[us]", "timestamp[us, tz=UTC]", "timestamp[ns]", "int64"}
	for i, path := range paths {
		format := tablewriter.Formats()[i]
		for k, name := range names {
			got := read[path][name]
			if format.Binary() && got.Type != types[k] {
				t.Errorf("%s, %q: type %s, want %s", format, name, got.Type, types[k])
			}
			if len(got.Cells) != columns[k].Len() {
				t.Errorf("%s, %q: %d cells", format, name, len(got.Cells))
				continue
			}
			for row, cell := range got.Cells {
				want := expected(columns[k], row, format)
				if (cell == nil) != (want == nil) || cell != nil && *cell != *want && !(columns[k].Type == exact.Number && sameNumber(*cell, *want)) {
					t.Errorf("%s, %q, row %d: %v, want %v", format, name, row+1, shown(cell), shown(want))
					break
				}
			}
		}
	}
}

// expected is the text of a cell as testdata/oracle.py has it.
func expected(c *exact.Column, i int, format tablewriter.Format) *string {
	text := string(c.AppendText(nil, i))
	switch {
	case !format.Typed():
		return &text
	case c.IsMissing(i):
		return nil
	case c.Type == exact.Time && format.Binary():
		text = strconv.FormatInt(c.Integers[i], 10)
	}
	return &text
}

// sameNumber compares a number of Python, in hexadecimal where it is a float, with one of Go.
func sameNumber(python, text string) bool {
	a, err := strconv.ParseFloat(python, 64)
	b, err2 := strconv.ParseFloat(text, 64)
	return err == nil && err2 == nil && a == b
}

func shown(text *string) string {
	if text == nil {
		return "nothing"
	}
	return strconv.Quote(*text)
}

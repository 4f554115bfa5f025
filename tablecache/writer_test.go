package tablecache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"beziergp/table"
)

// finish writes a cache of one row that holds value.
func finish(t *testing.T, w *Writer, value float64) *Cache {
	t.Helper()
	if err := w.Append([][]float64{{value}}, 1); err != nil {
		t.Fatal(err)
	}
	c, err := w.Finish([]table.Field{{Name: "x"}}, [][]float64{nil}, fmt.Sprint(value))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func begin(t *testing.T, path string) *Writer {
	t.Helper()
	w, err := Create(path, []bool{false})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Rows that lack values are refused whole, and the cache goes on.
func TestRefusesShortColumns(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "c"), []bool{false, false})
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range [][][]float64{{{1, 2}}, {{1, 2}, {3}}, {{1, 2}, {3, 4}, {5, 6}}} {
		if err := w.Append(columns, 2); err == nil {
			t.Errorf("two rows of %v", columns)
		}
	}
	if err := w.Append([][]float64{{1, 2}, {3, 4}}, 2); err != nil {
		t.Fatal(err)
	}
	c, err := w.Finish([]table.Field{{Name: "x"}, {Name: "y"}}, [][]float64{nil, nil}, "rows")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Rows() != 2 {
		t.Errorf("%d rows of two", c.Rows())
	}
}

// Neither a finished cache nor one given up touches a file of another name, nor one
// that another name leads to.
func TestOtherFilesStay(t *testing.T) {
	dir := t.TempDir()
	path, part, precious := filepath.Join(dir, "c"), filepath.Join(dir, "c.part"), filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, part); err != nil {
		if err := os.WriteFile(part, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begin(t, path).Abort()
	finish(t, begin(t, path), 1)
	for _, name := range []string{part, precious} {
		if text, err := os.ReadFile(name); string(text) != "mine" {
			t.Errorf("%s holds %q, %v", filepath.Base(name), text, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Errorf("the directory holds %v", entries)
	}
}

// Any number of writers may be at work on one path; each reads what it wrote itself.
func TestWritersOfOnePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	writers := []*Writer{begin(t, path), begin(t, path), begin(t, path)}
	for i, w := range writers {
		c := finish(t, w, float64(i))
		defer func() {
			var b Buffer
			if _, err := c.Read(0, &b); err != nil || b.Columns[0][0] != float64(i) || c.Source() != fmt.Sprint(i) {
				t.Errorf("writer %d reads the rows of %s, %v", i, c.Source(), err)
			}
		}()
	}
	if last, err := Open(path); err != nil || last.Source() != "2" {
		t.Errorf("the file is not the last one's: %v", err)
	} else {
		last.Close()
	}
}

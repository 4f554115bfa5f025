package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/tablefile"
)

// cached reads a table into a cache; meanwhile is done when it is open.
func cached(t *testing.T, path string, o Options, meanwhile func()) error {
	t.Helper()
	origin, err := FindOrigin(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Open(t.Context(), path, o, false, streams.Streams{Console: console.New(io.Discard)}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	meanwhile()
	dir := t.TempDir()
	outOfCore := OutOfCore{Target: "y", Origin: origin, Cache: func() (string, error) { return filepath.Join(dir, "c"), nil }}
	_, c, err := opened.ReadOutOfCore(t.Context(), outOfCore)
	if entries, _ := os.ReadDir(dir); err != nil && len(entries) > 0 {
		t.Errorf("it leaves %v", entries)
	}
	if err == nil {
		c.Close()
	}
	return err
}

func TestATableThatChangesWhileItIsCached(t *testing.T) {
	dir := t.TempDir()
	path, mask, other := filepath.Join(dir, "t1.csv"), filepath.Join(dir, "m"), filepath.Join(dir, "t2.csv")
	put := func(path, text string) {
		t.Helper()
		was, _ := os.Stat(path)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if was != nil {
			os.Chtimes(path, was.ModTime(), was.ModTime())
		}
	}
	both := filepath.Join(dir, "t?.csv")
	for _, c := range []struct {
		data string
		o    Options
		file string
	}{{path, Options{}, path}, {both, Options{}, other}, {path, Options{Mask: Mask{mask, "test"}}, mask}} {
		text := map[string]string{path: "a,y\n1,2\n3,4\n5,6\n", other: "a,y\n1,2\n3,4\n", mask: "test\n0\n1\n0\n"}
		for name, text := range text {
			put(name, text)
		}
		if err := cached(t, c.data, c.o, func() {}); err != nil {
			t.Errorf("%s stays as it is: %v", c.data, err)
		}
		// Of one size, and of the same time.
		err := cached(t, c.data, c.o, func() { put(c.file, strings.NewReplacer("2", "7", "1", "0").Replace(text[c.file])) })
		var faulty *tablefile.Error
		if !errors.As(err, &faulty) || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("%s changes: %v", c.file, err)
		}
	}
}

// A mask in the table's own file is of the rows that are read after it.
func TestATableThatChangesAfterItsMask(t *testing.T) {
	const text = "a,y,test\n1,2,0\n3,4,1\n5,6,0\n"
	path := filepath.Join(t.TempDir(), "t.csv")
	for _, changes := range []bool{false, true} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(t.Context(), path, Options{Mask: Mask{path, "test"}}, true, streams.Streams{Console: console.New(io.Discard)}, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if changes {
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "4,1", "4,0")), 0o600); err != nil {
				t.Fatal(err)
			}
			late := time.Now().Add(time.Second)
			if err := os.Chtimes(path, late, late); err != nil {
				t.Fatal(err)
			}
		}
		_, err = opened.ReadAll(t.Context())
		if changes && (err == nil || !strings.Contains(err.Error(), "changed after its mask was read")) || !changes && err != nil {
			t.Errorf("it changes: %v; error %v", changes, err)
		}
	}
}

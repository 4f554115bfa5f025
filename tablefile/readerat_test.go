//go:build !lean

package tablefile

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"
)

// A file in memory is the table that it is on a disk, whatever its format.
func TestFilesInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	files := map[string]func(){"CSV": func() {
		if err := os.WriteFile(path, []byte("x,s\n1,a\n,b\n3.5,a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}}
	for f, write := range writers {
		files[string(f)] = func() { write(t, path, sharedBatch(), 3333) }
	}
	for name, write := range files {
		write()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		onDisk, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer onDisk.Close()
		inMemory, err := NewReaderAt(bytes.NewReader(data), int64(len(data)), "no such file", Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := onDisk.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := inMemory.ReadAll(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(got.Names(), want.Names()) || got.Rows() != want.Rows() {
			t.Fatalf("%s: %d rows of %v, want %d of %v", name, got.Rows(), got.Names(), want.Rows(), want.Names())
		}
		for _, column := range want.Names() {
			g, _ := got.Column(column)
			w, _ := want.Column(column)
			if !slices.EqualFunc(g, w, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
				t.Errorf("%s: column %s differs", name, column)
			}
		}
		// A place is found by reading again, from the memory.
		if e := inMemory.Locate(t.Context(), 2, want.Names()[0]); e.File != "no such file" || e.Row != 2 || errors.Is(e, os.ErrNotExist) {
			t.Errorf("%s: %v", name, e)
		}
		if err := inMemory.Close(); err != nil {
			t.Error(err)
		}
	}
	failing := errors.New("the disk is gone")
	_, err := NewReaderAt(readerAt{iotest.ErrReader(failing)}, 100, "x", Options{})
	var e *Error
	if !errors.As(err, &e) || e.File != "x" || !errors.Is(err, failing) {
		t.Error(err)
	}
	for _, empty := range []string{"", "ARROW1\x00\x00", "PAR1"} {
		if _, err := NewReaderAt(bytes.NewReader([]byte(empty)), int64(len(empty)), "x", Options{}); !errors.As(err, &e) || e.File != "x" {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

// readerAt reads at a place what comes next.
type readerAt struct {
	r interface{ Read([]byte) (int, error) }
}

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return r.r.Read(p) }

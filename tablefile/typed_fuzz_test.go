//go:build !lean

package tablefile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Whatever the bytes, reading ends in an *Error or after the last row, and no block
// is larger than a block.
func FuzzTyped(f *testing.F) {
	batch := sharedBatch().NewSlice(0, 40)
	path := filepath.Join(f.TempDir(), "seed")
	add := func() {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	for _, write := range writers {
		write(f, path, batch, 15)
		add()
	}
	writeArrow(f, path, batch, 15, ipc.WithZstd())
	add()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for of := range typedFormats {
			s, err := openFormat(of, path)
			for blocks := 0; err == nil && blocks < 100; blocks++ {
				var n int
				if _, n, err = s.Next(context.Background()); n > 1<<16 {
					t.Fatalf("a block of %d rows", n)
				}
			}
			if s != nil {
				s.Close()
			}
			var e *Error
			if err != nil && err != io.EOF && !errors.As(err, &e) {
				t.Fatalf("%v is no *Error", err)
			}
		}
	})
}

// A file cut anywhere is damaged, and says so.
func TestTruncatedFiles(t *testing.T) {
	batch := sharedBatch().NewSlice(0, 40)
	path := filepath.Join(t.TempDir(), "t")
	for name, write := range writers {
		write(t, path, batch, 15)
		data, _ := os.ReadFile(path)
		for n := 0; n < len(data); n += 61 {
			if err := os.WriteFile(path, data[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			wantFault(t, string(name), drain(openFormat(name, path)), "cannot be decoded as ")
		}
	}
}

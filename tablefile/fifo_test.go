//go:build unix && !lean

package tablefile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whoever opens a pipe waits until someone writes to it.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	soon(t, func(ctx context.Context) error { return readAll(ctx, path, nil) })
	soon(t, func(ctx context.Context) error {
		_, err := ReadMask(ctx, path, "a", -1)
		return err
	})
	if _, err := OpenQuery("sqlite:"+path, "SELECT 1 AS x", Options{}); err == nil || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("a database in a pipe: %v", err)
	}
	path += "2" // the readers above wait for the other still
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(path, []byte("a,b\n1,2\n3,4\n"), 0)
	table, err := Read(t.Context(), path, Options{})
	if err != nil || table.Rows() != 2 {
		t.Errorf("%v", err)
	}
}

package atomicfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"beziergp/internal/atomicfile"
)

// A file that another program has open stays as it is, and the error says why; one that
// is closed in a moment is replaced.
func TestFileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	put(t, path, "former")
	open, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFile(path, say("new")); err == nil || !strings.Contains(err.Error(), "another program has the file open") {
		t.Errorf("writing over an open file: %v", err)
	}
	holds(t, path, "former", "c")
	time.AfterFunc(100*time.Millisecond, func() { open.Close() })
	if err := atomicfile.WriteFile(path, say("new")); err != nil {
		t.Error(err)
	}
	holds(t, path, "new", "c")
}

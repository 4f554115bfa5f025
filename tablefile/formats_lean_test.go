//go:build lean

package tablefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A lean program reads text, and says of what it does not read who does.
func TestLeanProgramsReadText(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"t.parquet": "PAR1\x15\x04", "t.arrow": "ARROW1\x00\x00", "t.db": "SQLite format 3\x00"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(t.Context(), path, Options{})
		wantLean(t, path, err)
	}
	for _, url := range []string{"sqlite:" + filepath.Join(dir, "t.db"), "postgres://user:secret@localhost/db", "postgresql://localhost/db"} {
		_, err := OpenQuery(url, "SELECT 1 AS x", Options{})
		wantLean(t, url, err)
	}
	if _, err := OpenQuery("mysql://localhost/db", "SELECT 1 AS x", Options{}); err == nil || strings.Contains(err.Error(), "lean") {
		t.Errorf("a database that no program reads: %v", err)
	}
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,x\n2,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if table, err := Read(t.Context(), path, Options{}); err != nil || table.Rows() != 2 {
		t.Errorf("text: %v", err)
	}
	if got := Formats(); len(got) != 1 || got[0] != "CSV" {
		t.Errorf("the formats are %v", got)
	}
}

func wantLean(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "lean build, which reads text alone") || !strings.Contains(err.Error(), "go install ./cmd/beziergp") ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("%s: %v", what, err)
	}
}

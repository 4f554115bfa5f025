//go:build !lean

package tablefile

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// walFile makes a database with a write-ahead log; kept has it closed with rows in the
// log alone.
func walFile(t *testing.T, kept bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)"); err != nil {
		t.Fatal(err)
	}
	if !kept {
		return path
	}
	copied := filepath.Join(t.TempDir(), "t.db")
	for _, ending := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

// A database with a write-ahead log is read with what is in the log; where its folder
// cannot be written to, the error says that.
func TestWriteAheadLog(t *testing.T) {
	for name, kept := range map[string]bool{"rows in the log": true, "rows in the file": false} {
		path := walFile(t, kept)
		read := func() error {
			r, err := OpenQuery("sqlite:"+path, "SELECT a FROM t", Options{})
			if err != nil {
				return err
			}
			defer r.Close()
			rows, err := r.ReadAll(t.Context())
			if err == nil && rows.Rows() != 2 {
				t.Errorf("%s: %d rows", name, rows.Rows())
			}
			return err
		}
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		dir := filepath.Dir(path)
		os.Remove(path + "-shm")
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
			f.Close()
			t.Skip("permissions do not bind here")
		}
		if err := read(); err == nil || !strings.Contains(err.Error(), "write-ahead log") || strings.Contains(err.Error(), "mend the query") {
			t.Errorf("%s, in a folder that cannot be written to: %v", name, err)
		}
	}
}

// coded is an error as the library has them.
type coded int

func (c coded) Error() string { return "a code" }
func (c coded) Code() int     { return int(c) }

func TestWhatNeedsAFolder(t *testing.T) {
	path := walFile(t, true)
	plain := filepath.Join(t.TempDir(), "plain.db")
	if err := os.WriteFile(plain, []byte("SQLite format 3\x00\x10\x00\x01\x01"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Codes of https://sqlite.org/rescode.html.
	for _, c := range []struct {
		path string
		code int
		want bool
	}{{path, 1544, true}, {path, 1288, true}, {path, 264, true}, {path, 14, true}, {path, 8, false}, {path, 1, false}, {plain, 1544, false}, {path + "none", 14, false}} {
		if got := needsFolder(errors.Join(coded(c.code)), c.path); got != c.want {
			t.Errorf("code %d, %s: %v", c.code, c.path, got)
		}
	}
	if err := os.WriteFile(path+"-shm", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if needsFolder(coded(14), path) {
		t.Error("code 14 where the folder was written to")
	}
	if err := unwritableWAL(path, coded(14)); !strings.Contains(err.Error(), "write-ahead log") || !strings.Contains(err.Error(), "copy the file") || !strings.Contains(err.Error(), "journal_mode=DELETE") {
		t.Error(err)
	}
}

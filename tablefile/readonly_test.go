//go:build !lean

package tablefile

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A query that may only read creates no file and changes none, whatever it says.
func TestQueriesOnlyRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	new := filepath.Join(dir, "new.db")
	t.Chdir(dir)
	for _, statement := range []string{
		"ATTACH '" + new + "' AS x; CREATE TABLE x.u(a)",
		"ATTACH 'file:" + new + "?mode=rwc' AS x; CREATE TABLE x.u(a)",
		"COMMIT; ATTACH '" + new + "' AS x; CREATE TABLE x.u(a)",
		"VACUUM INTO '" + new + "'",
		"COMMIT; VACUUM INTO '" + new + "'",
		"COMMIT; VACUUM",
		"SELECT load_extension('" + new + "')",
		"SELECT writefile('" + new + "', a) FROM t",
		"DELETE FROM t",
		"COMMIT; DELETE FROM t",
		"COMMIT; PRAGMA query_only=0; DELETE FROM t",
		"PRAGMA writable_schema=1; DELETE FROM sqlite_schema",
		"COMMIT; PRAGMA journal_mode=WAL",
	} {
		r, err := OpenQuery("sqlite:"+path, statement+"; SELECT a FROM t", Options{})
		if err == nil {
			_, err = r.ReadAll(t.Context())
			r.Close()
		}
		if err == nil && !strings.Contains(statement, "journal_mode") {
			t.Errorf("%s: no error", statement)
		}
		entries, listErr := os.ReadDir(dir)
		if listErr != nil || len(entries) != 1 {
			t.Fatalf("%s: the folder holds %v (%v)", statement, entries, err)
		}
		if now, _ := os.ReadFile(path); string(now) != string(before) {
			t.Fatalf("%s: the database changed", statement)
		}
	}
	// What is read only is allowed, and so are tables that end with the query.
	for _, query := range []string{"SELECT a FROM t", "CREATE TEMP TABLE u AS SELECT a FROM t; SELECT a FROM u"} {
		r, err := OpenQuery("sqlite:"+path, query, Options{})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer r.Close()
	}
}

//go:build !lean

package tablefile

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"beziergp/internal/testkit"
)

// postgresServer is a throw-away server that answers on a Unix socket of its own.
type postgresServer struct {
	dir  string
	bin  string
	args []string // what runs its programs as another user than root
}

// startPostgres starts a server which the end of the test stops. Where PostgreSQL is
// not installed the test is skipped, but in CI it fails.
func startPostgres(t *testing.T) *postgresServer {
	t.Helper()
	s := &postgresServer{bin: postgresPrograms()}
	if s.bin == "" {
		if testkit.CI() {
			t.Fatal("PostgreSQL is not installed")
		}
		t.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	// Not t.TempDir: the path of a socket is short, and another user must reach it.
	dir, err := os.MkdirTemp("/tmp", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s.dir = dir
	if os.Getuid() == 0 { // which the server refuses
		if _, err := user.Lookup("postgres"); err != nil {
			t.Fatal(err)
		}
		s.args = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"}
		if out, err := exec.Command("chown", "postgres:postgres", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s.run(t, "initdb", "-D", dir+"/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	s.run(t, "pg_ctl", "-D", dir+"/data", "-w", "-l", dir+"/log", "-o", "-c listen_addresses= -c fsync=off -k "+dir, "start")
	t.Cleanup(func() { s.command("pg_ctl", "-D", dir+"/data", "-m", "immediate", "stop").Run() })
	return s
}

// postgresPrograms returns the folder of the newest server's programs.
func postgresPrograms() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("pg_ctl"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

func (s *postgresServer) command(program string, args ...string) *exec.Cmd {
	words := slices.Concat(s.args, []string{filepath.Join(s.bin, program)}, args)
	c := exec.Command(words[0], words[1:]...)
	c.Dir = s.dir
	return c
}

func (s *postgresServer) run(t *testing.T, program string, args ...string) {
	t.Helper()
	c := s.command(program, args...)
	var out bytes.Buffer
	// The server keeps the descriptors it is given: a pipe would never end.
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c.Stdout, c.Stderr = file, file
	if err := c.Run(); err != nil {
		file.Seek(0, 0)
		out.ReadFrom(file)
		log, _ := os.ReadFile(s.dir + "/log")
		t.Fatalf("%s: %v: %s%s", program, err, out.String(), log)
	}
}

func (s *postgresServer) url() string { return "postgres://tester@/postgres?host=" + s.dir }

func (s *postgresServer) exec(t *testing.T, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.url())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestPostgresFaults(t *testing.T) {
	s := startPostgres(t)
	s.exec(t, "CREATE TABLE t (a int, d timestamp, j json)", "INSERT INTO t VALUES (1, 'infinity', '{}')", "CREATE TABLE empty (a int)",
		"CREATE ROLE someone LOGIN")
	for query, want := range map[string]string{
		"SELECT b FROM t":              `column "b" does not exist; mend the query`,
		"SELECT a, a FROM t":           `columns 1 and 2 are both called "a"; give every column a name of its own with AS`,
		"SELECT FROM t":                "gives no columns",
		"SELECT a FROM empty":          "gives no rows; loosen its WHERE",
		"SELECT j FROM t":              `column "j": the type json is neither`,
		"SELECT d FROM t":              `row 1, column "d": "+Inf" is not finite`,
		"DELETE FROM t RETURNING a":    "read-only transaction; mend the query",
		"SELECT 1; SELECT 2":           "the query was refused",
		"SELECT $1::int":               "parameters",
		"SELECT 1/(a-1) AS x FROM t":   "division by zero; mend the query",
		"SELECT '-inf'::numeric AS x":  `"-Inf" is not finite`,
		"SELECT 1 AS x WHERE 1 = 'no'": "invalid input syntax",
	} {
		wantFault(t, query, drain(openSQL(t.Context(), s.url(), query)), want)
	}
	const password = "s3cret"
	for url, want := range map[string]string{
		"postgres://tester:" + password + "@/none?host=" + s.dir:                          `database "none" does not exist`,
		"postgres://tester:" + password + "@127.0.0.1:1/x":                                "there is no connection",
		"postgres://tester:" + password + "@127.0.0.1:port/x":                             "cannot be understood",
		"postgres://tester:" + password + "%zz@127.0.0.1/x":                               "cannot be understood",
		"postgres://tester@127.0.0.1/x?sslmode=" + password + "&password=" + password:     "cannot be understood",
		"mysql://tester:" + password + "@127.0.0.1/x":                                     "it names no database",
		"postgres://nobody:" + password + "@/postgres?host=" + s.dir:                      "the server refused the connection",
		"postgres://tester@127.0.0.1:1/x?connect_timeout=1&password=" + password + "&a=b": "there is no connection",
	} {
		err := drain(openSQL(t.Context(), url, "SELECT 1 AS x"))
		wantFault(t, url, err, want)
		if err != nil && strings.Contains(err.Error(), password) {
			t.Errorf("%v tells the password", err)
		}
	}
}

// A server that dies in the middle of a query is an error, not the end of the rows.
func TestPostgresServerDies(t *testing.T) {
	s := startPostgres(t)
	source, err := openSQL(t.Context(), s.url(), "SELECT i FROM generate_series(1, 50000000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if _, _, err := source.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.run(t, "pg_ctl", "-D", s.dir+"/data", "-m", "immediate", "stop")
	for err == nil {
		_, _, err = source.Next(context.Background())
	}
	wantFault(t, "killed", err, "the connection was lost")
	wantFault(t, "killed", err, "after row ")
}

// A query that nobody waits for any more ends.
func TestPostgresCancelled(t *testing.T) {
	s := startPostgres(t)
	source, err := openSQL(t.Context(), s.url(), "SELECT i, pg_sleep(i) IS NULL AS z FROM generate_series(0, 1000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if _, _, err := source.Next(ctx); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

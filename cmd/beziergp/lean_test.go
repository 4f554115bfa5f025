package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A lean build is small, and quick from empty caches: it has neither the libraries of
// the formats that it leaves out, nor a web server.
func TestLeanProgram(t *testing.T) {
	program := build(t, runtime.GOOS, runtime.GOARCH, "-ldflags=-s -w") // as make lean does
	const most = 15e6
	if info, err := os.Stat(program); err != nil || info.Size() > most {
		t.Errorf("%d bytes, more than %g (%v)", info.Size(), most, err)
	}
	deps, err := exec.Command("go", "list", "-tags", "lean", "-deps", "./cmd/beziergp").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(deps)) {
		for _, heavy := range []string{"github.com/apache/arrow-go/", "github.com/jackc/pgx/", "modernc.org/", "net/http", "crypto/tls"} {
			if strings.HasPrefix(name, heavy) {
				t.Errorf("it links %s", name)
			}
		}
	}
	run := runs(t, program)
	if got := run("version", "--json"); got.code != 0 || !strings.Contains(got.stdout, `"formats":["CSV"]`) {
		t.Errorf("version: %+v", got)
	}
	if got := run("bench", "uci", "--data", "none"); got.code != 2 || !strings.Contains(got.said, "lean build, without the verb bench") {
		t.Errorf("bench: %+v", got)
	}
	parquet := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(parquet, []byte("PAR1\x15\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{{"--out", filepath.Join(t.TempDir(), "p.parquet")}, {"--format", "arrow"}} {
		if got := run(append([]string{"predict", appliedModel, parquet}, more...)...); got.code != 2 || !strings.Contains(got.said, "csv") || got.stdout != "" {
			t.Errorf("predictions with %v: %+v", more, got)
		}
	}
	if got := run("describe", parquet); got.code != 3 || !strings.Contains(got.said, "this is Parquet, and this program is a lean build") {
		t.Errorf("a table in Parquet: %+v", got)
	}
}

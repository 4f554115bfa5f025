package cli_test

import (
	"bytes"
	"database/sql"
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// run runs the program to its end.
func (p place) run(args ...string) (code int, stdout, said string) {
	p.t.Helper()
	return p.ends(exec.Command("beziergp", args...))
}

func (p place) ends(cmd *exec.Cmd) (code int, stdout, said string) {
	p.t.Helper()
	cmd.Dir = p.dir
	if cmd.Env == nil {
		cmd.Env = append(os.Environ(), "TMPDIR="+p.path("tmp"))
	}
	var out, err bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	cmd.Stderr = &err
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

func (p place) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// database makes an SQLite file with a table t of columns a, b, c and y.
func (p place) database(name string) {
	p.t.Helper()
	db, err := sql.Open("sqlite", p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t(a, b, c, y); INSERT INTO t WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < 60) SELECT n*0.1, n%7, n%5, n%3+n*0.1 FROM i"); err != nil {
		p.t.Fatal(err)
	}
}

// quickFit is a fit that takes no time, of y in t.csv.
func quickFit(more ...string) []string {
	return append([]string{"fit", "t.csv", "--target", "y", "--exclude", "id,test", "--recipe", "paper", "--order", "2",
		"--orderings", "1", "--steps", "20", "--batch", "20", "--workers", "1", "--quiet"}, more...)
}

// No file of a command takes another's place, whatever it is called, and nothing is
// touched when it would.
func TestFilesOfACommandAreApart(t *testing.T) {
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp", "--cache", "c")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	p.write("split.csv", "test\n"+strings.Repeat("1\n", 60))
	p.database("t.db")
	for _, link := range [][2]string{{"m.bgp", "soft.bgp"}, {"new.bgp", "dangling"}, {".", "folder"},
		{"split.csv", "split.svg"}, {"m.bgp", "soft.png"}, {"t.db", "db.svg"}} {
		if err := os.Symlink(link[0], p.path(link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(p.path("m.bgp"), p.path("hard.bgp")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.path("data"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.write("data/t1.csv", table(60))
	before := map[string]string{}
	entries, _ := os.ReadDir(p.dir)
	for _, e := range entries {
		if e.Type().IsRegular() {
			before[e.Name()] = p.read(e.Name())
		}
	}
	from := []string{"--from", "sqlite:t.db", "--query", "select a, b, c, y from t"}
	fitQuery := append([]string{"fit", "--target", "y", "--recipe", "paper", "--steps", "5"}, from...)
	pattern := []string{"fit", "data/*.csv", "--target", "y", "--exclude", "id,test", "--recipe", "paper", "--steps", "5"}
	for _, c := range []struct {
		args []string
		says string
	}{
		// One file, two spellings, there or not.
		{quickFit("--out", "m.bgp", "--checkpoint", "./m.bgp"), "are one file"},
		{quickFit("--out", "n.bgp", "--checkpoint", "./n.bgp"), "are one file"},
		{quickFit("--out", "n.bgp", "--checkpoint", p.path("n.bgp")), "are one file"},
		{quickFit("--out", "n.bgp", "--checkpoint", "folder/n.bgp"), "are one file"},
		{quickFit("--out", "n.bgp", "--checkpoint", "tmp/../n.bgp"), "are one file"},
		{quickFit("--out", "m.bgp", "--checkpoint", "soft.bgp"), "are one file"},
		{quickFit("--out", "m.bgp", "--checkpoint", "hard.bgp"), "are one file"},
		{quickFit("--out", "new.bgp", "--checkpoint", "dangling"), "are one file"},
		{quickFit("--out", "n.bgp", "--cache", "folder/n.bgp"), "are one file"},
		{quickFit("--out", "n.bgp", "--cache", "n.bgp.ckpt"), "are one file"},
		{quickFit("--out", "n.bgp", "--cache", "x", "--checkpoint", "folder/x"), "are one file"},
		{quickFit("--out", "folder/t.csv"), "would replace t.csv"},
		{quickFit("--out", "n.bgp", "--cache", "./t.csv"), "would replace t.csv"},
		{quickFit("--out", "n.bgp", "--test-mask", "split.csv:test", "--cache", "folder/split.csv"), "would replace split.csv"},
		{[]string{"predict", "m.bgp", "t.csv", "--out", "soft.bgp"}, "would replace m.bgp"},
		{[]string{"predict", "m.bgp", "t.csv", "--out", "hard.bgp"}, "would replace m.bgp"},
		{[]string{"predict", "m.bgp", "t.csv", "--test-mask", "split.csv:test", "--out", "./split.csv"}, "would replace split.csv"},
		{[]string{"eval", "m.bgp", "t.csv", "--test-mask", "split.csv:test", "--calibration", "split.svg"}, "would replace split.csv"},
		{[]string{"eval", "m.bgp", "t.csv", "--plot", "soft.png"}, "would replace m.bgp"},
		{[]string{"fit", "t.csv", "--target", "y", "--out", "n.bgp", "--oof", "folder/n.bgp"}, "are one file"},
		{[]string{"fit", "t.csv", "--target", "y", "--out", "n.bgp", "--oof", "./t.csv"}, "would replace t.csv"},
		{[]string{"fit", "t.csv", "--target", "y", "--out", "split.csv", "--valid", "split.csv:test"}, "would replace split.csv"},
		{[]string{"cv", "t.csv", "--target", "y", "--out", "folder/t.csv"}, "would replace t.csv"},
		// Databases, and what stands beside them while they are in use.
		{append(fitQuery, "--out", "t.db"), "would replace t.db"},
		{append(fitQuery, "--out", "t.db-wal"), "would replace t.db-wal"},
		{append(fitQuery, "--out", "n.bgp", "--cache", "folder/t.db-journal"), "would replace t.db-journal"},
		{append(fitQuery, "--out", "n.bgp", "--checkpoint", "t.db-shm"), "would replace t.db-shm"},
		{append([]string{"predict", "m.bgp", "--out", "./t.db"}, from...), "would replace t.db"},
		{append([]string{"eval", "m.bgp", "--calibration", "db.svg"}, from...), "would replace t.db"},
		// Patterns, of what is there and of what would be.
		{append(pattern, "--out", "data/t1.csv"), "would replace data/t1.csv"},
		{append(pattern, "--out", "data/new.csv"), "one of the files data/*.csv"},
		{append(pattern, "--out", "folder/data/new.csv"), "one of the files data/*.csv"},
		{append(pattern, "--out", "n.bgp", "--cache", "data/c.csv"), "one of the files data/*.csv"},
		{[]string{"predict", "m.bgp", "dat?/*.csv", "--out", "data/p.csv"}, "one of the files dat?/*.csv"},
		// Files that are read again.
		{quickFit("--out", "n.bgp", "--cache", os.DevNull), "is a pipe or a device"},
		{quickFit("--out", "n.bgp", "--checkpoint", os.DevNull), "is a pipe or a device"},
		// Figures where the page's tables go.
		{[]string{"bench", "report", "--out", "out", "--published", "out/uci.csv"}, "would replace out/uci.csv"},
	} {
		if c.args[0] == "bench" {
			if err := os.MkdirAll(p.path("out"), 0o755); err != nil {
				t.Fatal(err)
			}
			p.write("out/uci.csv", "set,method,rmse,rmse_sd,ll,ll_sd,units,source\n")
		}
		if code, _, said := p.run(c.args...); code != 2 || !strings.Contains(said, c.says) {
			t.Errorf("%q: code %d: %s", c.args, code, said)
		}
	}
	entries, _ = os.ReadDir(p.dir)
	for _, e := range entries {
		if _, was := before[e.Name()]; e.Type().IsRegular() && !was {
			t.Errorf("%s is new", e.Name())
		}
	}
	for name, text := range before {
		if p.read(name) != text {
			t.Errorf("%s changed", name)
		}
	}
}

// What is apart is not refused: names that look alike, files elsewhere, and streams.
func TestFilesThatAreApart(t *testing.T) {
	p := newPlace(t)
	for _, more := range [][]string{
		{"--out", "m.bgp", "--checkpoint", "tmp/m.bgp", "--cache", "c"},
		{"--out", "M.bgp", "--no-checkpoint", "--test-mask", "t.csv:test"},
		{"--out", os.DevNull, "--cache", "c"},
	} {
		if code, _, said := p.run(quickFit(more...)...); code != 0 {
			t.Errorf("%q: code %d: %s", more, code, said)
		}
	}
	if code, stdout, said := p.run("predict", "m.bgp", "t.csv", "--out", "/dev/stdout", "--quiet"); code != 0 || strings.Count(stdout, "\n") != 61 {
		t.Errorf("code %d: %s%s", code, stdout, said)
	}
	p.write("p.csv", "")
	file, err := os.OpenFile(p.path("p.csv"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.Command("beziergp", "predict", "m.bgp", "t.csv", "--out", "/dev/stdout", "--quiet")
	cmd.Stdout = file
	if code, _, said := p.ends(cmd); code != 0 || strings.Count(p.read("p.csv"), "\n") != 61 {
		t.Errorf("code %d: %s%s", code, p.read("p.csv"), said)
	}
}

// As beziergp predict m.bgp t.csv >> t.csv, which would read what it writes.
func TestOutputIntoWhatIsRead(t *testing.T) {
	p := newPlace(t)
	if code, _, said := p.run(quickFit("--out", "m.bgp")...); code != 0 {
		t.Fatalf("code %d: %s", code, said)
	}
	before := p.read("t.csv")
	for _, args := range [][]string{
		{"predict", "m.bgp", "t.csv"}, {"predict", "m.bgp", "-"}, {"eval", "m.bgp", "t.csv"}, {"describe", "t.csv"}, quickFit("--out", "-"),
	} {
		cmd := exec.Command("beziergp", args...)
		out, err := os.OpenFile(p.path("t.csv"), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		in, err := os.Open(p.path("t.csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		cmd.Stdin, cmd.Stdout = in, out
		if code, _, said := p.ends(cmd); code != 2 || !strings.Contains(said, "standard output would add to") {
			t.Errorf("%q: code %d: %s", args, code, said)
		}
		if p.read("t.csv") != before {
			t.Fatalf("%q: the table changed", args)
		}
	}
}

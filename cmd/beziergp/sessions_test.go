package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

// small are the tables that take a fit with --effort fast some seconds. Sessions on others run
// where BEZIERGP_LONG is set: `BEZIERGP_LONG=1 go test ./cmd/beziergp -run Sessions -v -timeout 1h`,
// with BEZIERGP_RENEW=1 to write the figures of this tree into the pages.
var small = []string{"concrete", "ames"}

// A session is a block of kind console with a command of beziergp: commands after
// "$ ", each with what it prints under it. Tables that it names are those of ../shared/data, by
// NAME.csv.gz or NAME/FILE.
type session struct {
	page     string
	line     int
	commands []command
	quick    bool
}

type command struct{ text, shown string }

var (
	ourSession   = regexp.MustCompile(`(?m)^\$ beziergp `)
	sessionTable = regexp.MustCompile(`\b([\w.]+?)(?:\.csv\.gz|/(?:data\.csv\.gz|test_mask\.csv\.gz))`)
	underWay     = regexp.MustCompile(`(?m)^(fold .*|)training: step \d+ of \d+ \(\d?\d%\).*\n|^fold .*training: step.*\n`) // which are printed is up to the clock
)

func sessions(t *testing.T) (all []session) {
	t.Helper()
	for _, page := range guide(t) {
		for _, b := range blocks(read(t, page)) {
			if b.kind != "console" || !ourSession.MatchString(b.text) {
				continue
			}
			s := session{page: page, line: b.line, quick: true}
			for part := range strings.SplitSeq(strings.TrimPrefix(b.text, "$ "), "\n$ ") {
				text, shown, _ := strings.Cut(part, "\n")
				s.commands = append(s.commands, command{text, shown})
				slow := !strings.Contains(text, "--effort fast") && strings.HasPrefix(text, "beziergp fit ") ||
					strings.HasPrefix(text, "beziergp cv ") // a fit a fold
				for _, m := range sessionTable.FindAllStringSubmatch(text, -1) {
					slow = slow || !slices.Contains(small, m[1]) && m[1] != "test_mask"
				}
				s.quick = s.quick && !slow
			}
			all = append(all, s)
		}
	}
	return all
}

// sharedTables makes a folder in which the tables of ../shared/data have the names that sessions
// give them.
func sharedTables(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "shared", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root); err != nil {
		t.Skip("SKIPPED: ../shared/data is not there")
	}
	dir := t.TempDir()
	found, err := filepath.Glob(filepath.Join(root, "*", "data.csv.gz"))
	tasks, _ := filepath.Glob(filepath.Join(root, "tasks", "*", "data.csv.gz"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no tables in %s: %v", root, err)
	}
	for _, file := range append(found, tasks...) {
		folder := filepath.Dir(file)
		for link, to := range map[string]string{filepath.Base(folder) + ".csv.gz": file, filepath.Base(folder): folder} {
			if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(filepath.Join(root, "concrete", "test_mask.csv.gz"), filepath.Join(dir, "test_mask.csv.gz")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSessions runs the sessions of the guide on the tables of ../shared/data, in the order of the
// pages, and wants what they show. A session that reads what a page before it wrote is run after it.
func TestSessions(t *testing.T) {
	testkit.Long(t)
	dir, bin := sharedTables(t), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "beziergp"), "./cmd/beziergp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	environment := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	python, why := testkit.FindPython("pandas", "pyarrow")
	ran := 0
	for _, s := range sessions(t) {
		if !s.quick && os.Getenv("BEZIERGP_LONG") == "" {
			t.Logf("%s:%d SKIPPED: it takes minutes; set BEZIERGP_LONG", s.page, s.line)
			continue
		}
		from := time.Now()
		for _, c := range s.commands {
			run, shown := exec.Command("sh", "-c", c.text), underWay.ReplaceAllString(c.shown, "…\n")
			if c.text == "python3" {
				if python == "" {
					t.Logf("%s:%d SKIPPED: %s", s.page, s.line, why)
					continue
				}
				run = exec.Command(python, "-c", strings.Join(typed(c.shown), "\n"))
				shown = answered(c.shown)
			}
			run.Dir, run.Env = dir, environment
			out, err := run.CombinedOutput()
			printed := underWay.ReplaceAllString(forecast.ReplaceAllString(string(out), ""), "")
			if err != nil {
				printed += fmt.Sprintf("%v\n", err)
			}
			why := shows(shown, printed)
			if why != "" || err != nil {
				t.Errorf("%s:%d: %s\n%s\nprints\n%s", s.page, s.line, c.text, why, printed)
			}
			if err == nil {
				renewPage(t, s.page, c.shown, printed)
			}
			ran++
		}
		t.Logf("%s:%d took %.1f s", s.page, s.line, time.Since(from).Seconds())
	}
	if ran < 3 {
		t.Errorf("%d commands ran", ran)
	}
}

// typed and answered are what a session at Python's prompt has after ">>> " and what it has else.
func typed(shown string) (lines []string) {
	for line := range strings.Lines(shown) {
		if text, ok := strings.CutPrefix(line, ">>> "); ok {
			lines = append(lines, strings.TrimSuffix(text, "\n"))
		}
	}
	return lines
}

func answered(shown string) string {
	return regexp.MustCompile(`(?m)^>>> .*\n`).ReplaceAllString(shown, "")
}

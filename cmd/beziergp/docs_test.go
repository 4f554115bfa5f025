package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/cli"
	"beziergp/internal/testkit"
)

// testCommand is the one command of the documents that this test does not run: it
// runs this test. CI runs it.
const testCommand = "make test"

// guide are the documents whose commands run, in the order in which a reader takes
// them: what one writes the next may read.
func guide(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/guide/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	readme := read(t, "README.md")
	slices.SortFunc(pages, func(a, b string) int {
		return strings.Index(readme, "("+filepath.ToSlash(a)+")") - strings.Index(readme, "("+filepath.ToSlash(b)+")")
	})
	return append([]string{"README.md"}, pages...)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is a fenced part of a document: commands of a shell (sh), what the commands
// above it print (text), a program (go), a script that is run where Python has what it needs
// (python), or a session that was run elsewhere (console).
type block struct {
	kind, text string
	line       int
}

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

func blocks(text string) (all []block) {
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, block{text[m[2]:m[3]], text[m[4]:m[5]], 2 + strings.Count(text[:m[0]], "\n")})
	}
	return all
}

// copyTree copies the repository without its history to a new folder.
func copyTree(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "beziergp")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case slices.Contains([]string{".git", "beziergp-demo", "bin", "dist"}, name):
		case e.IsDir():
			err = os.CopyFS(filepath.Join(dir, name), os.DirFS(name))
		default:
			err = os.WriteFile(filepath.Join(dir, name), []byte(read(t, name)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDocuments runs every command of the README and of the guide.
func TestDocuments(t *testing.T) {
	testkit.Long(t)
	if scored := runPages(t, guide(t)); scored < 5 {
		t.Errorf("%d examples are scored", scored)
	}
}

// TestReadme runs those of the README where the guide is left to CI.
func TestReadme(t *testing.T) {
	if testing.Short() || testkit.CI() {
		t.Skip("runs the demo and more, as TestDocuments does in CI")
	}
	runPages(t, guide(t)[:1])
}

// runPages runs every command of some pages in a copy of the tree, page by page, and wants of each what is shown under it.
// It returns the number of scores of 95 % intervals. BEZIERGP_RENEW=1 writes the figures into the pages.
func runPages(t *testing.T, pages []string) (scored int) {
	dir := copyTree(t)
	bin := filepath.Join(dir, "gobin")
	environment := append(os.Environ(), "GOFLAGS=-ldflags=-w "+os.Getenv("GOFLAGS"), // no tables for a debugger: a third of the time to link
		"GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	python, why := testkit.FindPython("sklearn", "nanoarrow", "narwhals", "pandas")
	for _, page := range pages {
		if _, err := exec.LookPath("curl"); err != nil && strings.Contains(read(t, page), "\ncurl ") {
			t.Logf("%s SKIPPED: curl is not installed", page)
			continue
		}
		said, from, passed := "", time.Now(), false
		for _, b := range blocks(read(t, page)) {
			switch b.kind {
			case "python":
				if passed = python == ""; passed {
					t.Logf("%s:%d is not run: %s", page, b.line, why)
					continue
				}
				c := exec.Command(python, "-c", b.text)
				c.Dir, c.Env = dir, append(environment, "PYTHONPATH="+filepath.Join(dir, "python", "src"), "BEZIERGP_PROGRAM="+filepath.Join(bin, "beziergp"))
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s:%d: %s%v\n%s", page, b.line, b.text, err, out)
				}
				said = string(out)
			case "sh":
				if passed && strings.Contains(b.text, "-python.bgp") {
					continue // of a script that was passed over
				}
				passed = false
				if strings.TrimSpace(b.text) == testCommand {
					continue
				}
				c := exec.Command("sh", "-ec", b.text)
				c.Dir, c.Env = dir, environment
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s:%d: %s%v\n%s", page, b.line, b.text, err, out)
				}
				said = forecast.ReplaceAllString(string(out), "")
				scored += checkCoverage(t, page, b, said)
			case "text":
				if passed {
					continue
				}
				if why := shows(b.text, said); why != "" {
					t.Errorf("%s:%d: %s\nthe command prints\n%s", page, b.line, why, said)
				}
				renewPage(t, page, b.text, said)
			case "go":
				if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "mine", "main.go"), []byte(b.text), 0o600); err != nil {
					t.Fatalf("%s:%d: %v", page, b.line, err)
				}
			case "console": // shown, but not run: on tables that are not in the tree
			default:
				t.Errorf("%s:%d: a block of kind %q; there are sh, text, go, python and console", page, b.line, b.kind)
			}
		}
		t.Logf("%s took %.1f s", page, time.Since(from).Seconds())
	}
	return scored
}

// forecast is a line that slow machines have and quick ones have not.
var forecast = regexp.MustCompile(`(?m)^.*training takes about .*\n`)

var (
	coverage  = regexp.MustCompile(`coverage95"?[\s:]+([\d.]+)`)
	trainedOn = regexp.MustCompile(`trained_on"?[\s:]+[1-9]`)
	tooNarrow = regexp.MustCompile(`(?m)^coverage95 .* too narrow$`)
)

// checkCoverage wants of 95 % intervals in examples that they hold what they
// promise, as far as some hundred rows tell; scores of rows trained on, which an
// example warns of, are better, and those of rows that drift finds to be others are worse.
// It returns the number of scores.
func checkCoverage(t *testing.T, page string, b block, said string) int {
	t.Helper()
	all := append(coverage.FindAllStringSubmatch(said, -1), coverageColumn(said)...)
	for _, m := range all {
		if trainedOn.MatchString(said) || tooNarrow.MatchString(said) {
			continue
		}
		if c, err := strconv.ParseFloat(m[1], 64); err != nil || c < 0.9 || c > 0.99 {
			t.Errorf("%s:%d: intervals cover %s\n%s", page, b.line, m[1], said)
		}
	}
	if len(all) == 0 && regexp.MustCompile(`(?m)^beziergp (eval |fit .*--holdout)`).MatchString(b.text) {
		t.Errorf("%s:%d: %s has no coverage\n%s", page, b.line, b.text, said)
	}
	return len(all)
}

// coverageColumn returns the cells of the column coverage95 of a table of several targets, as
// matches of coverage are.
func coverageColumn(said string) (all [][]string) {
	at := -1
	for line := range strings.Lines(said) {
		switch cells := strings.Fields(line); {
		case len(cells) > 0 && cells[0] == "output":
			at = slices.Index(cells, "coverage95")
		case at > 0 && len(cells) > at:
			all = append(all, []string{line, cells[at]})
		default:
			at = -1
		}
	}
	return all
}

// CI runs the README's test command.
func TestCIRunsTheTestCommand(t *testing.T) {
	for _, file := range []string{".ci/run", "README.md"} {
		if !regexp.MustCompile(`(?m)^` + testCommand + `$`).MatchString(read(t, file)) {
			t.Errorf("%s does not run %q", file, testCommand)
		}
	}
}

// The README is short, every command of it shows a line of what it prints, and it
// names every page of the guide.
func TestReadmeIsAFirstPage(t *testing.T) {
	text := read(t, "README.md")
	if n := strings.Count(text, "\n"); n > 120 {
		t.Errorf("README.md has %d lines", n)
	}
	all := blocks(text)
	for i, b := range all {
		if b.kind == "sh" && strings.TrimSpace(b.text) != testCommand && (i+1 == len(all) || all[i+1].kind == "sh") {
			t.Errorf("README.md:%d shows nothing of what %q prints", b.line, b.text)
		}
	}
	for _, page := range guide(t)[1:] {
		if !strings.Contains(text, "("+filepath.ToSlash(page)+")") {
			t.Errorf("README.md does not lead to %s", page)
		}
	}
}

// Links of the documents lead to files, and flags that they name exist.
func TestDocumentsNameWhatExists(t *testing.T) {
	flags := map[string]bool{"--help": true, "--rm": true, "--user": true, "--ignore-missing": true, "--retry": true, "--retry-connrefused": true, "--retry-delay": true, "--data-binary": true} // cobra's, docker's, sha256sum's, curl's
	for _, launcher := range []string{"mca", "hostfile", "bind-to", "signal", "nodes", "ntasks-per-node", "cpus-per-task", "mpi", "kill-on-bad-exit"} {
		flags["--"+launcher] = true // of mpirun and Slurm
	}
	var collect func(*cobra.Command)
	collect = func(c *cobra.Command) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		}
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(cli.Commands())
	for _, page := range guide(t) {
		text := read(t, page)
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil && !strings.Contains(m[1], "://") {
				t.Errorf("%s leads to %s, which is not there", page, m[1])
			}
		}
		for _, m := range regexp.MustCompile("[\\s`](--[a-z][a-z0-9-]*)").FindAllStringSubmatch(text, -1) {
			if !flags[m[1]] {
				t.Errorf("%s names %s, which no command has", page, m[1])
			}
		}
	}
}

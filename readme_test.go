package beziergp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testCommand is the one command of the README that this test does not run: it
// runs this test. CI runs it.
const testCommand = "make test"

// copyTree copies the repository without its history to a new folder.
func copyTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == ".git" || name == "beziergp-demo":
		case e.IsDir():
			if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(name)); err != nil {
				t.Fatal(err)
			}
		default:
			text, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestReadme runs every command of the README in order in a copy of the tree, and
// then its program.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the demo and more")
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := copyTree(t)
	bin := filepath.Join(dir, "gobin")
	environment := append(os.Environ(), "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	run := func(name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir, c.Env = dir, environment
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSpace(line)
			if line == testCommand {
				continue
			}
			run("sh", "-c", line)
			commands++
		}
	}
	if commands < 10 {
		t.Errorf("found %d commands", commands)
	}
	programs := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(programs) != 1 {
		t.Fatalf("found %d programs", len(programs))
	}
	file := filepath.Join(dir, "fromgo", "main.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(programs[0][1]), 0o600); err != nil {
		t.Fatal(err)
	}
	run("go", "run", "./fromgo")
	for _, made := range []string{"beziergp.bash", "predictions.csv", "flagged.csv", "long.bgp", "beziergp-demo/bench.md", "from-go.bgp"} {
		if info, err := os.Stat(filepath.Join(dir, made)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", made, err)
		}
	}
}

// CI runs the README's test command.
func TestCIRunsTheTestCommand(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string][]byte{".ci/run": script, "README.md": readme} {
		if !regexp.MustCompile(`(?m)^` + testCommand + `$`).Match(text) {
			t.Errorf("%s does not run %q", what, testCommand)
		}
	}
}

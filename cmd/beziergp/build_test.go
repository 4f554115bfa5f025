package main_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// build builds the program lean, for a system and a processor, and returns its file.
func build(t *testing.T, system, processor string, flags ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	file := filepath.Join(t.TempDir(), "beziergp")
	c := exec.Command("go", append(append([]string{"build", "-tags", "lean", "-o", file}, flags...), "./cmd/beziergp")...)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("building for %s/%s: %v: %s", system, processor, err, said)
	}
	return file
}

// outcome is what a run of a program comes to.
type outcome struct {
	code         int
	stdout, said string
}

// runs returns what runs a program by its arguments, behind the words that start it.
func runs(t *testing.T, start ...string) func(args ...string) outcome {
	return func(args ...string) outcome {
		t.Helper()
		c := exec.Command(start[0], append(start[1:], args...)...)
		c.Env = append(os.Environ(), "BEZIERGP_KERNEL=generic")
		var out, said bytes.Buffer
		c.Stdout, c.Stderr = &out, &said
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatalf("%v: %v", start, err)
		}
		return outcome{c.ProcessState.ExitCode(), out.String(), said.String()}
	}
}

// `make fuzz` runs every fuzz target, where it is.
func TestMakeFuzzRunsEveryTarget(t *testing.T) {
	recipe, found := read(t, "Makefile"), 0
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range declared.FindAllStringSubmatch(read(t, path), -1) {
			found++
			if line := "go test ./" + filepath.ToSlash(filepath.Dir(path)) + " -run '^$$' -fuzz " + m[1] + " "; !strings.Contains(recipe, line) {
				t.Errorf("the Makefile lacks %q", line)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(recipe, " -fuzz Fuzz"); lines != found {
		t.Errorf("the Makefile runs %d fuzz targets, and there are %d", lines, found)
	}
}

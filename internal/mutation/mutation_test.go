package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A survivor keeps its reason where its line has moved; a new one has none and counts; a
// mutant that is killed goes, and sections of other packages stay. Lines are in order.
func TestUpdateKeepsReasons(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b/x.go", "package b\n\nvar c = p || q\nvar d = 1 - -2\n")
	write("doc.md", "# Mutants\n\nIntro.\n\n## a/b\n\nold numbers\n\n"+table+
		"| x.go | `var c = p ⟦\\|\\| → &&⟧ q` | they are equal \\| alike |\n| x.go | `gone` | gone |\n\n## other\n\nstays\n")
	result := `{"files":[{"file_name":"x.go","mutations":[
		{"type":"ARITHMETIC_BASE","status":"TIMED OUT","line":4,"column":13},{"type":"ARITHMETIC_BASE","status":"STATUS","line":4,"column":11},
		{"type":"INVERT_LOGICAL","status":"LIVED","line":3,"column":11}]}]}`
	for _, c := range []struct {
		status, ownStatus string // by gremlins, and of what it did not run
		open              int
		want              string
	}{
		{lived, "", 1, "they are equal \\| alike |\n| x.go | `var d = 1 ⟦- → +⟧ -2` | " + noReason + " |\n"},
		{notCovered, lived, 1, "| x.go | `var d = 1 ⟦- → +⟧ -2` | " + noReason + " |\n"},
		{notCovered, killed, 0, "3 mutants of 0a1b2c3: 1 killed, 1 that did not end, 1 survivors.\n"},
		{killed, "", 0, "3 mutants of 0a1b2c3: 1 killed, 1 that did not end, 1 survivors.\n"},
	} {
		write("results/a_b.json", strings.Replace(result, "STATUS", c.status, 1))
		open, err := update(t.Context(), "doc.md", "0a1b2c3", "results", func(_ context.Context, folder, file string, code []byte) (string, error) {
			if c.ownStatus == "" || folder != filepath.Join("a", "b") || file != "x.go" || string(code) != "package b\n\nvar c = p || q\nvar d = 1 + -2\n" {
				t.Errorf("tests of %s with %s %q", folder, file, code)
			}
			return c.ownStatus, nil
		})
		if err != nil || open != c.open {
			t.Fatalf("%d without a reason, want %d; error %v", open, c.open, err)
		}
		text, _ := os.ReadFile("doc.md")
		for _, want := range []string{"# Mutants\n\nIntro.\n\n## a/b\n\n", "⟦\\|\\| → &&⟧ q` | they are equal \\| alike |\n", c.want, "\n\n## other\n\nstays\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%+v: %q is not in\n%s", c, want, text)
			}
		}
		if strings.Contains(string(text), "gone") {
			t.Errorf("%+v: a survivor that is no more has stayed", c)
		}
	}
	write("a/b/x.go", "package b\n")
	if _, err := update(t.Context(), "doc.md", "0a1b2c3", "results", nil); err == nil {
		t.Error("code that was changed after gremlins ran is not noticed")
	}
}

// The tests of a package fail for a mutant, or do not; its file stays what it is.
func TestMutantsAreTested(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.25\n", "a/a.go": "package a\n\nvar A = 1\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif A < 1 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for code, want := range map[string]string{"package a\n\nvar A = 2\n": lived, "package a\n\nvar A = 0\n": killed} {
		if status, err := test(t.Context(), "a", "a.go", []byte(code)); status != want || err != nil {
			t.Errorf("%q: %s, %v, want %s", code, status, err, want)
		}
	}
}

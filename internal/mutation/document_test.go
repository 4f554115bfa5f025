package main

import (
	"os"
	"strings"
	"testing"
)

// A survivor keeps its reason where its line has moved; a new one has none and counts; a
// mutant that is killed goes, and sections of other packages stay. Lines are in order.
func TestUpdateKeepsReasons(t *testing.T) {
	tree(t, map[string]string{
		"b/x.go": "package b\n\nvar c = p || q\nvar d = 1 - -2\n",
		"doc.md": "# Mutants\n\nIntro.\n\n## b\n\nold numbers\n\n" + table +
			"| x.go | `var c = p ⟦\\|\\| → &&⟧ q` | they are equal \\| alike |\n| x.go | `gone` | gone |\n\n## other\n\nstays\n",
	})
	files, err := sources("b")
	if err != nil {
		t.Fatal(err)
	}
	mutants := replacements(files[0])
	if len(mutants) != 3 {
		t.Fatalf("%d mutants, want 3", len(mutants))
	}
	for _, c := range []struct {
		status string
		open   int
		want   string
	}{
		{lived, 1, "they are equal \\| alike |\n| x.go | `var d = 1 ⟦- → +⟧ -2` | " + noReason + " |\n"},
		{killed, 0, "3 mutants of 0a1b2c3: 1 killed, 1 that did not end, 1 survivors.\n"},
	} {
		mutants[0].status, mutants[1].status, mutants[2].status = lived, c.status, timedOut
		open, err := update("doc.md", "0a1b2c3", "b", mutants)
		if err != nil || open != c.open {
			t.Fatalf("%d without a reason, want %d; error %v", open, c.open, err)
		}
		text, _ := os.ReadFile("doc.md")
		for _, want := range []string{"# Mutants\n\nIntro.\n\n## b\n\n", "⟦\\|\\| → &&⟧ q` | they are equal \\| alike |\n", c.want, "\n\n## other\n\nstays\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%+v: %q is not in\n%s", c, want, text)
			}
		}
		if strings.Contains(string(text), "gone") {
			t.Errorf("%+v: a survivor that is no more has stayed", c)
		}
	}
}

// A block of the compiler's ends before its last column, and conditions of cases are reached with their function.
func TestProfile(t *testing.T) {
	tree(t, map[string]string{
		"b/x.go": "package b\n\nfunc f(x int) int {\n\tif x < 0 {\n\t\treturn x * x\n\t}\n\tswitch {\n\tcase x > 1:\n\t\treturn x + 1\n\t}\n\treturn 0\n}\n\nvar d = 1 - 2\n",
		"out":    "mode: set\nm/b/x.go:3.19,4.11 1 1\nm/b/x.go:4.11,6.3 1 0\nm/b/x.go:7.2,7.9 1 1\nm/b/x.go:8.12,9.15 1 0\nm/b/x.go:11.2,11.10 1 1\n",
	})
	p, err := readProfile("out")
	if err != nil {
		t.Fatal(err)
	}
	files, err := sources("b")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range replacements(files[0]) {
		if want := m.at.Line != 5 && m.at.Line != 9; p.reaches(m) != want {
			t.Errorf("reaches %s: %v", m.marked(), !want)
		}
	}
	if (profile{}).reaches(replacements(files[0])[0]) {
		t.Error("a test that reaches nothing reaches a mutant")
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

func TestMutantsAreTold(t *testing.T) {
	testkit.Long(t)
	tree(t, code)
	defer func(was time.Duration) { least = was }(least)
	least = 2 * time.Second
	for _, further := range [][]string{nil, {"b"}} {
		mutants, err := mutate(t.Context(), "a", further, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, m := range mutants {
			told = append(told, fmt.Sprint(m.at.Line, " ", m.own, " ", m.other, " ", m.status))
		}
		three := lived
		if further != nil {
			three = killed // by the tests of b
		}
		want := []string{
			"3 + - killed", "5 + - " + three, "7 + - killed", // strings have no difference
			"12 < <= killed", "12 < >= killed", "12 ++ -- did not end", "19 - + killed", "23 += -= killed", "23 += = killed", "29 != == killed",
			"33 * / lived", "37 < <= lived", "37 < >= killed",
		}
		if !slices.Equal(told, want) {
			t.Errorf("with the tests of %v\n%q, want\n%q", further, told, want)
		}
	}
}

// What does not compile is found by the compiler's own words, and is not in the program.
func TestMutantsThatDoNotCompileAreLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	tree(t, code)
	files, err := sources("a")
	if err != nil {
		t.Fatal(err)
	}
	var mutants []*mutant
	for i, m := range replacements(files[0]) {
		if m.number = i + 1; m.function != nil && m.function.Name.Name != "recovers" {
			mutants = append(mutants, m)
		}
	}
	made, err := compileSchemata(t.Context(), "a", files, mutants, filepath.Join(t.TempDir(), "program"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		compiles := m.function.Name.Name != "join"
		if m.status == killed == compiles || strings.Contains(made["a.go"], copyName(m.function.Name.Name, m)) != compiles {
			t.Errorf("%s: status %q in\n%s", m.marked(), m.status, made["a.go"])
		}
	}
}

// A package whose tests fail tells nothing of its mutants.
func TestTestsPassWithoutMutant(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	tree(t, code)
	if err := os.WriteFile("a/b_test.go", []byte("package a\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) { t.Fail() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := mutate(t.Context(), "a", nil, t.TempDir()); err == nil || !strings.Contains(err.Error(), "TestFails") {
		t.Errorf("error %v", err)
	}
}

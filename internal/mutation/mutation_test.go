package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree writes a module in a folder of its own and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// code has mutants of every fate, and of every kind of function; the tests know one of them each.
var code = map[string]string{
	"go.mod": "module m\n\ngo 1.25\n",
	"a/a.go": `package a

const two = 1 + 1

var three = two + 1

func join(a, b string) string { return a + b }

func Three() int { return three }

func Until(n int) (i int) {
	for ; i < n; i++ {
	}
	return i
}

type pair[T int | float64] struct{ a, b T }

func (pair[T]) minus(_ bool, a, b T) T { return a - b }

func sum[T int | float64](over ...T) (s T) {
	for _, v := range over {
		s += v
	}
	return s
}

func recovers() (ok bool) {
	defer func() { ok = recover() != nil }()
	panic(1)
}

func unreached() int { return 2 * 2 }

func sign(x int) string {
	switch {
	case x < 0:
		return "minus"
	}
	return "plus"
}
`,
	"a/a_test.go": `package a

import "testing"

func TestA(t *testing.T) {
	if join("a", "b") != "ab" || Until(3) != 3 || !recovers() || sign(-1) != "minus" || sign(1) != "plus" {
		t.Fail()
	}
	if (pair[int]{}).minus(true, 3, 1) != 2 || sum(1, 2.5, 3) != 6.5 || two != 2 {
		t.Fail()
	}
}
`,
	"b/b_test.go": `package b

import (
	"testing"

	"m/a"
)

func TestB(t *testing.T) {
	if a.Three() != 3 {
		t.Fail()
	}
}
`,
}

func TestMutantsAreTold(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
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

// A process has as much to do as all before it, but for a test that takes longer alone; what is
// not reached is not run.
func TestBatches(t *testing.T) {
	m := &mutant{file: &sourceFile{name: "x.go"}}
	var s suite
	for i, seconds := range []float64{0.01, 0.02, 0.03, 0.06, 0.07, 1, 5} {
		s.tests = append(s.tests, test{name: fmt.Sprint(i), takes: time.Duration(seconds * float64(time.Second))})
	}
	got := ""
	for _, batch := range s.batches(m) {
		for _, t := range batch {
			got += t.name
		}
		got += ";"
	}
	if want := "01;2;3;4;5;6;"; got != want {
		t.Errorf("batches %q, want %q", got, want)
	}
}

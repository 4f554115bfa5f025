package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
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

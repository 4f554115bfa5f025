package main

import (
	"fmt"
	"go/ast"
	"testing"
	"time"
)

// A process has as much to do as all before it, but for a test that takes longer alone; what is
// not reached is not run.
func TestBatches(t *testing.T) {
	m := &mutant{file: &sourceFile{name: "x.go"}}
	s := suite{told: map[*ast.FuncDecl]string{}}
	for i, seconds := range []float64{0.01, 0.02, 0.03, 0.06, 0.07, 1, 5} {
		s.tests = append(s.tests, test{name: fmt.Sprint(i), takes: time.Duration(seconds * float64(time.Second))})
	}
	for _, c := range []struct{ output, want string }{
		{"PASS", "01;2;3;4;5;6;"},
		{"=== RUN\n--- FAIL: 5 (0.10s)\n    --- FAIL: 5/b\n", "5;01;2;3;4;6;"}, // that has told another of the function
	} {
		s.failed(m, []byte(c.output))
		got := ""
		for _, batch := range s.batches(m) {
			for _, t := range batch {
				got += t.name
			}
			got += ";"
		}
		if got != c.want {
			t.Errorf("batches %q, want %q", got, c.want)
		}
	}
}

package main

import (
	"go/ast"
	"strings"
)

// chosen is the variable that holds the number of the mutant that runs, 0 for none, and
// choice the one of the environment that sets it.
const (
	chosen     = "mutantChosen__"
	choice     = "BEZIERGP_MUTANT"
	choiceFile = "mutantchoice.go"
)

// choiceCode is the file that is added to the package. Variables of the package whose
// values depend on functions with mutants are initialised after it, for these refer to it.
// A mutant that takes gigabytes ends: it would be the end of the machine.
const choiceCode = `

import (
	"os"
	"runtime/metrics"
	"strconv"
	"time"
)

var ` + chosen + ` = func() int {
	number, _ := strconv.Atoi(os.Getenv("` + choice + `"))
	if number != 0 {
		go func() {
			sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
			for metrics.Read(sample); sample[0].Value.Uint64() < 2<<30; metrics.Read(sample) {
				time.Sleep(50 * time.Millisecond)
			}
			os.Exit(1)
		}()
	}
	return number
}()
`

// schemata returns the code of a file that holds its mutants: every function that has some
// begins with a dispatch, and a copy of the function for each of them is at the end. The
// lines of copies are those of whose mutant they are.
func schemata(f *sourceFile, mutants []*mutant) (code string, lines map[int]*mutant) {
	byFunction := map[*ast.FuncDecl][]*mutant{}
	for _, m := range mutants {
		byFunction[m.function] = append(byFunction[m.function], m)
	}
	var edits []edit
	var copies strings.Builder
	lines = map[int]*mutant{}
	line := strings.Count(f.text, "\n") + 2
	for _, declared := range f.parsed.Decls {
		d, _ := declared.(*ast.FuncDecl)
		if d == nil || len(byFunction[d]) == 0 {
			continue
		}
		w, _ := newForward(f, d)
		body := f.offset(d.Body.Lbrace) + 1
		edits = append(append(edits, w.edits...), edit{body, body, w.dispatch(byFunction[d])})
		for _, m := range byFunction[d] {
			name := edit{f.offset(d.Name.Pos()), f.offset(d.Name.End()), copyName(d.Name.Name, m)}
			text := f.edited(f.offset(d.Pos()), f.offset(d.End()), name, m.edit()) + "\n"
			for range strings.Count(text, "\n") {
				lines[line] = m
				line++
			}
			copies.WriteString(text)
		}
	}
	return f.edited(0, len(f.text), edits...) + "\n" + copies.String(), lines
}

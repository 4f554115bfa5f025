package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suite is the tests of a package by which mutants are told.
type suite struct {
	folder  string
	program string // with mutants
	tests   []test // the quickest first
	// told is the test that has told the last mutant of a function: it often tells the next one.
	told map[*ast.FuncDecl]string
}

// test is a function of a suite. What it takes and reaches is known by a run of it alone.
type test struct {
	name    string
	takes   time.Duration
	reached profile
}

// newSuite runs every test of a package alone. They pass: no mutant can be told by a test that fails.
func newSuite(ctx context.Context, folder, mutated, program string) (*suite, error) {
	s := &suite{folder: folder, program: program, told: map[*ast.FuncDecl]string{}}
	counting := program + ".counting"
	message, err := compile(ctx, folder, mutated, nil, counting, "-cover", "-coverpkg=./"+filepath.ToSlash(mutated))
	if err != nil || message != "" {
		return nil, errors.Join(err, errors.New(message))
	}
	defer os.Remove(counting)
	names, err := exec.CommandContext(ctx, counting, "-test.list", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("the tests of %s have no list: %w", folder, err)
	}
	reached := counting + ".profile"
	defer os.Remove(reached)
	for _, name := range strings.Fields(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		command := run(ctx, counting, folder, []test{{name: name}}, "-test.coverprofile", reached)
		from := time.Now()
		if output, err := command.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s of %s fails without a mutant; mend it first: %w\n%s", name, folder, err, output)
		}
		t := test{name: name, takes: time.Since(from)}
		if t.reached, err = readProfile(reached); err != nil {
			return nil, err
		}
		s.tests = append(s.tests, t)
	}
	slices.SortFunc(s.tests, func(a, b test) int { return cmp.Compare(a.takes, b.takes) })
	return s, nil
}

// run is a run of some tests of a program in their folder, up to the first that fails.
func run(ctx context.Context, program, folder string, tests []test, flags ...string) *exec.Cmd {
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
	}
	arguments := append([]string{"-test.short", "-test.failfast", "-test.run", "^(" + strings.Join(names, "|") + ")$"}, flags...)
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = folder
	return command
}

// first is what the tests of a mutant's first process take together.
const first = 50 * time.Millisecond

// batches returns the tests that reach a mutant, by processes: the one that told the last of its
// function, the quickest ones, then such as take as long as all before, and so on, for most mutants
// are told by tests that take next to nothing.
func (s *suite) batches(m *mutant) (all [][]test) {
	var batch []test
	var own, before time.Duration
	told := s.told[m.function]
	for _, t := range s.tests {
		if t.name == told && t.reached.reaches(m) {
			all = append(all, []test{t})
		}
	}
	for _, t := range s.tests {
		if !t.reached.reaches(m) || t.name == told {
			continue
		}
		if len(batch) > 0 && own+t.takes > max(first, before) {
			all, batch = append(all, batch), nil
			own, before = 0, before+own
		}
		batch, own = append(batch, t), own+t.takes
	}
	if len(batch) > 0 {
		all = append(all, batch)
	}
	return all
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// failed notes which test has told a mutant, by what the process has said.
func (s *suite) failed(m *mutant, output []byte) {
	if found := failedTest.FindSubmatch(output); found != nil {
		s.told[m.function] = string(found[1])
	}
}

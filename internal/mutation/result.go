package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// result is what gremlins writes of a package.
type result struct {
	Files []mutatedFile `json:"files"`
}

type mutatedFile struct {
	Name    string   `json:"file_name"`
	Mutants []mutant `json:"mutations"`
}

type mutant struct {
	Type, Status string
	Line, Column int
	marked       string // the line of code, with the mutation
}

const (
	killed   = "KILLED"
	lived    = "LIVED"
	timedOut = "TIMED OUT"
	// notCovered is what gremlins does not run, for no test reaches it, or coverage does
	// not tell: it counts neither constants nor the conditions of cases.
	notCovered = "NOT COVERED"
)

// tester tells what the tests of a package say of a file with other code: whether they
// fail, which kills it.
type tester func(ctx context.Context, folder, file string, code []byte) (status string, err error)

// read reads the result of a package in a folder, runs what gremlins did not, and marks
// the lines.
func read(ctx context.Context, file, folder string, test tester) (*result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, f := range r.Files {
		name := filepath.Join(folder, f.Name)
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(source), "\n")
		for i := range f.Mutants {
			m := &f.Mutants[i]
			if m.Line > len(lines) || m.Column > len(lines[m.Line-1]) {
				return nil, fmt.Errorf("%s has no line %d with a column %d: it was changed after gremlins ran", name, m.Line, m.Column)
			}
			own := lines[m.Line-1]
			var code string
			if code, m.marked, err = mutated(own, m.Column-1, m.Type); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", name, m.Line, err)
			}
			if m.Status == notCovered {
				lines[m.Line-1] = code
				m.Status, err = test(ctx, folder, f.Name, []byte(strings.Join(lines, "\n")))
				lines[m.Line-1] = own
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return r, nil
}

// longest is what the tests of a package may take; they take seconds.
const longest = 2 * time.Minute

// test is a [tester] by the program go.
func test(ctx context.Context, folder, file string, code []byte) (status string, err error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	other, overlay := filepath.Join(dir, "code.go"), filepath.Join(dir, "overlay.json")
	own, err := filepath.Abs(filepath.Join(folder, file))
	if err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{own: other}})
	if err = errors.Join(err, os.WriteFile(other, code, 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err = exec.CommandContext(ctx, "go", "test", "-short", "-count=1", "-vet=off", "-overlay", overlay, "./"+filepath.ToSlash(folder)).Run()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return timedOut, nil
	case errors.As(err, &failed):
		return killed, nil
	}
	return lived, err
}

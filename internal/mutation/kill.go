package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	killed   = "killed"
	lived    = "lived"
	timedOut = "did not end"
)

// patience is how many times as long as its tests take a mutant may run; least is what it may in any case.
const patience = 20

var least = 5 * time.Second

// mutate finds the mutants of a package and what its tests, and those of further packages,
// say of them. Scratch is a folder for programs.
func mutate(ctx context.Context, folder string, further []string, scratch string) ([]*mutant, error) {
	files, err := sources(folder)
	if err != nil {
		return nil, err
	}
	var all, within, single []*mutant
	for _, f := range files {
		for _, m := range replacements(f) {
			m.number = len(all) + 1
			all = append(all, m)
			copied := false
			if m.function != nil {
				_, copied = newForward(f, m.function)
			}
			if copied {
				within = append(within, m)
			} else {
				single = append(single, m)
			}
		}
	}
	var suites []*suite
	for i, tests := range append([]string{folder}, further...) {
		s, err := newSuite(ctx, tests, folder, filepath.Join(scratch, fmt.Sprint("tests", i)))
		if err != nil {
			return nil, err
		}
		suites = append(suites, s)
	}
	code, err := compileSchemata(ctx, folder, files, within, suites[0].program)
	if err != nil {
		return nil, err
	}
	if err := link(ctx, suites[1:], folder, code); err != nil {
		return nil, err
	}
	for _, m := range within {
		if err := m.tell(ctx, suites); err != nil {
			return nil, err
		}
	}
	for _, m := range single {
		code := map[string]string{m.file.name: m.file.edited(0, len(m.file.text), m.edit())}
		if err := link(ctx, suites, folder, code); err != nil {
			if !errors.As(err, new(compileError)) {
				return nil, err
			}
			m.status = killed
		}
		if err := m.tell(ctx, suites); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// compileError is what the compiler says.
type compileError string

func (e compileError) Error() string { return string(e) }

// link makes the programs of suites with other code of the package.
func link(ctx context.Context, suites []*suite, folder string, code map[string]string) error {
	for _, s := range suites {
		message, err := compile(ctx, s.folder, folder, code, s.program)
		if err != nil {
			return err
		}
		if message != "" {
			return compileError(message)
		}
	}
	return nil
}

// tell runs the tests that reach a mutant, if its status is not known, until one tells it.
func (m *mutant) tell(ctx context.Context, suites []*suite) error {
	if m.status != "" {
		return nil
	}
	for _, s := range suites {
		for _, tests := range s.batches(m) {
			var limit time.Duration
			for _, t := range tests {
				limit += patience * t.takes
			}
			limited, cancel := context.WithTimeout(ctx, max(limit, least))
			command := run(limited, s.program, s.folder, tests)
			command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", choice, m.number))
			output, err := command.CombinedOutput()
			late := limited.Err() != nil
			cancel()
			var failed *exec.ExitError
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case late:
				m.status = timedOut
				return nil
			case errors.As(err, &failed):
				s.failed(m, output)
				m.status = killed
				return nil
			case err != nil:
				return fmt.Errorf("the tests of %s do not run: %w", strings.TrimPrefix(s.folder, "./"), err)
			}
		}
	}
	m.status = lived
	return nil
}

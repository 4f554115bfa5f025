package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// compile makes the test program of a package, folders being those of the module. The
// package mutated has other code in some files, or files more, by their names.
func compile(ctx context.Context, tests, mutated string, code map[string]string, program string, flags ...string) (message string, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	replace := map[string]string{}
	for name, text := range code {
		own, err := filepath.Abs(filepath.Join(mutated, name))
		replace[own] = filepath.Join(dir, name)
		if err = errors.Join(err, os.WriteFile(replace[own], []byte(text), 0o600)); err != nil {
			return "", err
		}
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err = errors.Join(err, os.WriteFile(overlay, text, 0o600)); err != nil {
		return "", err
	}
	arguments := append([]string{"test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlay, "-o", program}, flags...)
	output, err := exec.CommandContext(ctx, "go", append(arguments, "./"+filepath.ToSlash(tests))...).CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return string(output), nil
	}
	return "", err
}

var errorAt = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// compileSchemata makes the test program of the package with all mutants that compile, and
// returns its code. The others are killed: they are found by where the compiler finds
// errors, which are in their copies, and left out until there is none.
func compileSchemata(ctx context.Context, folder string, files []*sourceFile, mutants []*mutant, program string) (code map[string]string, err error) {
	for {
		code = map[string]string{choiceFile: "package " + files[0].parsed.Name.Name + choiceCode}
		lines := map[string]map[int]*mutant{}
		for _, f := range files {
			var own []*mutant
			for _, m := range mutants {
				if m.file == f && m.status == "" {
					own = append(own, m)
				}
			}
			code[f.name], lines[f.name] = schemata(f, own)
		}
		message, err := compile(ctx, folder, folder, code, program)
		if err != nil || message == "" {
			return code, err
		}
		found := false
		for _, at := range errorAt.FindAllStringSubmatch(message, -1) {
			line, _ := strconv.Atoi(at[2])
			if m := lines[filepath.Base(at[1])][line]; m != nil {
				m.status, found = killed, true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s does not compile with its mutants; does it without? The compiler says:\n%s", folder, message)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// profile is the blocks of code that the compiler counts, by file, and which of them a test has reached.
type profile map[string][]block

type block struct {
	fromLine, fromColumn, toLine, toColumn, statements, count int
}

// readProfile reads what -test.coverprofile writes.
func readProfile(file string) (profile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := profile{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		at := strings.LastIndex(line, ":")
		var b block
		if _, err := fmt.Sscanf(line[at+1:], "%d.%d,%d.%d %d %d", &b.fromLine, &b.fromColumn, &b.toLine, &b.toColumn, &b.statements, &b.count); err != nil {
			return nil, fmt.Errorf("%q of a profile: %w", line, err)
		}
		name := path.Base(line[:at])
		p[name] = append(p[name], b)
	}
	return p, nil
}

// holds tells whether a position is in the block.
func (b *block) holds(line, column int) bool {
	after := line > b.fromLine || line == b.fromLine && column >= b.fromColumn
	return after && (line < b.toLine || line == b.toLine && column < b.toColumn)
}

// reaches tells whether a test can tell a mutant. The conditions of cases are in no block:
// what reaches their function may reach them. What is in no function is in all tests.
func (p profile) reaches(m *mutant) bool {
	if m.function == nil {
		return true
	}
	counted, from, to := false, m.file.files.Position(m.function.Pos()).Line, m.file.files.Position(m.function.End()).Line
	within := false
	for _, b := range p[m.file.name] {
		if b.holds(m.at.Line, m.at.Column) {
			counted = true
			if b.count > 0 {
				return true
			}
		}
		within = within || b.count > 0 && from <= b.fromLine && b.toLine <= to
	}
	return !counted && within
}

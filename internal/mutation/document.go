package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

const (
	heading  = "## "
	noReason = "**no reason yet**"
	table    = "| file | mutation | why no test kills it |\n|---|---|---|\n"
)

// update writes the section of a package again and returns how many survivors have no reason.
func update(document, tree, name string, mutants []*mutant) (open int, err error) {
	old, err := os.ReadFile(document)
	if err != nil {
		return 0, err
	}
	text, sections := split(string(old))
	sections[name] = section(mutants, tree, reasons(sections[name]))
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		text += heading + name + "\n" + sections[name]
	}
	return strings.Count(sections[name], noReason), os.WriteFile(document, []byte(text), 0o644)
}

// split returns what stands before the first section, and the sections by package.
func split(document string) (intro string, sections map[string]string) {
	parts := strings.Split("\n"+document, "\n"+heading)
	sections = map[string]string{}
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, "\n")
		sections[name] = strings.TrimRight(text, "\n") + "\n\n"
	}
	return strings.TrimSpace(parts[0]) + "\n\n", sections
}

// reasons returns those of a section by file and mutation.
func reasons(section string) map[string]string {
	known := map[string]string{}
	for _, row := range strings.Split(section, "\n") {
		row, ok := strings.CutSuffix(strings.TrimSpace(row), " |")
		if !ok {
			continue
		}
		if at := strings.LastIndex(row, " | "); at > 0 {
			known[row[:at]] = row[at+len(" | "):]
		}
	}
	return known
}

// section tells how many mutants there were, of which tree, and lists those that no test has killed.
func section(mutants []*mutant, tree string, known map[string]string) string {
	count, rows := map[string]int{}, ""
	for _, m := range mutants {
		count[m.status]++
		if m.status != lived {
			continue
		}
		row := fmt.Sprintf("| %s | %s", m.file.name, m.marked())
		reason, ok := known[row]
		if !ok {
			reason = noReason
		}
		rows += row + " | " + reason + " |\n"
	}
	of := ""
	if tree != "" {
		of = " of " + tree
	}
	text := fmt.Sprintf("\n%d mutants%s: %d killed, %d that did not end, %d survivors.\n\n", len(mutants), of, count[killed], count[timedOut], count[lived])
	if rows == "" {
		return text
	}
	return text + table + rows + "\n"
}

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	heading  = "## "
	noReason = "**no reason yet**"
	table    = "| file | mutation | why no test kills it |\n|---|---|---|\n"
)

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
func (r *result) section(tree string, known map[string]string) string {
	slices.SortFunc(r.Files, func(a, b mutatedFile) int { return cmp.Compare(a.Name, b.Name) })
	count, rows := map[string]int{}, ""
	for _, f := range r.Files {
		slices.SortFunc(f.Mutants, func(a, b mutant) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Type, b.Type))
		})
		for _, m := range f.Mutants {
			count[m.Status]++
			if m.Status != lived {
				continue
			}
			row := fmt.Sprintf("| %s | %s", f.Name, m.marked)
			reason, ok := known[row]
			if !ok {
				reason = noReason
			}
			rows += row + " | " + reason + " |\n"
		}
	}
	of := ""
	if tree != "" {
		of = " of " + tree
	}
	text := fmt.Sprintf("\n%d mutants%s: %d killed, %d that did not end, %d survivors.\n\n", count[killed]+count[timedOut]+count[lived], of, count[killed], count[timedOut], count[lived])
	if rows == "" {
		return text
	}
	return text + table + rows + "\n"
}

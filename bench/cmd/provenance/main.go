// Command provenance tells which records of the benchmarks were made by the code as it is: the source files of the
// packages that a method is made of have the hashes that they had at the record's commit.
//
//	go run ./bench/cmd/provenance -out docs/provenance.md
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
	"beziergp/bench/record"
)

func main() { harness.Main("provenance", run) }

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	dir := flags.String("records", "docs/benchmarks", "directory of the records, SUITE.jsonl each")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(*dir, "*.jsonl"))
	if err != nil {
		return err
	}
	h := newHistory(".")
	head, err := h.commit(ctx, "HEAD")
	if err != nil {
		return err
	}
	own := tallies{}
	for _, path := range paths {
		records, _, err := record.Read(path)
		if err != nil {
			return err
		}
		for _, r := range records {
			if err := own.of(r).add(ctx, h, r, head); err != nil {
				return err
			}
		}
		if err := own.addAgain(ctx, h, path, records, head); err != nil {
			return err
		}
	}
	return page.Write(func(w io.Writer) error { write(w, own, head); return nil })
}

// row is one of the page.
type row struct{ method, suite string }

// tally counts the records of a row.
type tally struct {
	records, same, unknown int
	changed                map[string]int // records since which a package has changed
	again                  again
}

type tallies map[row]*tally

// of returns the tally that a record counts in.
func (a tallies) of(r record.Record) *tally {
	at := row{methodOf(r), r.Suite}
	if a[at] == nil {
		a[at] = &tally{changed: map[string]int{}}
	}
	return a[at]
}

// add counts a record.
func (t *tally) add(ctx context.Context, h *history, r record.Record, head string) error {
	t.records++
	changed, found, err := h.changedSince(ctx, r, head)
	if err != nil {
		return err
	}
	if !found {
		t.unknown++
		return nil
	}
	for _, dir := range changed {
		t.changed[dir]++
	}
	if len(changed) == 0 {
		t.same++
	}
	return nil
}

// auto is what the default recipe is called by, which no option names.
const auto = "auto"

// Scripts of other libraries' methods; peers.py, which runs them, is not among them.
const (
	treesOfPeers     = "bench/peers/trees.py"
	processesOfPeers = "bench/peers/gaussian.py"
	tasksOfPeers     = "bench/peers/tasks.py"
)

// methodOf returns the part of the program, or the script, that a record was made by.
func methodOf(r record.Record) string {
	switch {
	case strings.HasPrefix(r.Version, "beziergp "):
	case strings.HasPrefix(r.Version, "torch "):
		return processesOfPeers
	case r.LogLoss != nil || r.Deviance != nil:
		return tasksOfPeers
	default:
		return treesOfPeers
	}
	for i, option := range r.Options[:max(0, len(r.Options)-1)] {
		if option == "--method" || option == "--recipe" {
			return r.Options[i+1]
		}
	}
	return auto
}

func write(w io.Writer, own tallies, head string) {
	fmt.Fprintf(w, `# Which records are of the code as it is

Made by `+"`go run ./bench/cmd/provenance`"+` at %s. A record of [benchmarks.md](benchmarks.md) tells its commit, or the time at which a build of a working tree ran, whose commit is the last one before. *Unchanged* are records since whose
commit no source file has other code in any package that the method is made of, with all packages of this module that it imports; tests do not count, and of Go neither do comments. Of other libraries' methods it is the script that fits them. Code that
has changed may still give the same model: [CHANGELOG.md](../CHANGELOG.md) says under **Changed** where it does not, and `+"`beziergp bench SUITE --again`"+` makes fits again to compare. *Made again* are those that code as it is now has made, which records
of another program have too; *the same* are those with the same scores to the last bit, and beside them stands the score that has changed most, in nats or relative to what it was.

`, head[:min(12, len(head))])
	markdown.Head(w, "method", "suite", "records", "unchanged", "of no known commit", "made again", "packages that have changed since, and for how many records")
	for _, at := range slices.SortedFunc(maps.Keys(own), func(a, b row) int {
		return cmp.Or(strings.Compare(a.method, b.method), strings.Compare(a.suite, b.suite))
	}) {
		t := own[at]
		markdown.Row(w, at.method, at.suite, t.records, t.same, t.unknown, t.again, most(t.changed))
	}
}

// shown are the packages that a row of the page names, at most.
const shown = 6

// most names those of the packages that most records are older than.
func most(changed map[string]int) string {
	dirs := slices.SortedFunc(maps.Keys(changed), func(a, b string) int {
		return cmp.Or(cmp.Compare(changed[b], changed[a]), strings.Compare(a, b))
	})
	var texts []string
	for _, dir := range dirs[:min(len(dirs), shown)] {
		texts = append(texts, fmt.Sprintf("%s (%d)", dir, changed[dir]))
	}
	if more := len(dirs) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

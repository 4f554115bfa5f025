// Mutation writes docs/mutation.md: of every package that gremlins has mutated, how many
// mutants a test has killed, and which ones live on and why that is no gap in the tests.
//
//	go run ./internal/mutation -out docs/mutation.md -tree REVISION folder
//
// The folder holds gremlins' JSON, a file a package named as the package with _ for /. The
// reasons are those of the document as it is, found again by the mutated line of code, so
// that lines may move; sections of other packages stay. A survivor without a reason is an
// error: it wants a test or a reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	out := flag.String("out", "docs/mutation.md", "the document")
	tree := flag.String("tree", "", "the revision of the tree that gremlins mutated, which the sections tell")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	open, err := update(ctx, *out, *tree, flag.Arg(0), test)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
	if open > 0 {
		fmt.Fprintf(os.Stderr, "mutation: %d survivors in %s have no reason: write a test or, in the last column, why there can be none\n", open, *out)
		os.Exit(1)
	}
}

// update writes the document again and returns how many survivors have no reason.
func update(ctx context.Context, document, tree, folder string, test tester) (open int, err error) {
	old, err := os.ReadFile(document)
	if err != nil {
		return 0, err
	}
	intro, sections := split(string(old))
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("there is no result of gremlins in %q: %v", folder, err)
	}
	for _, file := range files {
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".json"), "_", "/")
		r, err := read(ctx, file, name, test)
		if err != nil {
			return 0, err
		}
		sections[name] = r.section(tree, reasons(sections[name]))
	}
	text := intro
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		text += heading + name + "\n" + sections[name]
		open += strings.Count(sections[name], noReason)
	}
	return open, os.WriteFile(document, []byte(text), 0o644)
}

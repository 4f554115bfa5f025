// Mutation writes docs/mutation.md: how many mutants of packages a test has killed, and
// which ones live on and why that is no gap in the tests.
//
//	go run ./internal/mutation -out docs/mutation.md -tree REVISION package[,package…]…
//
// Of every argument the first package is mutated, and its tests are run with each mutant;
// those of the packages behind a comma, which import it, are run if its own tell nothing.
//
// All mutants of a package are in one test program (mutant schemata: Untch, Offutt and
// Harrold 1993), and a variable of the environment chooses one. A function with mutants has
// a copy for each; mutants outside functions have a program of their own. The tree is not
// touched: the compiler is given other text for its files.
//
// The reasons are those of the document as it is, found again by the mutated line of code,
// so that lines may move; sections of other packages stay. A survivor without a reason is
// an error: it wants a test or a reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "docs/mutation.md", "the document")
	tree := flag.String("tree", "", "the revision of the tree, which the sections tell")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	open := 0
	for _, argument := range flag.Args() {
		names := strings.Split(argument, ",")
		n, err := document(ctx, *out, *tree, names[0], names[1:])
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutation: %s: %v\n", names[0], err)
			os.Exit(1)
		}
		open += n
	}
	if open > 0 {
		fmt.Fprintf(os.Stderr, "mutation: %d survivors in %s have no reason: write a test or, in the last column, why there can be none\n", open, *out)
		os.Exit(1)
	}
}

// document mutates a package, writes its section and returns how many survivors have no reason.
func document(ctx context.Context, out, tree, name string, further []string) (open int, err error) {
	scratch, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	from := time.Now()
	mutants, err := mutate(ctx, filepath.FromSlash(name), further, scratch)
	if err != nil {
		return 0, err
	}
	open, err = update(out, tree, name, mutants)
	fmt.Printf("%s: %d mutants in %.0f s, %d survivors without a reason\n", name, len(mutants), time.Since(from).Seconds(), open)
	return open, err
}

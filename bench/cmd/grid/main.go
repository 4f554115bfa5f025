// Command grid fits generated tables of many sizes with the default recipe, beside
// least squares and the mean, and prints what each errs on rows that none has seen: a
// line a table, and at the end the tables on which the recipe lost. It exits with 1
// where a fit failed or least squares did clearly better.
//
//	go run ./bench/cmd/grid -out docs/grid.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"beziergp/bench/harness"
	"beziergp/train/auto"
)

func main() { harness.Main("grid", run) }

// block is a part of the grid: every kind with every number of rows and of inputs.
type block struct {
	name         string
	kinds        []string
	rows, inputs []int
}

var blocks = []block{
	{"small", kindNames(), []int{5, 20, 100, 1000, 10_000}, []int{1, 5, 50}},
	{"tall", []string{"linear", "wave", "tails", "noise"}, []int{100_000, 1_000_000}, []int{1, 5}},
	{"wide", []string{"linear", "all", "noise"}, []int{5, 100, 1000}, []int{2000}},
}

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	effort := flags.String("effort", string(auto.Fast), "fast, default or best")
	only := flags.String("blocks", "small,tall,wide", "parts of the grid, separated by commas")
	seed := flags.Uint64("seed", 0, "start of the random numbers, of tables and fits")
	out := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	var results []result
	for _, name := range strings.Split(*only, ",") {
		at := slices.IndexFunc(blocks, func(b block) bool { return b.name == name })
		if at < 0 {
			return fmt.Errorf("%q is no part of the grid: choose among small, tall and wide", name)
		}
		for _, k := range kinds {
			if !slices.Contains(blocks[at].kinds, k.name) {
				continue
			}
			for _, n := range blocks[at].rows {
				for _, d := range blocks[at].inputs {
					r := fit(ctx, k, n, d, auto.Recipe{Effort: auto.Effort(*effort), Seed: *seed})
					if err := ctx.Err(); err != nil {
						return err
					}
					r.row(os.Stderr)
					results = append(results, r)
				}
			}
		}
	}
	err := out.Write(func(w io.Writer) error { page(w, *effort, results); return nil })
	for _, r := range results {
		if r.lost() {
			err = errors.Join(err, errors.New(r.text()))
		}
	}
	return err
}

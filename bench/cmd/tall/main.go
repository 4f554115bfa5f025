// Command tall trains out of core, on tables that memory does not hold, and measures
// what that takes: a generated Parquet file and, where a PostgreSQL server is given, the same
// rows from a query.
//
//	go run ./bench/cmd/tall -rows 20000000 -out docs/tall.md
//	go run ./bench/cmd/tall -recipes paper,auto -memory 1GiB
//	go run ./bench/cmd/tall -rows 100000000 -ranks 2 -out docs/tallranks.md
//	go run ./bench/cmd/tall -rows 20000000 -postgres postgres://USER@HOST/DATABASE -postgres-rows 2000000
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

func main() { harness.Main("tall", run) }

const inputs = 10

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	rows := flags.Int("rows", 20_000_000, "rows of the Parquet file")
	url := flags.String("postgres", "", "URL of a PostgreSQL database to write to and read from; it gets a table beziergp_tall")
	urlRows := flags.Int("postgres-rows", 2_000_000, "rows of the PostgreSQL table")
	recipes := flags.String("recipes", "paper,auto", "what learns from the Parquet file, separated by commas")
	effort := flags.String("effort", "default", "of the recipe auto")
	memory := flags.String("memory", "1GiB", "what fit is given as --memory")
	dir := flags.String("dir", "", "directory for the files (default a temporary one, removed)")
	ranks := flags.Int("ranks", 0, "train the recipe paper on one rank and on so many, in turn, a processor each, from float32")
	steps := flags.Int("steps", 300, "of training, on ranks")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		made, err := os.MkdirTemp("", "tall-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		*dir = made
	}
	var tags []string
	if *ranks > 0 {
		tags = []string{"mpi"}
	}
	program, err := harness.Build(ctx, *dir, tags...)
	if err != nil {
		return err
	}
	file := filepath.Join(*dir, "tall.parquet")
	fmt.Fprintln(os.Stderr, "writing", *rows, "rows of Parquet")
	write := writeParquet[float64]
	if *ranks > 0 {
		write = writeParquet[float32]
	}
	if err := write(ctx, file, *rows); err != nil {
		return err
	}
	if *ranks > 0 {
		return onRanks(ctx, program, *ranks, *rows, *steps, *memory, file, page)
	}
	var measured []measure
	for _, recipe := range strings.Split(*recipes, ",") {
		m, err := fit(ctx, program, options(recipe, *effort, *rows), *memory, *rows, "Parquet", file)
		if err != nil {
			return err
		}
		measured = append(measured, m)
	}
	if *url != "" {
		fmt.Fprintln(os.Stderr, "writing", *urlRows, "rows to PostgreSQL")
		if err := writePostgres(ctx, *url, *urlRows); err != nil {
			return err
		}
		m, err := fit(ctx, program, options("paper", "", *urlRows), *memory, *urlRows, "PostgreSQL", "--from", *url, "--query", "SELECT * FROM beziergp_tall")
		if err != nil {
			return err
		}
		measured = append(measured, m)
	}
	return page.Write(func(w io.Writer) error { report(w, *memory, measured); return nil })
}

// measure is what a fit took.
type measure struct {
	source, recipe string
	rows           int
	harness.Outcome
}

// options are those of fit for a recipe: of the paper's for two epochs.
func options(recipe, effort string, rows int) []string {
	const batch = 4096
	if recipe != "paper" {
		return []string{"--recipe", recipe, "--effort", effort}
	}
	return []string{"--recipe", recipe, "--order", "5", "--learning-rate", "0.005", "--batch", fmt.Sprint(batch),
		"--steps", fmt.Sprint(2 * (rows * 99 / 100) / batch), "--no-checkpoint"}
}

// fit trains and measures the process.
func fit(ctx context.Context, program harness.Program, options []string, memory string, rows int, source string, data ...string) (measure, error) {
	recipe := options[1]
	fmt.Fprintln(os.Stderr, "training on", source, "by", recipe)
	all := append([]string{"fit", "--target", "y", "--memory", memory, "--holdout", "0.01", "--out", filepath.Join(program.Dir, "tall.bgp"), "--quiet"}, options...)
	out, err := program.Call(ctx, append(all, data...)...)
	if err == nil && out.Peak == 0 {
		err = errors.New("this system does not tell a process's memory")
	}
	return measure{source, recipe, rows, out}, err
}

func report(w io.Writer, memory string, measured []measure) {
	fmt.Fprintf(w, "# Tall tables, out of core\n\nMade by `go run ./bench/cmd/tall`, %s. `fit --memory %s` of a generated table of %d inputs and\n"+
		"y = Friedman's function with noise of deviation 1; one row in a hundred is held out and scored. The recipe paper (order 5, 20\n"+
		"orderings, batches of 4096) takes two epochs; the members of auto see every row but those of their fold of the sample. The time is that\n"+
		"of the whole command: reading, caching, training, scoring.\n\n",
		harness.System(), memory, inputs)
	markdown.Head(w, "source", "recipe", "rows", "as float64", "seconds", "peak resident memory", "RMSE held out", "95 % coverage")
	for _, m := range measured {
		markdown.Row(w, m.source, m.recipe, m.rows, fmt.Sprintf("%.2f GB", float64(m.rows)*(inputs+1)*8/1e9), fmt.Sprintf("%.0f", m.Seconds),
			fmt.Sprintf("%.0f MiB", float64(m.Peak)/(1<<20)), m.Score("rmse"), m.Score("coverage95"))
	}
}

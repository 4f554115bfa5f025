// Command tall trains on tables that memory does not hold and measures what that
// takes: a generated Parquet file and, where a PostgreSQL server is given, the same
// rows from a query.
//
//	go run ./bench/cmd/tall -rows 20000000 -out docs/tall.md
//	go run ./bench/cmd/tall -rows 20000000 -postgres postgres://USER@HOST/DATABASE -postgres-rows 2000000
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"beziergp/internal/atomicfile"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tall:", err)
		os.Exit(1)
	}
}

const inputs = 10

func run(args []string) error {
	flags := flag.NewFlagSet("tall", flag.ContinueOnError)
	rows := flags.Int("rows", 20_000_000, "rows of the Parquet file")
	url := flags.String("postgres", "", "URL of a PostgreSQL database to write to and read from; it gets a table beziergp_tall")
	urlRows := flags.Int("postgres-rows", 2_000_000, "rows of the PostgreSQL table")
	memory := flags.String("memory", "1GiB", "what fit is given as --memory")
	dir := flags.String("dir", "", "directory for the files (default a temporary one, removed)")
	out := flags.String("out", "", "write the page to this file instead of standard output")
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
	program := filepath.Join(*dir, "beziergp")
	if text, err := exec.Command("go", "build", "-o", program, "./cmd/beziergp").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	var measured []measure
	file := filepath.Join(*dir, "tall.parquet")
	fmt.Fprintln(os.Stderr, "writing", *rows, "rows of Parquet")
	if err := writeParquet(file, *rows); err != nil {
		return err
	}
	m, err := fit(program, *dir, *memory, *rows, "Parquet", file)
	if err != nil {
		return err
	}
	measured = append(measured, m)
	if *url != "" {
		fmt.Fprintln(os.Stderr, "writing", *urlRows, "rows to PostgreSQL")
		if err := writePostgres(context.Background(), *url, *urlRows); err != nil {
			return err
		}
		m, err := fit(program, *dir, *memory, *urlRows, "PostgreSQL", "--from", *url, "--query", "SELECT * FROM beziergp_tall")
		if err != nil {
			return err
		}
		measured = append(measured, m)
	}
	write := func(w io.Writer) error { return report(w, *memory, measured) }
	if *out == "" {
		return write(os.Stdout)
	}
	return atomicfile.WriteFile(*out, write)
}

// measure is what a fit took.
type measure struct {
	source  string
	rows    int
	seconds float64
	peak    int64 // resident, in bytes
	scores  string
}

// fit trains for two epochs and measures the process.
func fit(program, dir, memory string, rows int, source string, data ...string) (measure, error) {
	const batch = 4096
	fmt.Fprintln(os.Stderr, "training on", source)
	args := append([]string{"fit", "--target", "y", "--memory", memory, "--recipe", "paper", "--order", "5",
		"--learning-rate", "0.005", "--batch", fmt.Sprint(batch), "--steps", fmt.Sprint(2 * (rows * 99 / 100) / batch), "--holdout", "0.01",
		"--out", filepath.Join(dir, "tall.bgp"), "--no-checkpoint", "--quiet"}, data...)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	var scores bytes.Buffer
	cmd.Stdout, cmd.Stderr = &scores, os.Stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return measure{}, err
	}
	most, ok := peak(cmd.ProcessState)
	if !ok {
		return measure{}, errors.New("this system does not tell a process's memory")
	}
	return measure{source, rows, time.Since(began).Seconds(), most, scores.String()}, nil
}

func report(w io.Writer, memory string, measured []measure) error {
	fmt.Fprintf(w, "# Tall tables\n\nMade by `go run ./bench/cmd/tall`, %s/%s, %d processors. `fit --memory %s` with the recipe paper (order 5, 20 orderings,\n"+
		"batches of 4096), two epochs, of a generated table of %d inputs and y = Friedman's function with noise of deviation 1; one row in a\n"+
		"hundred is held out and scored. The time is that of the whole command: reading, caching, training, scoring.\n\n"+
		"| source | rows | as float64 | seconds | peak resident memory | RMSE held out | 95 %% coverage |\n|---|---|---|---|---|---|---|\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), memory, inputs)
	for _, m := range measured {
		fmt.Fprintf(w, "| %s | %d | %.2f GB | %.0f | %.0f MiB | %s | %s |\n", m.source, m.rows, float64(m.rows)*(inputs+1)*8/1e9, m.seconds,
			float64(m.peak)/(1<<20), score(m.scores, "rmse"), score(m.scores, "coverage95"))
	}
	return nil
}

// score returns one of the scores that fit prints.
func score(text, name string) string {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == name {
			return fields[1]
		}
	}
	return "-"
}

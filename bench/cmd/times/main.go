// Command times fits generated tables of the sizes for which the recipe keeps to a time,
// with every kind of target and with inputs that are hard for it, and writes what each
// took beside that time. It exits with 1 where a fit failed or took longer.
//
//	go run ./bench/cmd/times -effort fast
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

func main() { harness.Main("times", run) }

// most are the seconds that a fit by an effort takes at most on two cores.
var most = map[string]float64{"fast": 15, "default": 120}

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	effort := flags.String("effort", "fast", "fast or default")
	only := flags.String("only", "", "fit only tables whose name has this text in it, as 100000×50, gaps or count")
	seed := flags.Uint64("seed", 0, "start of the random numbers, of tables and fits")
	binary := flags.String("program", "", "measure this program and not that of the checkout")
	tables := flags.String("tables", "", "keep the tables in this directory, and take those that it has")
	out := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	limit, known := most[*effort]
	if !known {
		return fmt.Errorf("-effort %q has no time to keep to: choose fast or default", *effort)
	}
	dir, err := os.MkdirTemp("", "times-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := harness.Program{Path: *binary, Name: *binary, Dir: dir}
	if *binary == "" {
		if program, err = harness.Build(ctx, dir); err != nil {
			return err
		}
	}
	if *tables == "" {
		*tables = dir
	}
	var results []result
	for _, s := range shapes() {
		if !strings.Contains(s.name(), *only) {
			continue
		}
		r := fit(ctx, program, s, *tables, *effort, *seed)
		if err := ctx.Err(); err != nil {
			return err
		}
		r.row(os.Stderr, limit)
		results = append(results, r)
	}
	if results == nil {
		return fmt.Errorf("no table's name has %q in it", *only)
	}
	var text bytes.Buffer
	page(&text, *effort, limit, results)
	err = out.Write(func(w io.Writer) error { _, err := text.WriteTo(w); return err })
	for _, r := range results {
		if r.err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", r.name(), r.err))
		} else if r.seconds > limit {
			err = errors.Join(err, fmt.Errorf("%s took %.1f s, more than %g s", r.name(), r.seconds, limit))
		}
	}
	return err
}

// page writes all results and what the tables are.
func page(w io.Writer, effort string, limit float64, results []result) {
	fmt.Fprintf(w, "# Times of fits\n\nMade by `go run ./bench/cmd/times -effort %s`, %s: one `fit` each of a generated CSV file, reading it and writing the model included.\n", effort, harness.System())
	fmt.Fprintf(w, "A fit keeps to %g s on two cores. *Processors* are those that it kept busy in the mean, *beside* those that other programs did.\n", limit)
	fmt.Fprintf(w, "The score is out of fold: NLPD of numbers, log loss of classes, deviance of counts and amounts.\n\n")
	for _, k := range kinds {
		fmt.Fprintf(w, "- %s: %s.\n", k.name, k.about)
	}
	fmt.Fprintln(w)
	markdown.Head(w, "table", "inputs", "target", "score", "seconds", "processors", "beside", "")
	for _, r := range results {
		r.row(w, limit)
	}
}

// Command tables fits and scores tables as people have them, text, gaps and all, each
// with one command, and writes what came of it.
//
//	go run ./bench/cmd/tables -data DIR -out docs/tables.md
package main

import (
	"bytes"
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

func main() { harness.Main("tables", run) }

// job is a table and what fit is told of it; DIR stands for the data's directory.
type job struct {
	title, about string
	args         []string
}

var jobs = []job{
	{"beijing_air", "420768 rows; numbers with gaps, a wind direction and a station", []string{
		"DIR/beijing_air/data.csv.gz", "--target", "PM2.5", "--exclude", "No", "--holdout", "0.1"}},
	{"flights", "303748 rows; carriers, origins, 109 destinations and 4126 tail numbers; what is known only after take-off is excluded", []string{
		"DIR/flights/data.csv.gz", "--target", "arr_delay", "--exclude", "dep_delay,dep_time,arr_time,air_time", "--holdout", "0.1"}},
	{"blogfeedback", "60021 rows of 280 inputs, test rows by date; the count itself", []string{
		"DIR/blogfeedback/data.csv.gz", "--target", "y", "--test-mask", "DIR/blogfeedback/test_mask.csv.gz:split0"}},
	{"blogfeedback, log1p", "the same, learned on log(1 + y) and mapped back", []string{
		"DIR/blogfeedback/data.csv.gz", "--target", "y", "--test-mask", "DIR/blogfeedback/test_mask.csv.gz:split0", "--target-transform", "log1p"}},
	{"sgemm", "241600 rows of 14 small grids; the first run's milliseconds, learned on their logarithm", []string{
		"DIR/sgemm/data.csv.gz", "--target", "Run1 (ms)", "--exclude", "Run2 (ms),Run3 (ms),Run4 (ms)", "--target-transform", "log1p", "--holdout", "0.1"}},
}

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	data := flags.String("data", "", "directory of the data sets, NAME/data.csv.gz each")
	effort := flags.String("effort", "default", "of the recipe")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *data == "" {
		return errors.New("-data is missing: name the directory of the data sets")
	}
	dir, err := os.MkdirTemp("", "tables-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := harness.Build(ctx, dir)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Tables as people have them\n\nMade by `go run ./bench/cmd/tables -data DIR -effort %s`, %s: one `fit` each on the files as they are, scored on rows held out.\n\n",
		*effort, harness.System())
	markdown.Head(&text, "table", "command", "n scored", "RMSE", "NLPD", "CRPS", "95 % coverage", "seconds")
	for _, j := range jobs {
		fmt.Fprintln(os.Stderr, j.title)
		row, err := j.run(ctx, program, *data, *effort)
		if err != nil {
			return fmt.Errorf("%s: %w", j.title, err)
		}
		markdown.Row(&text, row)
	}
	fmt.Fprintln(&text)
	for _, j := range jobs {
		fmt.Fprintf(&text, "- %s: %s.\n", j.title, j.about)
	}
	return page.Write(func(w io.Writer) error { _, err := text.WriteTo(w); return err })
}

// run fits and scores, and returns a row of the page.
func (j job) run(ctx context.Context, program harness.Program, data, effort string) ([]string, error) {
	var args, shown []string
	mask := ""
	for i, a := range j.args {
		if i > 0 && j.args[i-1] == "--test-mask" {
			mask = strings.ReplaceAll(a, "DIR", data)
		}
		args = append(args, strings.ReplaceAll(a, "DIR", data))
		if shown = append(shown, strings.TrimPrefix(a, "DIR/")); strings.ContainsAny(a, " ,()") {
			shown[len(shown)-1] = "'" + a + "'"
		}
	}
	model := filepath.Join(program.Dir, "m.bgp")
	fitted, err := program.Call(ctx, append([]string{"fit", "--effort", effort, "--out", model, "--quiet"}, args...)...)
	if err != nil {
		return nil, err
	}
	scored := fitted
	if mask != "" {
		if scored, err = program.Call(ctx, "eval", model, args[0], "--test-mask", mask, "--quiet"); err != nil {
			return nil, err
		}
	}
	return []string{j.title, "`fit " + strings.Join(shown, " ") + "`", scored.Score("n"), scored.Score("rmse"), scored.Score("nlpd"),
		scored.Score("crps"), scored.Score("coverage95"), fmt.Sprintf("%.0f", fitted.Seconds)}, nil
}

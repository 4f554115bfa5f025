// Command tables fits and scores tables as people have them, text, gaps and all, each
// with one command, and writes what came of it.
//
//	go run ./bench/cmd/tables -data DIR -out docs/tables.md
package main

import (
	"bytes"
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
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

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
		"DIR/blogfeedback/data.csv.gz", "--target", "y", "--test-mask", "DIR/blogfeedback/test_mask.csv.gz:MASK"}},
	{"blogfeedback, log1p", "the same, learned on log(1 + y) and mapped back", []string{
		"DIR/blogfeedback/data.csv.gz", "--target", "y", "--test-mask", "DIR/blogfeedback/test_mask.csv.gz:MASK", "--target-transform", "log1p"}},
	{"sgemm", "241600 rows of 14 small grids; the first run's milliseconds, learned on their logarithm", []string{
		"DIR/sgemm/data.csv.gz", "--target", "Run1 (ms)", "--exclude", "Run2 (ms),Run3 (ms),Run4 (ms)", "--target-transform", "log1p", "--holdout", "0.1"}},
}

func run(args []string) error {
	flags := flag.NewFlagSet("tables", flag.ContinueOnError)
	data := flags.String("data", "", "directory of the data sets, NAME/data.csv.gz each")
	effort := flags.String("effort", "default", "of the recipe")
	out := flags.String("out", "", "write the page to this file instead of standard output")
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
	program := filepath.Join(dir, "beziergp")
	if text, err := exec.Command("go", "build", "-o", program, "./cmd/beziergp").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Tables as people have them\n\nMade by `go run ./bench/cmd/tables -data DIR -effort %s`, %s/%s, %d processors: one `fit` each on the files as they are, scored on rows held out.\n\n"+
		"| table | command | n scored | RMSE | NLPD | CRPS | 95 %% coverage | seconds |\n|---|---|---|---|---|---|---|---|\n", *effort, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, j := range jobs {
		fmt.Fprintln(os.Stderr, j.title)
		line, err := j.run(program, *data, filepath.Join(dir, "m.bgp"), *effort)
		if err != nil {
			return fmt.Errorf("%s: %w", j.title, err)
		}
		page.WriteString(line)
	}
	page.WriteString("\n")
	for _, j := range jobs {
		fmt.Fprintf(&page, "- %s: %s.\n", j.title, j.about)
	}
	write := func(w io.Writer) error { _, err := page.WriteTo(w); return err }
	if *out == "" {
		return write(os.Stdout)
	}
	return atomicfile.WriteFile(*out, write)
}

// run fits and scores, and returns a line of the page.
func (j job) run(program, data, model, effort string) (string, error) {
	var args, shown []string
	mask := ""
	for _, a := range j.args {
		if at, ok := strings.CutSuffix(a, ":MASK"); ok {
			name, err := firstColumn(program, strings.ReplaceAll(at, "DIR", data))
			if err != nil {
				return "", err
			}
			a = at + ":" + name
			mask = strings.ReplaceAll(a, "DIR", data)
		}
		args = append(args, strings.ReplaceAll(a, "DIR", data))
		if shown = append(shown, strings.TrimPrefix(a, "DIR/")); strings.ContainsAny(a, " ,()") {
			shown[len(shown)-1] = "'" + a + "'"
		}
	}
	began := time.Now()
	scores, err := output(exec.Command(program, append([]string{"fit", "--effort", effort, "--out", model, "--quiet"}, args...)...))
	if err != nil {
		return "", err
	}
	seconds := time.Since(began).Seconds()
	if mask != "" {
		if scores, err = output(exec.Command(program, "eval", model, args[0], "--test-mask", mask, "--quiet")); err != nil {
			return "", err
		}
	}
	values := map[string]string{}
	for line := range strings.Lines(scores) {
		if fields := strings.Fields(line); len(fields) == 2 {
			values[fields[0]] = fields[1]
		}
	}
	return fmt.Sprintf("| %s | `fit %s` | %s | %s | %s | %s | %s | %.0f |\n", j.title, strings.Join(shown, " "),
		values["n"], values["rmse"], values["nlpd"], values["crps"], values["coverage95"], seconds), nil
}

// firstColumn returns the name of a table's first column.
func firstColumn(program, path string) (string, error) {
	text, err := output(exec.Command(program, "describe", path, "--quiet"))
	if err != nil {
		return "", err
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || len(strings.Fields(lines[3])) == 0 {
		return "", fmt.Errorf("%s: no column is described", path)
	}
	return strings.Fields(lines[3])[0], nil
}

func output(cmd *exec.Cmd) (string, error) {
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	return string(text), err
}

// Command paper reruns the Bézier GP's rows of the paper's Table 1: for every data
// set and split, `beziergp fit --recipe paper` and `beziergp eval`, order 20 and 20
// orderings. Finished fits are kept in a file of JSON lines, one a record, so that a
// stopped run goes on where it was; the table is rendered from that file.
//
//	go run ./bench/paper -data ../shared/data -out docs/paper-table1
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "paper:", err)
		os.Exit(1)
	}
}

// splits is the number of splits that a set is fitted on: ten of the small sets,
// five of those over 5000 rows.
var splits = []struct {
	set   string
	count int
}{
	{"energy", 10}, {"concrete", 10}, {"boston", 10},
	{"power", 5}, {"bike", 5}, {"elevators", 5}, {"protein", 5}, {"keggdirected", 5},
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("paper", flag.ContinueOnError)
	data := flags.String("data", "../shared/data", "folder of the data sets: NAME/data.csv.gz and NAME/test_mask.csv.gz")
	out := flags.String("out", "docs/paper-table1", "records go to OUT.jsonl, the table to OUT.md")
	sets := flags.String("sets", "", "the sets to fit, separated by commas (default: all)")
	fit := flags.String("fit", "", "further options of `beziergp fit`, separated by blanks")
	most := flags.Int("splits", 0, "at most so many splits a set (default: 10 of the small sets, 5 of the others)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "paper")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "beziergp")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/beziergp").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	records, err := readRecords(*out + ".jsonl")
	if err != nil {
		return err
	}
	r := runner{program: program, data: *data, work: work, options: strings.Fields(*fit)}
	for _, s := range splits {
		if *sets != "" && !strings.Contains(","+*sets+",", ","+s.set+",") {
			continue
		}
		count := s.count
		if *most > 0 {
			count = min(count, *most)
		}
		for split := range count {
			if has(records, s.set, split) {
				continue
			}
			record, err := r.fit(ctx, s.set, split)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s split %d: RMSE %.4f, log-likelihood %.4f, %.0f s\n", record.Set, record.Split, record.RMSE, -record.NLPD, record.Seconds)
			if err := appendRecord(*out+".jsonl", record); err != nil {
				return err
			}
			records = append(records, record)
		}
	}
	return render(*out+".md", records)
}

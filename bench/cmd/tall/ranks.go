package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
)

// onRanks trains on one rank and on several, each bound to a processor of its own, and refuses models
// that differ.
func onRanks(ctx context.Context, program harness.Program, ranks, rows, steps int, memory, file string, page *harness.Page) error {
	var outcomes []harness.Outcome
	var first []byte
	for _, size := range []int{1, ranks} {
		fmt.Fprintln(os.Stderr, "training on", size, "ranks")
		program.Launch = []string{"mpirun", "--bind-to", "core", "-n", strconv.Itoa(size)}
		model := filepath.Join(program.Dir, "tall.bgp")
		o, err := program.Call(ctx, "fit", file, "--target", "y", "--memory", memory, "--recipe", "paper", "--order", "5", "--learning-rate", "0.005",
			"--batch", "4096", "--steps", strconv.Itoa(steps), "--no-checkpoint", "--workers", "1", "--out", model)
		if err != nil {
			return err
		}
		written, err := os.ReadFile(model)
		if err != nil {
			return err
		}
		if size > 1 && !bytes.Equal(written, first) {
			return errors.New("the ranks' model is not that of one rank")
		}
		first, outcomes = written, append(outcomes, o)
	}
	return page.Write(func(w io.Writer) error {
		fmt.Fprintf(w, "# A tall table on several ranks\n\nMade by `go run ./bench/cmd/tall -rows %d -ranks %d`, %s. `fit --recipe paper --memory %s` of a Parquet file of\n"+
			"%d generated rows of %d inputs and a target as float32: order 5, 20 orderings, %d steps of 4096 rows. A rank has one processor. The time is that of the\n"+
			"whole command: reading, caching, training, and the noise from all rows. The models are equal to the bit.\n\n",
			rows, ranks, harness.System(), memory, rows, inputs, steps)
		markdown.Head(w, "ranks", "seconds", "processor time, s", "processors busy with other work", "peak resident memory of a rank")
		for i, size := range []int{1, ranks} {
			o, others := outcomes[i], "unknown"
			if o.Beside != nil {
				others = fmt.Sprintf("%.2f", *o.Beside)
			}
			markdown.Row(w, size, fmt.Sprintf("%.0f", o.Seconds), fmt.Sprintf("%.0f", o.CPU), others, fmt.Sprintf("%.0f MiB", float64(o.Peak)/(1<<20)))
		}
		return nil
	})
}

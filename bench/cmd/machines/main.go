// Command machines plans one surface on many ranks on paper: what a step takes by a formula and
// by a simulation of its messages. Under mpirun, built with the tag mpi, it measures the formula's
// latency and bandwidth, and a step, instead:
//
//	go run ./bench/cmd/machines -latency 50us -adding 6e8 -out docs/machines.md
//	go build -tags mpi -o machines ./bench/cmd/machines && mpirun -n 2 ./machines
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"beziergp/bench/harness"
	"beziergp/bench/markdown"
	"beziergp/internal/comm"
)

func main() { harness.Main("machines", run) }

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	rows := flags.Float64("rows", 1e9, "rows of the table")
	batch := flags.Float64("batch", 1<<16, "rows of a step")
	inputs := flags.Float64("inputs", 100, "columns")
	nodes := flags.Float64("nodes", 20, "of an input")
	orderings := flags.Int("orderings", 192, "of which a rank has one at least")
	work := flags.Float64("work", 6, "products and sums of a row and a weight")
	speed := flags.Float64("speed", 32*50e9, "products and sums a second of a rank")
	spread := flags.Float64("spread", 0.05, "mean share of its time by which a rank is late")
	latency := flags.Duration("latency", 50*time.Microsecond, "of a message, α")
	adding := flags.Float64("adding", 0.6e9, "bytes of values that a rank reads and adds a second")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	ranks, err := comm.World()
	if err != nil {
		return err
	}
	if ranks.Size() > 1 {
		return measured(ctx, ranks)
	}
	const points, together = 128, 8 // a tile, and the tiles of an exchange
	weights := 2 * float64(*orderings) * (*inputs - 1) * *nodes * *nodes
	s := step{
		Work: *batch * weights * *work / *speed, Spread: *spread, Values: 8 * float64(*orderings) * *batch,
		Exchanges: int(math.Ceil(*batch/(points*together))) + 2, Latency: latency.Seconds(), Adding: *adding,
	}
	return page.Write(func(w io.Writer) error { write(w, s, *orderings, *rows, *batch, weights, *speed); return nil })
}

// measured measures messages and a step, and ends the ranks.
func measured(ctx context.Context, ranks comm.Comm) error {
	words, code := "", 0
	if err := measure(ctx, ranks, os.Stdout); err != nil {
		words, code = err.Error(), 1
	}
	if code = comm.End(ranks, code, words, func(w string) { fmt.Fprintln(os.Stderr, w) }); code != 0 {
		return fmt.Errorf("the ranks end with the code %d: %s", code, words)
	}
	return nil
}

func write(w io.Writer, s step, orderings int, rows, batch, weights, speed float64) {
	fmt.Fprintf(w, `# One surface on many ranks, on paper

Made by `+"`go run ./bench/cmd/machines`"+`: nothing here was run on more than one machine. %.3g rows in steps of %.0f, %d orderings, which are %.3g weights, %.3g
products and sums a second and rank (32 cores at 50 GFLOP/s, of the 118 that are a core's peak in [performance](performance.md)): a step is %.3g s of arithmetic on one rank, an
epoch %.3g hours, and has %.0f MB of values of orderings at rows, in %d exchanges. α = %v, a rank reads and adds %.3g GB of values a second, with one core, and is late by %.0f %% of its
time on average. *Simulated* is message by message. There are no more ranks than orderings.

`, rows, batch, orderings, weights, speed, s.Work, rows/batch*s.Work/3600, s.Values/1e6, s.Exchanges, time.Duration(s.Latency*1e9), s.Adding/1e9, 100*s.Spread)
	markdown.Head(w, "ranks", "10 Gb/s: step, s", "simulated", "efficiency", "epoch, h", "100 Gb/s: step, s", "simulated", "efficiency", "epoch, h")
	rng := rand.New(rand.NewPCG(1, 2))
	for ranks := 1; ranks <= orderings; ranks *= 2 {
		row := []any{ranks}
		for _, bits := range []float64{10e9, 100e9} {
			s.Bandwidth = bits / 8
			t := s.time(ranks)
			row = append(row, fmt.Sprintf("%.3g", t), fmt.Sprintf("%.3g", s.simulate(ranks, max(5, 200/ranks), rng)),
				fmt.Sprintf("%.0f %%", 100*s.Work/(float64(ranks)*t)), fmt.Sprintf("%.3g", rows/batch*t/3600))
		}
		markdown.Row(w, row...)
	}
	fmt.Fprintln(w)
	for _, bits := range []float64{10e9, 100e9} {
		s.Bandwidth = bits / 8
		fmt.Fprintf(w, "At %.0f Gb/s the last doubling that takes a quarter of the time away is that to %d ranks.\n", bits/1e9, s.pays(orderings))
	}
}

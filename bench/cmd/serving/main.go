// Command serving measures `beziergp serve` beside MLServer, which serves a Gaussian process
// of scikit-learn fitted to the same rows: requests of one row, and 10⁵ rows at once beside
// the library. Servers, clients and all else share one machine.
//
//	python3 -m venv env && env/bin/pip install mlserver==1.7.1 mlserver-sklearn==1.7.1 'uvloop<0.22'
//	go run ./bench/cmd/serving -python env/bin/python -out docs/serving.md
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"beziergp/bench/harness"
)

func main() { harness.Main("serving", run) }

const inputs = 10

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	python := flags.String("python", "", "interpreter of an environment with mlserver and mlserver-sklearn; empty for this program alone")
	workers := flags.Int("mlserver-workers", 1, "processes of MLServer that predict (its own default is 1)")
	rows := flags.Int("rows", 1000, "rows that both learn from")
	rounds := flags.Int("rounds", 3, "how often servers take turns")
	seconds := flags.Float64("seconds", 5, "how long each is asked at a time")
	page := harness.PageFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "serving-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := harness.Build(ctx, dir)
	if err != nil {
		return err
	}
	table := filepath.Join(dir, "friedman.csv")
	if err := os.WriteFile(table, []byte(friedman(*rows)), 0o600); err != nil {
		return err
	}
	model := filepath.Join(dir, "friedman.bgp")
	if _, err := program.Call(ctx, "fit", table, "--target", "y", "--out", model, "--quiet"); err != nil {
		return err
	}
	own, err := startOwn(ctx, program.Path, model)
	if err != nil {
		return err
	}
	defer own.stop()
	servers := []*measured{{running: own}}
	if *python != "" {
		path, err := filepath.Abs(*python)
		if err != nil {
			return err
		}
		peer, err := startPeer(ctx, path, table, dir, *workers)
		if err != nil {
			return err
		}
		defer peer.stop()
		servers = append(servers, &measured{running: peer})
	}
	for round := range *rounds {
		for _, s := range servers {
			fmt.Fprintln(os.Stderr, "round", round+1, s.name)
			if err := s.measure(ctx, time.Duration(*seconds*float64(time.Second)), uint64(round)); err != nil {
				return err
			}
		}
	}
	if len(servers) > 1 {
		fmt.Fprintln(os.Stderr, "at the same rate")
		if err := servers[0].same(ctx, servers[1], time.Duration(*seconds*float64(time.Second))); err != nil {
			return err
		}
	}
	tall, err := measureTall(ctx, own.url, model)
	if err != nil {
		return err
	}
	return page.Write(func(w io.Writer) error { report(w, *rows, *workers, servers, tall); return nil })
}

// friedman returns a table of Friedman's function with noise of deviation 1, and five inputs
// that count for nothing.
func friedman(rows int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for k := range inputs {
		fmt.Fprintf(&b, "x%d,", k)
	}
	b.WriteString("y\n")
	for range rows {
		x := row(random)
		for _, v := range x {
			fmt.Fprintf(&b, "%g,", v)
		}
		fmt.Fprintf(&b, "%g\n", 10*math.Sin(math.Pi*x[0]*x[1])+20*(x[2]-0.5)*(x[2]-0.5)+10*x[3]+5*x[4]+random.NormFloat64())
	}
	return b.String()
}

func row(random *rand.Rand) []float64 {
	x := make([]float64, inputs)
	for k := range x {
		x[k] = random.Float64()
	}
	return x
}

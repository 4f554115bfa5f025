// Command speed measures training and prediction against the machine's arithmetic
// limit, and how their time grows with the size of a table and of a model.
//
//	go run ./bench/cmd/speed -out docs/performance.md
//
// With -peer m,d,r,B,workers it prints the figures of one shape as JSON, for a
// comparison with another program (bench/peers).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"time"

	"beziergp/bench/harness"
	"beziergp/internal/simd"
)

func main() { harness.Main("speed", run) }

func run(ctx context.Context, flags *flag.FlagSet, args []string) error {
	page := harness.PageFlag(flags)
	least := flags.Duration("time", time.Second, "time that each figure is measured for, at least")
	peer := flags.String("peer", "", "print the figures of one shape, m,d,r,B,workers, as JSON")
	tier := flags.Bool("tier", false, "print the figures of the instruction set in use as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *peer != "":
		return printPeer(*peer, *least)
	case *tier:
		all := shapes()
		if simd.Tier() == "generic" {
			all = all[:1]
		}
		return json.NewEncoder(os.Stdout).Encode(measureTier(all, *least))
	}
	var tiers []tierSpeeds
	for _, name := range simd.Tiers() {
		fmt.Fprintln(os.Stderr, "measuring", name)
		t, err := runTier(ctx, name, *least)
		if err != nil {
			return err
		}
		tiers = append(tiers, t)
	}
	fmt.Fprintln(os.Stderr, "measuring how time grows")
	all, err := scalings(ctx, *least)
	if err != nil {
		return err
	}
	return page.Write(func(w io.Writer) error { report(w, tiers, all); return nil })
}

// runTier measures one instruction set in a process of its own: which one is in use
// is settled when a process starts.
func runTier(ctx context.Context, name string, least time.Duration) (tierSpeeds, error) {
	self, err := os.Executable()
	if err != nil {
		return tierSpeeds{}, err
	}
	c := exec.CommandContext(ctx, self, "-tier", "-time", least.String())
	c.Env = append(os.Environ(), "BEZIERGP_KERNEL="+name)
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		return tierSpeeds{}, fmt.Errorf("tier %s: %w", name, err)
	}
	var t tierSpeeds
	if err := json.Unmarshal(text, &t); err != nil {
		return t, err
	}
	if t.Tier != name {
		return t, fmt.Errorf("tier %s ran as %s", name, t.Tier)
	}
	return t, nil
}

// printPeer prints times, the sum of f times the cotangent, and the norm of the
// gradient.
func printPeer(text string, least time.Duration) error {
	var m, d, r, batch, workers int
	if n, err := fmt.Sscanf(text, "%d,%d,%d,%d,%d", &m, &d, &r, &batch, &workers); n != 5 || err != nil || min(m, d, r, batch, workers) < 1 {
		return errors.New("-peer: write m,d,r,B,workers, whole numbers from 1")
	}
	s := uniform(m, d)
	s.buttresses, s.batch = r, batch
	pool := simd.NewPool(workers)
	defer pool.Close()
	c := newChain(s, pool)
	figures := map[string]any{
		"tier":            simd.Tier(),
		"forward_seconds": median(c.forward, least),
		"both_seconds":    median(c.both, least),
	}
	var sum, squares float64
	for p, f := range c.f {
		sum += float64(f) * float64(c.cotangent[p])
	}
	for _, g := range c.dw {
		squares += float64(g) * float64(g)
	}
	figures["sum"], figures["gradient"] = sum, math.Sqrt(squares)
	return json.NewEncoder(os.Stdout).Encode(figures)
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// measured is a server and what was measured of it, a number a round.
type measured struct {
	*running
	capacity        []float64       // requests a second that clients get who ask at once
	alone           []time.Duration // median of one client
	half50, half99  []time.Duration // at half the capacity, open loop
	halfRate        []float64
	same50, same99  time.Duration // at half the peer's capacity
	refused, failed int
}

// clients is how many ask at once where as much as possible is asked.
const clients = 32

// one is a request of one row, the same for both servers.
func one() []byte {
	x := row(rand.New(rand.NewPCG(3, 4)))
	return []byte(`{"inputs": [{"name": "all", "shape": [1, 10], "datatype": "FP64", "data": [` + strings.Trim(strings.ReplaceAll(fmt.Sprint(x), " ", ","), "[]") + `]}]}`)
}

func (m *measured) target() *target {
	return newTarget(strings.TrimPrefix(m.url, "http://"), "/v2/models/friedman/infer", one())
}

// measure measures a round: a client alone, as many as can be, and half of that.
func (m *measured) measure(ctx context.Context, d time.Duration, seed uint64) error {
	t := m.target()
	defer t.close()
	if _, err := t.closed(ctx, clients, d/5); err != nil { // to warm up
		return err
	}
	alone, err := t.closed(ctx, 1, d/2)
	if err != nil {
		return err
	}
	busy, err := t.closed(ctx, clients, d)
	if err != nil {
		return err
	}
	rate := float64(len(busy)) / d.Seconds()
	half := t.open(ctx, rate/2, d, seed)
	if half.first != nil {
		return half.first
	}
	m.alone = append(m.alone, alone.quantile(0.5))
	m.capacity = append(m.capacity, rate)
	m.halfRate = append(m.halfRate, rate/2)
	m.half50, m.half99 = append(m.half50, half.quantile(0.5)), append(m.half99, half.quantile(0.99))
	m.refused, m.failed = m.refused+half.refused, m.failed+half.failed
	return nil
}

// same asks as often as half of what another server can do.
func (m *measured) same(ctx context.Context, other *measured, d time.Duration) error {
	t := m.target()
	defer t.close()
	got := t.open(ctx, middle(other.capacity)/2, d, 9)
	m.same50, m.same99 = got.quantile(0.5), got.quantile(0.99)
	return got.first
}

// middle returns the median.
func middle[T float64 | time.Duration](all []T) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

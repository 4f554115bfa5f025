//go:build !lean

package fit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"beziergp/bench/data"
	"beziergp/cmd/beziergp/internal/console"
	"beziergp/cmd/beziergp/internal/streams"
	"beziergp/internal/comm"
)

// writeRows writes 12 columns of so many rows in row groups of 3000; some rows have no target, and the
// weight of one row, from 1 on, is none.
func writeRows(t *testing.T, path string, rows int, seed uint64, weightless int) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	names := []string{"y", "w"}
	for j := range 10 {
		names = append(names, fmt.Sprint("x", j))
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	row := 0
	err = data.WriteParquet(out, names, rows, 3000, func(columns [][]float64) error {
		for i := range columns[0] {
			row++
			y := 0.1 * rng.NormFloat64()
			for j := 2; j < len(columns); j++ {
				columns[j][i] = rng.Float64()
				y += columns[j][i] / float64(j)
			}
			if rng.IntN(500) == 0 {
				y = math.NaN()
			}
			if columns[0][i], columns[1][i] = y, 0.5+rng.Float64(); row == weightless {
				columns[1][i] = -1
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fitOnRanks runs fit as every one of so many ranks, and returns the model that rank 0 writes.
func fitOnRanks(t *testing.T, size int, table string, change func(rank int, o *Options)) ([]byte, []error) {
	t.Helper()
	dir, errs := t.TempDir(), make([]error, size)
	var all sync.WaitGroup
	for r, ranks := range comm.Group(size) {
		o := NewOptions()
		o.Target, o.Recipe, o.Weights, o.Workers, o.NoKept = "y", recipePaper, "w", 1, true
		o.Paper.Orderings, o.Paper.Steps, o.Paper.Order, o.Paper.Batch = 4, 12, 3, 400
		o.Out = filepath.Join(dir, "model.bgp")
		if change != nil {
			change(r, o)
		}
		s := streams.Streams{In: strings.NewReader(""), Out: io.Discard, Console: console.New(io.Discard)}
		if size > 1 {
			s.Ranks = ranks
		}
		all.Go(func() { errs[r] = Run(context.Background(), s, table, o) })
	}
	all.Wait()
	model, _ := os.ReadFile(filepath.Join(dir, "model.bgp"))
	return model, errs
}

// Ranks that each read a part of a table write the model of one process, from caches that they keep,
// too, of which a missing one is written again.
func TestRanksReadPartsOfATable(t *testing.T) {
	table, cache := filepath.Join(t.TempDir(), "t.parquet"), filepath.Join(t.TempDir(), "rows")
	writeRows(t, table, 20_000, 1, 0)
	want, errs := fitOnRanks(t, 1, table, func(_ int, o *Options) { o.Cache = cache })
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	same := func(what string, size int, change func(rank int, o *Options)) {
		t.Helper()
		got, errs := fitOnRanks(t, size, table, change)
		for r, err := range errs {
			if err != nil {
				t.Fatalf("%s: rank %d: %v", what, r, err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d ranks write another model", what, size)
		}
	}
	keep := func(_ int, o *Options) { o.Cache = cache }
	before := debug.SetMemoryLimit(-1)
	same("little memory", 2, func(_ int, o *Options) { o.Memory = 8 << 20 })
	debug.SetMemoryLimit(before)
	same("caches", 3, keep)
	part := cache + ".2of3"
	there, err := os.Stat(part)
	if err != nil {
		t.Fatal(err)
	}
	same("caches that are there", 3, keep)
	if after, err := os.Stat(part); err != nil || !os.SameFile(there, after) {
		t.Errorf("the cache is written again: %v", err)
	}
	if err := os.Remove(part); err != nil {
		t.Fatal(err)
	}
	same("a cache that is missing", 3, keep)
	if _, err := os.Stat(part); err != nil {
		t.Error(err)
	}
}

// Tables of other rows, and other columns of one, are found before training.
func TestRanksWithWrongParts(t *testing.T) {
	dir := t.TempDir()
	table, other := filepath.Join(dir, "t.parquet"), filepath.Join(dir, "u.parquet")
	writeRows(t, table, 9_000, 1, 0)
	writeRows(t, other, 9_000, 2, 0)
	errs := make([]error, 2)
	var all sync.WaitGroup
	for r, ranks := range comm.Group(2) {
		all.Go(func() {
			o := NewOptions()
			o.Target, o.Recipe, o.Cache, o.NoKept, o.Out = "y", recipePaper, filepath.Join(dir, "rows"), true, filepath.Join(dir, "model.bgp")
			s := streams.Streams{In: strings.NewReader(""), Out: io.Discard, Console: console.New(io.Discard), Ranks: ranks}
			errs[r] = Run(context.Background(), s, []string{table, other}[r], o)
		})
	}
	all.Wait()
	for r, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "the end of the files") || !strings.Contains(err.Error(), "rank 1 on ") {
			t.Errorf("rank %d says %v", r, err)
		}
	}
	_, errs = fitOnRanks(t, 2, table, func(rank int, o *Options) {
		if o.Cache = filepath.Join(dir, "rows"); rank == 1 {
			o.Exclude = []string{"x3"}
		}
	})
	for r, err := range errs {
		if err == nil {
			t.Errorf("rank %d learns from other columns", r)
		}
	}
	writeRows(t, other, 9_000, 2, 7654)
	_, errs = fitOnRanks(t, 2, other, func(_ int, o *Options) { o.Cache = filepath.Join(dir, "rows") })
	for r, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "row 7654") || !strings.Contains(err.Error(), `"w"`) {
			t.Errorf("rank %d says %v", r, err)
		}
	}
}

package beziergp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"beziergp"
	"beziergp/internal/comm"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/train/paper"
)

// wideCache has blocks of few rows: 20 columns, a category, a weight and missing values among them.
func wideCache(t *testing.T, rows int) *tablecache.Cache {
	rng := rand.New(rand.NewPCG(1, 2))
	var columns []table.Column
	y, w, c := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for j := range 17 {
		x := make([]float64, rows)
		for i := range x {
			x[i] = rng.NormFloat64()
			y[i] += x[i] / float64(1+j)
			if j == 3 && i%11 == 0 {
				x[i] = math.NaN()
			}
		}
		columns = append(columns, table.NewColumn(table.Field{Name: fmt.Sprint("x", j)}, x))
	}
	for i := range w {
		w[i], c[i] = 0.5+rng.Float64(), float64(rng.IntN(3))
		y[i] += c[i] + 0.1*rng.NormFloat64()
	}
	columns = append(columns, table.NewColumn(table.Field{Name: "c", Kind: table.Category, Levels: []string{"a", "b", "c"}}, c),
		table.NewColumn(table.Field{Name: "w"}, w), table.NewColumn(table.Field{Name: "y"}, y))
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return cacheOf(t, tab, "y")
}

// fitApart fits as every one of several ranks, each of which reads its part of a cache.
func fitApart(c func(rank int) *tablecache.Cache, size int, options func(rank int, o *beziergp.Options)) ([]*beziergp.Model, []error) {
	models, errs := make([]*beziergp.Model, size), make([]error, size)
	var all sync.WaitGroup
	for r, ranks := range comm.Group(size) {
		all.Go(func() {
			o := beziergp.Options{Recipe: shortPaper, Workers: 1, Ranks: ranks, Weights: "w"}
			if options != nil {
				options(r, &o)
			}
			models[r], errs[r] = beziergp.FitCache(context.Background(), c(r), "y", o)
		})
	}
	all.Wait()
	return models, errs
}

var shortPaper = paper.Recipe{Order: 2, Steps: 12, Batch: 700, Orderings: 5}

// Ranks of which each reads a part of a cache write the file of one process.
func TestRowsApart(t *testing.T) {
	c := wideCache(t, 20000)
	one, err := beziergp.FitCache(t.Context(), c, "y", beziergp.Options{Recipe: shortPaper, Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Blocks() < 6 {
		t.Fatalf("%d blocks", c.Blocks())
	}
	for _, size := range []int{2, 3, 5} {
		models, errs := fitApart(func(int) *tablecache.Cache { return c }, size, nil)
		for r, m := range models {
			if errs[r] != nil || file(t, m) != file(t, one) {
				t.Errorf("rank %d of %d has another file: %v", r, size, errs[r])
			}
		}
	}
}

// A run whose rows are apart goes on from its checkpoint on any number of ranks, to the same bits.
func TestRowsApartGoOnInAnyNumber(t *testing.T) {
	c := wideCache(t, 12000)
	recipe := shortPaper
	one, err := beziergp.FitCache(t.Context(), c, "y", beziergp.Options{Recipe: recipe, Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	recipe.Checkpoint = filepath.Join(t.TempDir(), "run.ckpt")
	for i, size := range []int{2, 1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		errs := make([]error, size)
		var all sync.WaitGroup
		for r, ranks := range comm.Group(size) {
			all.Go(func() {
				o := beziergp.Options{Recipe: recipe, Workers: 1, Ranks: ranks, Weights: "w", Progress: func(e beziergp.Event) {
					if e.Step == 3*(i+1) && r == size-1 {
						cancel()
					}
				}}
				_, errs[r] = beziergp.FitCache(ctx, c, "y", o)
			})
		}
		all.Wait()
		for r, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("rank %d of %d ends with %v", r, size, err)
			}
		}
	}
	models, errs := fitApart(func(int) *tablecache.Cache { return c }, 4, func(_ int, o *beziergp.Options) { o.Recipe = recipe })
	for r, m := range models {
		if errs[r] != nil || file(t, m) != file(t, one) {
			t.Errorf("rank %d has another file: %v", r, errs[r])
		}
	}
}

// What is wrong with the set-up of a rank is found before rows are read, and named by all.
func TestRowsApartOfDifferentSetUps(t *testing.T) {
	c, other := wideCache(t, 2000), wideCache(t, 2100)
	for want, change := range map[string]func(o *beziergp.Options){
		"what is asked of the columns of rank 1 on ": func(o *beziergp.Options) { o.Weights = "" },
		"the seed of rank 1 on ":                     func(o *beziergp.Options) { o.Recipe = paper.Recipe{Orderings: 5, Seed: 2} },
		"the number of rows of rank 1 on ":           nil,
	} {
		_, errs := fitApart(func(r int) *tablecache.Cache {
			if r == 1 && change == nil {
				return other
			}
			return c
		}, 2, func(r int, o *beziergp.Options) {
			if r == 1 && change != nil {
				change(o)
			}
		})
		for r, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d says %v, want %q", r, err, want)
			}
		}
	}
}

// A rank that holds the rows beside one that reads them from disk is told so.
func TestRowsApartOfRowsInMemory(t *testing.T) {
	c, group, errs := wideCache(t, 2000), comm.Group(2), make([]error, 2)
	var all sync.WaitGroup
	for r := range 2 {
		all.Go(func() {
			o := beziergp.Options{Recipe: shortPaper, Ranks: group[r], Weights: "w"}
			if r == 0 {
				_, errs[r] = beziergp.Fit(t.Context(), c.Sample(), "y", o)
			} else {
				_, errs[r] = beziergp.FitCache(t.Context(), c, "y", o)
			}
		})
	}
	all.Wait()
	for r, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "the place of the rows of rank 1 on ") {
			t.Errorf("rank %d says %v", r, err)
		}
	}
}

// A cache of which one rank cannot read its part ends all.
func TestRowsApartOfAClosedCache(t *testing.T) {
	whole, closed := wideCache(t, 20000), wideCache(t, 20000)
	closed.Close()
	_, errs := fitApart(func(r int) *tablecache.Cache { return []*tablecache.Cache{whole, closed}[r] }, 2, nil)
	var remote *comm.RemoteError
	var disk *tablecache.DiskError
	if !errors.As(errs[0], &remote) || remote.Rank != 1 || !errors.As(errs[1], &disk) {
		t.Errorf("they say %v and %v", errs[0], errs[1])
	}
}

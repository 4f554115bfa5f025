package dataset_test

import (
	"context"
	"slices"
	"testing"

	"beziergp/dataset"
)

// Targets are those of the table at the rows that are named, of every block, in memory and
// out of core; rows of a cache are the cache's.
func TestObserved(t *testing.T) {
	tab := mixed(t)
	y, _ := tab.Column("y")
	z, _ := tab.Column("z")
	w, _ := tab.Column("w")
	var kept []int // rows of the table
	for i := range y {
		if y[i] == y[i] && z[i] == z[i] && w[i] > 0 {
			kept = append(kept, i)
		}
	}
	o := dataset.Options{Targets: targets("z", "y"), Weights: "w"}
	memory, err := dataset.FromTable(tab, o)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := dataset.FromCache(context.Background(), cache(t, tab, "w", "z", "y"), o)
	if err != nil {
		t.Fatal(err)
	}
	var rows, places, own []int
	var want []float64
	for k := 3; k < len(kept); k += 7 {
		rows, places, own, want = append(rows, k), append(places, kept[k]+1), append(own, k+1), append(want, y[kept[k]])
	}
	for name, c := range map[string]struct {
		set    *dataset.Set
		places []int
	}{"memory": {memory, places}, "cache": {disk, own}} {
		at, got, err := c.set.Observed(1).At(rows)
		if err != nil || !slices.Equal(got, want) || !slices.Equal(at, c.places) {
			t.Errorf("%s: %d targets, error %v", name, len(got), err)
		}
	}
	if at, got, err := memory.Observed(0).At(nil); len(at)+len(got) > 0 || err != nil {
		t.Errorf("of no rows %v, %v, %v", at, got, err)
	}
}

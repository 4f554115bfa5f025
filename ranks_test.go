package beziergp_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"beziergp"
	"beziergp/internal/comm"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// lost returns a rank whose others have ended.
func lost() beziergp.Ranks {
	c := comm.Group(2)[0]
	c.Abort(1)
	return c
}

// fitOnRanks fits as every one of several ranks, each with options of its own.
func fitOnRanks(tab *beziergp.Table, size int, options func(rank int, o *beziergp.Options)) ([]*beziergp.Model, []error) {
	models, errs := make([]*beziergp.Model, size), make([]error, size)
	var all sync.WaitGroup
	for r, c := range comm.Group(size) {
		all.Go(func() {
			o := beziergp.Options{Recipe: least, Workers: 1, Ranks: c}
			own := tab
			if options != nil {
				options(r, &o)
			}
			models[r], errs[r] = beziergp.Fit(context.Background(), own, "y", o)
		})
	}
	all.Wait()
	return models, errs
}

// Every rank has the file that one machine writes.
func TestRanksWriteTheSameFile(t *testing.T) {
	file := func(m *beziergp.Model) string {
		var out bytes.Buffer
		if err := m.Write(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	one, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: least})
	if err != nil {
		t.Fatal(err)
	}
	models, errs := fitOnRanks(odd(t), 3, nil)
	for r, m := range models {
		if errs[r] != nil || file(m) != file(one) {
			t.Errorf("rank %d has another file: %v", r, errs[r])
		}
	}
}

// Set-ups that differ are found by all ranks, and named.
func TestRanksWithDifferentSetUps(t *testing.T) {
	for want, change := range map[string]func(o *beziergp.Options){
		"the seed of rank 1 on ": func(o *beziergp.Options) {
			o.Recipe = auto.Recipe{Effort: auto.Fast, Seed: 7, Ablation: least.Ablation}
		},
		"the recipe of rank 1 on ":                   func(o *beziergp.Options) { o.Recipe = auto.Recipe{Effort: auto.Best} },
		"the columns or their scaling of rank 1 on ": func(o *beziergp.Options) { o.OutOfBox = beziergp.Refuse },
		"the content of the rows of rank 1 on ":      func(o *beziergp.Options) { o.Weights = "w" },
		`rank 1: no column "nothing"`:                func(o *beziergp.Options) { o.Inputs = []string{"nothing"} },
	} {
		_, errs := fitOnRanks(odd(t), 2, func(rank int, o *beziergp.Options) {
			if o.Exclude = []string{"w"}; rank == 1 {
				change(o)
			}
		})
		for r, err := range errs {
			if err == nil || !strings.Contains("rank 1: "+err.Error(), want) {
				t.Errorf("rank %d says %v, want %q", r, err, want)
			}
		}
	}
}

// A recipe that does not share its work refuses several ranks.
func TestRanksOfThePaper(t *testing.T) {
	_, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: paper.Recipe{Steps: 3}, Ranks: comm.Group(2)[0]})
	if err == nil || !strings.Contains(err.Error(), "ranks: 2, and the recipe paper") {
		t.Error(err)
	}
}

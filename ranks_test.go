package beziergp_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"beziergp"
	"beziergp/internal/comm"
	"beziergp/train"
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

// file returns a model as it is written.
func file(t *testing.T, m *beziergp.Model) string {
	t.Helper()
	var out bytes.Buffer
	if err := m.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Every rank has the file that one machine writes.
func TestRanksWriteTheSameFile(t *testing.T) {
	one, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: least})
	if err != nil {
		t.Fatal(err)
	}
	models, errs := fitOnRanks(odd(t), 3, nil)
	for r, m := range models {
		if errs[r] != nil || file(t, m) != file(t, one) {
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

// The recipe paper has work for as many ranks as it has orderings, and its set-up is held against
// that of the others.
func TestRanksOfThePaper(t *testing.T) {
	_, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: paper.Recipe{Orderings: 1}, Ranks: comm.Group(2)[0]})
	if err == nil || !strings.Contains(err.Error(), "ranks: 2, and 1 orderings") {
		t.Error(err)
	}
	recipe := paper.Recipe{Orderings: 2, Steps: 3}
	one, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: recipe})
	if err != nil {
		t.Fatal(err)
	}
	models, errs := fitOnRanks(odd(t), 2, func(_ int, o *beziergp.Options) { o.Recipe = recipe })
	for r, m := range models {
		if errs[r] != nil || file(t, m) != file(t, one) {
			t.Errorf("rank %d has another file: %v", r, errs[r])
		}
	}
	for want, change := range map[string]func(r *paper.Recipe){
		"the seed of rank 1 on ":       func(r *paper.Recipe) { r.Seed = 7 },
		"the recipe of rank 1 on ":     func(r *paper.Recipe) { r.Steps = 4 },
		"the checkpoint of rank 1 on ": func(r *paper.Recipe) { r.Checkpoint = "a.ckpt" },
	} {
		_, errs := fitOnRanks(odd(t), 2, func(rank int, o *beziergp.Options) {
			own := recipe
			if rank == 1 {
				change(&own)
			}
			o.Recipe = own
		})
		for r, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d says %v, want %q", r, err, want)
			}
		}
	}
}

// other is a recipe that does not share its work.
type other struct{ train.Recipe }

func (other) Name() string { return "other" }

func TestRanksOfAnotherRecipe(t *testing.T) {
	_, err := beziergp.Fit(t.Context(), odd(t), "y", beziergp.Options{Recipe: other{least}, Ranks: comm.Group(2)[0]})
	if err == nil || !strings.Contains(err.Error(), "ranks: 2, and the recipe other") {
		t.Error(err)
	}
}

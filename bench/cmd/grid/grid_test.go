package main

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/train/auto"
)

// Small tables of every kind, fitted with effort fast, lose to neither least squares nor the
// mean. The command fits large ones, and by all steps.
func TestSmallTables(t *testing.T) {
	testkit.Long(t)
	for _, k := range kinds {
		if r := fit(context.Background(), k, 300, 4, auto.Recipe{Effort: auto.Fast, StepsFactor: 0.3}); r.lost() {
			t.Error(r.text())
		}
	}
}

func TestLost(t *testing.T) {
	good := result{rows: 10000, ours: 0.3, leastSquares: 0.5, mean: 1}
	for name, c := range map[string]struct {
		change func(*result)
		lost   bool
	}{
		"better than both":              {func(*result) {}, false},
		"as good as least squares":      {func(r *result) { r.ours = 0.5 }, false},
		"the mean":                      {func(r *result) { r.ours = 1 }, true},
		"no least squares":              {func(r *result) { r.leastSquares = math.NaN(); r.ours = 0.9 }, false},
		"no least squares, no learning": {func(r *result) { r.leastSquares = math.NaN(); r.ours = 1.3 }, true},
		"failed":                        {func(r *result) { r.err = errors.New("no") }, true},
		"no number":                     {func(r *result) { r.ours = math.NaN() }, true},
	} {
		r := good
		c.change(&r)
		if r.lost() != c.lost {
			t.Errorf("%s: lost is %v", name, r.lost())
		}
	}
}

// Copies agree in inputs and target, and other rows do not.
func TestDrawCopies(t *testing.T) {
	for _, k := range kinds {
		drawn, clean, err := k.draw(11, 2, nil, rand.New(rand.NewPCG(1, 1)))
		if err != nil || drawn.Rows() != 11 || len(clean) != 11 {
			t.Fatalf("%s: %d rows, %d targets, %v", k.name, drawn.Rows(), len(clean), err)
		}
		if k.name != "copies" {
			continue
		}
		y, _ := drawn.Column("y")
		if y[0] != y[4] || clean[0] != clean[4] || y[4] == y[5] {
			t.Errorf("targets %v, %v without noise", y, clean)
		}
	}
}

func TestText(t *testing.T) {
	r := result{kind: "rare", rows: 5, inputs: 50, ours: 0.5434, leastSquares: math.NaN(), mean: 0.8556, coverage: 0.756, seconds: 0.14}
	const want = "| rare | 5 | 50 | 0.543 | NaN | 0.856 | 0.76 | 0.1 |  |"
	if got := r.text(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

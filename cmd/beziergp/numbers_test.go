package main_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Numbers of the README and the guide that sum up docs/recipe.md are those of its
// table: the lowest and the highest of a column.
func TestNumbersAreThoseOfTheRecipe(t *testing.T) {
	text := read(t, "docs/recipe.md")
	_, table, found := strings.Cut(text, "\n| set | splits | RMSE |")
	if !found {
		t.Fatal("docs/recipe.md has no table of figures")
	}
	ends := func(column int) (lo, hi float64) {
		lo, hi = 1e9, -1e9
		for _, row := range strings.Split(table, "\n")[2:10] {
			v, err := strconv.ParseFloat(strings.TrimSpace(strings.Split(row, "|")[column]), 64)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi = min(lo, v), max(hi, v)
		}
		return lo, hi
	}
	for _, c := range []struct {
		column int
		scale  float64
		format string
		pages  []string
	}{
		{6, 100, "%.1f to %.1f %%", []string{"README.md", "docs/guide/uncertainty.md"}},
		{8, 1, "%.0f to %.0f s", []string{"README.md", "docs/guide/large.md"}},
		{12, 1, "%.0f to %.0f s", []string{"README.md", "docs/guide/large.md"}},
	} {
		lo, hi := ends(c.column)
		want := fmt.Sprintf(c.format, c.scale*lo, c.scale*hi)
		for _, page := range c.pages {
			if !strings.Contains(read(t, page), want) {
				t.Errorf("%s does not say %q, which is what column %d of docs/recipe.md says", page, want, c.column)
			}
		}
	}
}

// The README's comparison with boosted trees is that of the records: on how many sets
// the default recipe is ahead of all three libraries, in the mean over the splits, all
// of which all of them fitted.
func TestNumbersAreThoseOfTheBenchmarks(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(read(t, "docs/benchmarks/uci.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	number := func(row []string, name string) float64 {
		v, err := strconv.ParseFloat(at(row, name), 64)
		if err != nil {
			t.Fatalf("%s of %s on %s: %v", name, at(row, "method"), at(row, "set"), err)
		}
		return v
	}
	const ours = "BezierGP auto"
	bySet := map[string]map[string][]string{}
	for _, row := range rows[1:] {
		if at(row, "source") == "run here" {
			if bySet[at(row, "set")] == nil {
				bySet[at(row, "set")] = map[string][]string{}
			}
			bySet[at(row, "set")][at(row, "method")] = row
		}
	}
	likely, exact := 0, 0 // sets on which ours is ahead of all
	for set, methods := range bySet {
		own := methods[ours]
		firstLikely, firstExact := true, true
		for _, library := range []string{"XGBoost", "LightGBM", "CatBoost"} {
			other := methods[library+" + variance"]
			if own == nil || other == nil || at(other, "fits") != at(own, "fits") {
				t.Fatalf("%s: %s and %s did not fit the same splits", set, ours, library)
			}
			firstLikely = firstLikely && number(own, "ll") > number(other, "ll")
			firstExact = firstExact && number(own, "rmse") < number(other, "rmse")
		}
		if firstLikely {
			likely++
		}
		if firstExact {
			exact++
		}
	}
	text := read(t, "README.md")
	for _, want := range []string{fmt.Sprintf("| **%d of %d** | tables give", likely, len(bySet)), fmt.Sprintf("%d of %d give it a lower RMSE", exact, len(bySet))} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q, as the records do", want)
		}
	}
}

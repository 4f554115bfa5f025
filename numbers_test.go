package beziergp_test

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

// The README's comparison with an exact Gaussian process is that of the records, on
// the sets of which both fitted all splits.
func TestNumbersAreThoseOfTheBenchmarks(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(read(t, "docs/benchmarks/uci.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	rmse := map[string]map[string]float64{} // by set and fits, by method
	for _, row := range rows[1:] {
		if v, err := strconv.ParseFloat(at(row, "rmse"), 64); err == nil && at(row, "source") == "run here" {
			key := at(row, "set") + " " + at(row, "fits")
			if rmse[key] == nil {
				rmse[key] = map[string]float64{}
			}
			rmse[key][at(row, "method")] = v
		}
	}
	sets, least, most := 0, 1.0, 0.0
	for _, of := range rmse {
		if of["Exact GP"] > 0 && of["BezierGP auto"] > 0 {
			lower := 1 - of["BezierGP auto"]/of["Exact GP"]
			sets, least, most = sets+1, min(least, lower), max(most, lower)
		}
	}
	want := fmt.Sprintf("| **%.0f to %.0f %%** | lower than an exact Gaussian process's is the RMSE on the three small ones", 100*least, 100*most)
	if sets != 3 || !strings.Contains(read(t, "README.md"), want) {
		t.Errorf("README.md does not say %q, of %d sets", want, sets)
	}
}

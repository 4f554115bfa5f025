package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"
)

// The same seed gives the same table: of so many rows and inputs, with as many categories, levels and gaps as its kind says.
func TestTables(t *testing.T) {
	for _, k := range kinds {
		s := shape{400, 10, k, laws[0]}
		var text, again bytes.Buffer
		for _, to := range []*bytes.Buffer{&text, &again} {
			if err := s.write(t.Context(), to, 7); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(text.Bytes(), again.Bytes()) {
			t.Errorf("%s: two tables of a seed differ", k.name)
		}
		records, err := csv.NewReader(&text).ReadAll()
		if err != nil || len(records) != 401 || len(records[0]) != 11 || records[0][10] != "y" {
			t.Fatalf("%s: %d records, %v", k.name, len(records), err)
		}
		var missing, numbers int
		levels := make([]map[string]bool, 10)
		for i := range levels {
			levels[i] = map[string]bool{}
		}
		for _, record := range records[1:] {
			for i, field := range record[:10] {
				if s.levels()[i] > 0 {
					levels[i][field] = true
					continue
				}
				if numbers++; field == "" {
					missing++
				}
			}
		}
		for i, n := range s.levels() {
			if len(levels[i]) > n || len(levels[i]) < n/3 {
				t.Errorf("%s: input %d has %d levels of %d", k.name, i, len(levels[i]), n)
			}
		}
		if share := float64(missing) / float64(numbers); math.Abs(share-k.missing) > 0.02 {
			t.Errorf("%s: %g of the numbers are missing", k.name, share)
		}
	}
}

// f has a variance of about one, so that classes are learned, and counts and amounts stay of few digits.
func TestTargets(t *testing.T) {
	for _, l := range laws {
		s := shape{2000, 50, kinds[2], l}
		var text bytes.Buffer
		if err := s.write(t.Context(), &text, 0); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&text).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]int{}
		for _, record := range records[1:] {
			values[record[50]]++
			if v, err := strconv.ParseFloat(record[50], 64); l.name != "two classes" && (err != nil || math.Abs(v) > 1000 || l.name == "amount" && v <= 0) {
				t.Errorf("%s: a target is %s", l.name, record[50])
			}
		}
		if l.name == "two classes" && (len(values) != 2 || values["true"] < 400 || values["false"] < 400) {
			t.Errorf("classes are %v", values)
		}
		if l.name == "count" && len(values) < 5 {
			t.Errorf("counts are %v", values)
		}
	}
}

// A fit that takes longer than the effort allows is marked, and one that failed says why.
func TestRows(t *testing.T) {
	r := result{shape: shape{3000, 150, kinds[1], laws[2]}, score: "1.5", seconds: 15.04, processors: 1.5}
	for limit, want := range map[float64]string{
		20: "| 3000 × 150 | gaps | count | 1.5 | 15.0 | 1.50 |  |  |\n",
		15: "| 3000 × 150 | gaps | count | 1.5 | 15.0 | 1.50 |  | **too long** |\n",
	} {
		var row strings.Builder
		if r.row(&row, limit); row.String() != want {
			t.Errorf("%q, want %q", row.String(), want)
		}
	}
}

func TestScores(t *testing.T) {
	summary := map[string]any{"out_of_fold": map[string]any{"deviance": 1.23456}, "out_of_fold_classes": nil}
	if got := laws[2].score(summary); got != "1.235" {
		t.Errorf("the score of a count is %s", got)
	}
	if got := laws[1].score(summary); got != "-" {
		t.Errorf("the score of classes that have none is %s", got)
	}
}

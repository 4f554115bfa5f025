package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun fits one split with a short recipe, and goes on from what is recorded.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and fits")
	}
	t.Chdir("../..")
	data, err := filepath.Abs("../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(data, "energy")); err != nil {
		t.Skipf("the data sets are not there: %v", err)
	}
	out := filepath.Join(t.TempDir(), "table")
	args := []string{"-data", data, "-out", out, "-sets", "energy", "-splits", "1", "-fit", "--order 5 --orderings 4 --steps 1000 --learning-rate 0.01"}
	if err := run(context.Background(), args); err != nil {
		t.Fatal(err)
	}
	records, err := readRecords(out + ".jsonl")
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records: %v", len(records), err)
	}
	// The target's deviation is 10; a linear model reaches 3.
	if r := records[0]; r.Set != "energy" || r.N != 76 || r.RMSE > 1.5 || r.RMSE < 0.1 {
		t.Errorf("record %+v", r)
	}
	page, err := os.ReadFile(out + ".md")
	if err != nil || !strings.Contains(string(page), "| energy | 1 | ") {
		t.Errorf("page %s: %v", page, err)
	}
	before, err := os.ReadFile(out + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), args); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(out + ".jsonl"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a second run repeats a finished fit: %v", err)
	}
}

func TestReadRecordsRefusesRubbish(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, []byte("{\"set\":\"energy\"}\n{\"set\":"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readRecords(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"beziergp/bench/record"
)

// A fit counts as made again where the program that made it is of the code as it is, and another one than that of the record.
func TestAgain(t *testing.T) {
	h, commit := repository(t)
	first := commit(map[string]string{"go.mod": "module beziergp\n\ngo 1.24\n", "train/auto/a.go": method, "box/box.go": "package box\n"})
	second := commit(map[string]string{"box/box.go": "package box\n\nvar X int\n"})
	head := commit(map[string]string{"other/other.go": "package other\n"})
	at := func(commit, set string, rmse float64) record.Record {
		return record.Record{
			Suite: "uci", Set: set, Method: "BezierGP auto", RMSE: &rmse, Time: time.Unix(0, 0),
			Version: "beziergp v0.0.0-20261122071137-" + commit[:12] + " avx512",
		}
	}
	records := []record.Record{at(first, "same", 1), at(first, "other", 1), at(first, "older", 1), at(second, "itself", 1), at(first, "failed", 1), at(second, "past", 1)}
	made := []record.Record{
		at(first, "same", 7), at(second, "same", 1), at(second, "other", 1.25), at(first, "older", 1), at(second, "itself", 1),
		at(second, "failed", 1), at(second, "unknown", 1), at(first, "past", 1),
	}
	made[5].Error = "it failed"
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, record.AgainDir), 0o755); err != nil {
		t.Fatal(err)
	}
	log, err := record.Append(filepath.Join(dir, record.AgainDir, "uci.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, r := range made {
		if err := log.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	all := tallies{}
	if err := all.addAgain(t.Context(), h, filepath.Join(dir, "uci.jsonl"), records, head); err != nil {
		t.Fatal(err)
	}
	got := all.of(records[0]).again
	if got.made != 2 || got.same != 1 || got.String() != "2, of them 1 the same; RMSE 1.25 where it was 1" {
		t.Errorf("%+v: %s", got, got)
	}
	all = tallies{}
	if err := all.addAgain(t.Context(), h, filepath.Join(dir, "none.jsonl"), records, head); err != nil || len(all) != 0 {
		t.Errorf("without a folder: %v, %v", all, err)
	}
}

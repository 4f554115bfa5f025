package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"beziergp/bench/record"
)

// again counts the fits of a row of the page that the code as it is has made again.
type again struct {
	made, same int
	largest    record.Change // of a score
}

// addAgain counts the fits of a suite that were made again, in the folder beside its records, where the code of their methods has not changed since.
func (a tallies) addAgain(ctx context.Context, h *history, path string, records []record.Record, head string) error {
	made, _, err := record.Read(filepath.Join(filepath.Dir(path), record.AgainDir, filepath.Base(path)))
	if err != nil {
		return err
	}
	former, seen := record.ByKey(records), map[record.Key]bool{}
	for _, r := range slices.Backward(made) { // the last of a fit counts
		known, ok := former[r.Key()]
		if !ok || seen[r.Key()] || known.Version == r.Version || r.Error != "" {
			continue
		}
		changed, found, err := h.changedSince(ctx, r, head)
		if err != nil {
			return err
		}
		if found && len(changed) == 0 {
			seen[r.Key()] = true
			a.of(r).again.add(known.Changes(r))
		}
	}
	return nil
}

// add counts a fit with the scores that have changed.
func (a *again) add(changes []record.Change) {
	a.made++
	if len(changes) == 0 {
		a.same++
	}
	for _, c := range changes {
		if c.Magnitude > a.largest.Magnitude {
			a.largest = c
		}
	}
}

// String says what came of them.
func (a again) String() string {
	switch {
	case a.made == 0:
		return ""
	case a.same == a.made:
		return fmt.Sprintf("%d, the same", a.made)
	}
	return fmt.Sprintf("%d, of them %d the same; %v", a.made, a.same, a.largest)
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// record is one fit and its scores on the test rows, in the target's units.
type record struct {
	Set        string  `json:"set"`
	Split      int     `json:"split"`
	N          int     `json:"n"`
	RMSE       float64 `json:"rmse"`
	NLPD       float64 `json:"nlpd"`
	CRPS       float64 `json:"crps"`
	Coverage95 float64 `json:"coverage95"`
	OutsideBox int     `json:"outside_box"` // test rows outside the training box, clipped to its face
	Seconds    float64 `json:"seconds"`     // of the fit
}

func has(records []record, set string, split int) bool {
	return slices.ContainsFunc(records, func(r record) bool { return r.Set == set && r.Split == split })
}

// readRecords reads the finished fits.
func readRecords(path string) ([]record, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var records []record
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return records, fmt.Errorf("%s, line %d: %w; remove the line", path, len(records)+1, err)
		}
		records = append(records, r)
	}
	return records, lines.Err()
}

func appendRecord(path string, r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(text, '\n')); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

// runner calls the program.
type runner struct {
	program, data, work string
	options             []string
}

func (r runner) fit(ctx context.Context, set string, split int) (record, error) {
	table := filepath.Join(r.data, set, "data.csv.gz")
	mask := fmt.Sprintf("%s:split%d", filepath.Join(r.data, set, "test_mask.csv.gz"), split)
	model := filepath.Join(r.work, "model.bgp")
	began := time.Now()
	_, err := r.call(ctx, append([]string{"fit", table, "--target", "y", "--recipe", "paper", "--test-mask", mask, "--out", model, "--quiet"}, r.options...)...)
	if err != nil {
		return record{}, err
	}
	seconds := time.Since(began).Seconds()
	text, err := r.call(ctx, "eval", model, table, "--test-mask", mask, "--json")
	if err != nil {
		return record{}, err
	}
	scored := record{Set: set, Split: split, Seconds: seconds}
	return scored, json.Unmarshal(text, &scored)
}

func (r runner) call(ctx context.Context, args ...string) ([]byte, error) {
	var errs bytes.Buffer
	c := exec.CommandContext(ctx, r.program, args...)
	c.Stderr = &errs
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("beziergp %v: %w\n%s", args, err, errs.Bytes())
	}
	return text, nil
}
